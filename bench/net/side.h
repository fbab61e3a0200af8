/* A side of the benchmark of the network: one message at a time, between two processes. A side ends the
 * program if anything fails. */

#ifndef BENCH_NET_SIDE_H
#define BENCH_NET_SIDE_H

#include "net/net.h"

#include <stdio.h>
#include <stdlib.h>

enum { BIG = 1 << 20, PIECE = 64 << 10 };

struct side {
    const char *name;
    void *(*open)(const char *interface);
    size_t (*address)(void *end, char address[UNO_NET_ADDRESS]);
    void (*name_peer)(void *end, const char *address, size_t bytes);
    /* Send, until the data are the caller's again. */
    void (*send)(void *end, const void *data, size_t bytes);
    /* Name the memory of the next message, before it is sent; and wait until it has come. */
    void (*expect)(void *end, void *data, size_t bytes);
    void (*receive)(void *end);
};

/* Libfabric without any layer, also with a descriptor on which its user could sleep; and the network of
 * Unisono, on which its user can. */
extern const struct side side_bare, side_bare_descriptor, side_unisono;

static inline void __attribute__((noreturn)) fail(const char *what) {
    fprintf(stderr, "bench-net: %s\n", what);
    exit(1);
}

#endif
