/* Random values, among which special values are frequent. */

#ifndef TEST_VALUES_H
#define TEST_VALUES_H

#include "functions.h"
#include "harness.h"

/* The manner in which the members of one meeting draw values. */
struct flavour {
    int mode;
    uint64_t common[2]; /* values that several members may have */
};

/* Drawn once for a meeting. type: a number in types, or TYPE_NONE for a truth value. */
struct flavour values_flavour(enum type_number type, struct rng *r);

/* Drawn by each member. */
uint64_t values_draw(enum type_number type, const struct flavour *flavour, struct rng *r);

#endif
