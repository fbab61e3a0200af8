/* The call in which each PE of a running job is, with its source line, where the job records its calls
 * (--stats). Nothing is stopped for that. */

#ifndef UNO_TOP_PLACES_H
#define UNO_TOP_PLACES_H

#include <stddef.h>
#include <sys/types.h>

struct top_places;

/* Find the recorded calls of the job of that launcher, with so many PEs. NULL: it records none. */
struct top_places *top_places_open(pid_t launcher, int n);
void top_places_close(struct top_places *places);

/* Return "MPI_Recv at cg.c:211", the call in which PE k is; NULL: it is in none. The text is valid until the
 * places are closed. */
const char *top_place(struct top_places *places, int k);

#endif
