/* What every file of a solver knows of its rank. */

#ifndef RANK_H
#define RANK_H

#include <stdbool.h>

extern int me, ranks;
extern bool alone; /* leave communication out, to measure the computation */

/* Memory, with zeros; ends the program if there is none. */
void *room(long count, long each);

#endif
