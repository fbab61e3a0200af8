/* The parameters of a torus as text: the same words in options, in tables and in JSON. */

#ifndef UNO_TORUS_NAMES_H
#define UNO_TORUS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "torus.h"

enum { UNO_TORUS_TEXT = 64 }; /* room for any of these texts */

extern const char uno_torus_letters[]; /* of the dimensions */

/* The words of the enumerations, each list ended by NULL. */
extern const char *const uno_torus_ties_names[], *const uno_torus_distance_names[];
extern const char *const uno_torus_corner_names[], *const uno_torus_others_names[];

/* "8x4x8", "xyz", "y:1:2" or "none". */
void uno_torus_sides_text(const struct uno_torus *t, char *text);
void uno_torus_order_text(const struct uno_torus *t, char *text);
void uno_torus_service_text(const struct uno_torus *t, char *text);

/* The reverse; whether that went well. An order and the service nodes are for the sides that are set. */
bool uno_torus_read_sides(struct uno_torus *t, const char *text);
bool uno_torus_read_order(struct uno_torus *t, const char *text);
bool uno_torus_read_service(struct uno_torus *t, const char *text);

/* The place of a word in a list, or -1. */
int uno_torus_word(const char *const *words, const char *word);

#endif
