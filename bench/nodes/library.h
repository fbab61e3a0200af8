/* A library of which script/bench-nodes measures the operations: what main.c calls. */

#ifndef BENCH_NODES_LIBRARY_H
#define BENCH_NODES_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

/* Begin: set this process's number, and how many there are. */
void library_begin(int *me, int *count);

void library_wait(void);
int64_t library_sum(int64_t number);
void library_send(const void *data, size_t bytes, int to);
void library_receive(void *data, size_t bytes, int from);
void library_end(void);

/* End the job, with an error. */
void library_fail(const char *what);

#endif
