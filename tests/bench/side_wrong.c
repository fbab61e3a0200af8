/* The Unisono side with planted faults: the bench must find each. */

#include <exchange.h>
#include <vertex.h>
#include <stdlib.h>
#include <string.h>

#include "detector/part.h"
#include "planted.h"
#include "sides/side.h"

/* One result in 100 is off by one, at PE 1. */
static int64_t wrong_reduceAdd64(int64_t d) {
    static _Thread_local long calls;
    int64_t sum = p_reduceAdd64(d);
    return sum + (p_iproc() == 1 && ++calls % 100 == 0 && is_planted("rare"));
}

/* A barrier at which nobody waits: always, or only if one PE comes late. */
static void wrong_wait(const struct bench_work *w) {
    if (!is_planted("barrier") && !(w->late && is_planted("late")))
        p_wait();
}

/* Gather, and give the result of the gather before if that fault is planted. */
static void wrong_gatherd(double *p, double d) {
    static _Thread_local double last[64];
    double now[64];
    p_gatherd(now, d);
    memcpy(p, is_planted("stale") ? last : now, (size_t)p_nproc() * sizeof *p);
    memcpy(last, now, sizeof last);
}

/* One PE ends in the middle. */
static int wrong_any(int f) {
    if (p_iproc() == 1 && is_planted("death"))
        abort();
    return p_any(f);
}

/* The broadcast does not reach the last PE. */
static int32_t wrong_bcastGet32(void) {
    int32_t d = p_bcastGet32();
    return p_iproc() == p_nproc() - 1 && is_planted("lost") ? 0 : d;
}

/* The last byte of PE 1's last block is not the sender's. */
static void wrong_allToAll(void *to, const void *from, size_t bytes) {
    p_allToAll(to, from, bytes);
    if (p_iproc() == 1 && is_planted("block"))
        ((unsigned char *)to)[bytes * (size_t)p_nproc() - 1] ^= 1;
}

/* An element of PE 1's part is not the one that belongs there. */
static void wrong_permutePut(void *array, size_t length, const void *from, const uint64_t *index,
                             size_t count, size_t bytes) {
    p_permutePut(array, length, from, index, count, bytes);
    if (p_iproc() == 1 && is_planted("element"))
        ((uint64_t *)array)[count + 7] ^= 1;
}

#define p_allToAll wrong_allToAll
#define p_permutePut wrong_permutePut
#define p_reduceAdd64 wrong_reduceAdd64
#define p_wait() wrong_wait(w)
#define p_gatherd wrong_gatherd
#undef p_any
#define p_any wrong_any
#define p_bcastGet32 wrong_bcastGet32
#include "../../bench/sides/unisono.c"
#undef p_wait

/* One message in 100 has a wrong bit. */
static ssize_t wrong_nread(void *data, size_t room, int *node, int *type) {
    static _Thread_local long calls;
    ssize_t bytes = nread(data, room, node, type);
    if (bytes > 0 && ++calls % 100 == 0 && is_planted("bit"))
        ((unsigned char *)data)[bytes - 1] ^= 4;
    return bytes;
}

/* The last byte of a long message is not the sender's. */
static void wrong_nsend(const void *data, size_t bytes, int node, int *flag) {
    static _Thread_local unsigned char copy[4096];
    if (bytes > 1000 && bytes <= sizeof copy && is_planted("tail")) {
        memcpy(copy, data, bytes - 1);
        copy[bytes - 1] = (unsigned char)~((const unsigned char *)data)[bytes - 1];
        data = copy;
    }
    nsend(data, bytes, node, flag);
}

/* The last pixel that comes from a neighbour is not the neighbour's. */
static void wrong_part_outer(const struct part *part, int which) {
    const struct part_link *link = part->links ? &part->link[part->links - 1] : NULL;
    if (link && is_planted("edge"))
        link->in[which][link->bytes - 1] ^= 0x40;
    part_outer(part, which);
}

#define nread wrong_nread
#define part_outer wrong_part_outer
#define nsend wrong_nsend
#include "../../bench/sides/messages.c"
#include "../../bench/detector/exchange.c"
