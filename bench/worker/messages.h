/* The data of messages. */

#ifndef BENCH_WORKER_MESSAGES_H
#define BENCH_WORKER_MESSAGES_H

#include "pe.h"

/* Make the data of so many operations before a turn; and check every result after it. */
void bench_messages_prepare(struct bench_pe *pe, int operations);
void bench_messages_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
