#ifndef UNO_PROCESSORS_H
#define UNO_PROCESSORS_H

#include <stdint.h>

/* How many processors this process may use at once: the lesser of its affinity mask and its cgroup's quota (a
 * quota of 1.5 counts as 1), at least 1. */
int uno_processors(void);

/* The least quota of this process's cgroups, in processors; 0 if there is none. */
double uno_processor_quota(void);

enum { UNO_PROCESSORS = 1024 }; /* that Linux's masks have room for */

/* Those that the calling thread may use, at most so many. Returns how many they are. */
int uno_processors_usable(uint32_t *processor, int most);

/* Move the calling thread to that one. It is not bound there. */
void uno_processor_go(uint32_t processor);

/* The same for the k-th that it may use, counted round. */
void uno_processor_deal(int k);

#endif
