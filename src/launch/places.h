/* The source line of an address in a file, by the file's debugging information, when the process is gone. */

#ifndef UNO_PLACES_H
#define UNO_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uno_places; /* the files that were opened */

/* Returns NULL if libdw is not installed, or memory is short: then uno_places_find finds nothing. */
struct uno_places *uno_places_open(void);
void uno_places_close(struct uno_places *places);

/* Write "cg.c:211", the path as the compiler was given it; without debugging information "solve of ./cg". The
 * address is a return address, as the file counts. */
void uno_places_find(struct uno_places *places, const char *file, uint64_t address, char *text, size_t bytes);

#endif
