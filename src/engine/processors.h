#ifndef UNO_PROCESSORS_H
#define UNO_PROCESSORS_H

#include <stdint.h>

/* Return how many processors this process may use at once: the lesser of its affinity mask and its cgroup's
 * quota (a quota of 1.5 counts as 1), at least 1. */
int uno_processors(void);

/* Return the least quota of this process's cgroups, in processors; 0 if there is none. */
double uno_processor_quota(void);

enum { UNO_PROCESSORS = 1024 }; /* processors that Linux's masks have room for */

/* Write the processors that the calling thread may use, at most so many, and return their number. */
int uno_processors_usable(uint32_t *processor, int most);

/* Move the calling thread to that processor, without binding it there. */
void uno_processor_go(uint32_t processor);

/* Move it to the k-th processor that it may use, modulo their number. */
void uno_processor_deal(int k);

#endif
