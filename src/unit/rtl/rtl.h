/* A PE in a simulated unit: how its operations become posts at its port. */

#ifndef UNO_RTL_H
#define UNO_RTL_H

#include "engine/pe.h"
#include "engine/signature.h"
#include "port.h"

/* The data lines of a port. */
enum { UNO_RTL_WIDTH = 4 };

struct uno_rtl {
    struct uno_ports *ports;
    struct uno_port *port;
    uint64_t commands;                              /* so far */
    uint32_t handled;                               /* interrupts whose handler has been called */
    uint64_t rung;                                  /* engine/bell.h */
    int member[UNO_PORT_MAX_PES];                   /* of the group of the present operation, in PE order */
    uint64_t word[UNO_PORT_MAX_PES][UNO_BYTES / 8]; /* what this PE has learned of the data of each of them */
};

/* One operation on its way through the unit. */
struct uno_passage {
    struct uno_pe *pe;
    struct uno_rtl *rtl;
    unsigned signature;
    const uint64_t *in;
};

/* How a unit lets the members learn from each other. Each sets rtl->word from the low `bits` bits of what the
 * members put. */
struct uno_ways {
    void (*all)(struct uno_passage *p, int bits);
    /* Optional: where there is a shorter way. */
    void (*votes)(struct uno_passage *p, int bits);
    void (*one)(struct uno_passage *p, int bits);                             /* of pe->wanted */
    void (*fold)(struct uno_passage *p, const struct uno_function *function); /* into the word of the first */
};

/* As a unit's functions of these names. */
void uno_rtl_begin(struct uno_pe *pe);
void uno_rtl_interrupt(struct uno_pe *pe);
const void *const *uno_rtl_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words,
                                const struct uno_ways *ways);

/* Free what uno_rtl_begin has made. */
void uno_rtl_end(struct uno_pe *pe);

/* The meet of the static units, with the NAND alone. */
const void *const *uno_static_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);

/* A barrier, and nothing else. */
void uno_rtl_barrier(struct uno_passage *p);

/* Make so many posts: `make` says what the i-th is, and `take` gets its result. */
typedef uint32_t uno_make(const struct uno_passage *p, const void *context, int i);
typedef void uno_take(struct uno_passage *p, void *context, int i, uint32_t result);
void uno_rtl_exchange(struct uno_passage *p, int posts, uno_make *make, uno_take *take, void *context);

/* The lowest bits of a word, 1 to 64. */
static inline uint64_t uno_rtl_low(int bits) {
    return ~(uint64_t)0 >> (64 - bits);
}

/* Posts that carry so many bits, as many at a time as there are lines. */
static inline int uno_rtl_posts(int bits) {
    return (bits + UNO_RTL_WIDTH - 1) / UNO_RTL_WIDTH;
}

/* The i-th such part of words. */
static inline uint32_t uno_rtl_part_of(const uint64_t *words, int i) {
    int at = i * UNO_RTL_WIDTH;
    return (uint32_t)(words[at / 64] >> at % 64) & ((1 << UNO_RTL_WIDTH) - 1);
}
static inline void uno_rtl_add_part(uint64_t *words, int i, uint32_t part) {
    int at = i * UNO_RTL_WIDTH;
    words[at / 64] |= (uint64_t)(part & ((1 << UNO_RTL_WIDTH) - 1)) << at % 64;
}

#endif
