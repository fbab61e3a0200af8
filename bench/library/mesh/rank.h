/* The rank's state that every file of a solver uses. */

#ifndef RANK_H
#define RANK_H

#include <stdbool.h>

extern int me, ranks;
extern bool alone; /* leave communication out, to measure the computation */

/* Allocate zeroed memory; ends the program if there is none. */
void *room(long count, long each);

#endif
