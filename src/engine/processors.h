#ifndef UNO_PROCESSORS_H
#define UNO_PROCESSORS_H

/* How many processors this process may use at once: the lesser of its affinity mask and its cgroup's quota (a
 * quota of 1.5 counts as 1), at least 1. */
int uno_processors(void);

/* The least quota of this process's cgroups, in processors; 0 if there is none. */
double uno_processor_quota(void);

/* Move the calling thread to the k-th processor that it may use, counted round. It is not bound there. */
void uno_processor_deal(int k);

#endif
