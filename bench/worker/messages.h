/* The data of messages. */

#ifndef BENCH_WORKER_MESSAGES_H
#define BENCH_WORKER_MESSAGES_H

#include "pe.h"

/* Before a turn: make the data of so many operations. After it: check every result. */
void bench_messages_prepare(struct bench_pe *pe, int operations);
void bench_messages_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
