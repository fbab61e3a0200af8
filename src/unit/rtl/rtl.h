/* A PE in a simulated unit: its operations become posts at its port. */

#ifndef UNO_RTL_H
#define UNO_RTL_H

#include "engine/pe.h"
#include "engine/signature.h"
#include "port.h"

/* The data lines of a port. */
enum { UNO_RTL_WIDTH = 4 };

struct uno_passage;

struct uno_rtl {
    struct uno_ports *ports;
    struct uno_port *port;
    /* Have the last command, which is in the port, carried out. */
    void (*carry_out)(struct uno_passage *p);
    /* Show this operation to its other members, before they meet at the unit. NULL: by the boards. */
    void (*show)(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
    /* Afterwards check that all were in the same operation. put: gets the second word of each, in PE order;
     * or NULL. */
    void (*read)(struct uno_pe *pe, unsigned signature, const uint64_t *in, uint64_t *put);
    uint64_t commands;                 /* commands so far */
    uint32_t handled;                  /* interrupts whose handler has been called */
    uint64_t rung;                     /* engine/bell.h */
    uint64_t shared[UNO_PORT_MAX_PES]; /* beside a mesh: operations begun with each PE (unit/mesh/shown.h) */
    /* members of the present operation's group, in PE order */
    int member[UNO_PORT_MAX_PES];
    uint64_t word[UNO_PORT_MAX_PES][UNO_BYTES / 8]; /* the data that this PE has learned of each of them */
};

/* One operation on its way through the unit. */
struct uno_passage {
    struct uno_pe *pe;
    struct uno_rtl *rtl;
    unsigned signature;
    const uint64_t *in;
};

/* The ways of a unit in which members learn from each other. Each sets rtl->word from the low `bits` bits of
 * the members' values. */
struct uno_ways {
    void (*all)(struct uno_passage *p, int bits);
    /* These are optional, where there is a shorter way. */
    void (*votes)(struct uno_passage *p, int bits);
    void (*one)(struct uno_passage *p, int bits);                             /* of pe->wanted */
    void (*fold)(struct uno_passage *p, const struct uno_function *function); /* into the word of the first */
};

/* Make pe->rtl for a port. Ends with an error if there is no memory. */
void uno_rtl_open(struct uno_pe *pe, struct uno_port *port, void (*carry_out)(struct uno_passage *p));

/* The functions of these names in struct uno_unit. */
void uno_rtl_begin(struct uno_pe *pe);
void uno_rtl_interrupt(struct uno_pe *pe);
const void *const *uno_rtl_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words,
                                const struct uno_ways *ways);

/* Free the memory of uno_rtl_open. */
void uno_rtl_end(struct uno_pe *pe);

/* The `meet` function of the static units, which have the NAND alone. */
const void *const *uno_static_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);

/* Sleep until the bell of an answer is rung, or that for messages, unless the answer is not the one before
 * any more. The caller disarms the bell when its wait ends. */
struct uno_wait;
void uno_rtl_sleep(struct uno_wait *wait, uno_atomic64 *bell, const uno_atomic64 *answer, uint64_t before);

/* Do a barrier, and nothing else. */
void uno_rtl_barrier(struct uno_passage *p);

/* Make so many posts: `make` returns the i-th, and `take` gets its result. */
typedef uint32_t uno_make(const struct uno_passage *p, const void *context, int i);
typedef void uno_take(struct uno_passage *p, void *context, int i, uint32_t result);
void uno_rtl_exchange(struct uno_passage *p, int posts, uno_make *make, uno_take *take, void *context);

/* Return a mask of the lowest bits of a word, 1 to 64. */
static inline uint64_t uno_rtl_low(int bits) {
    return ~(uint64_t)0 >> (64 - bits);
}

/* Return the number of posts that carry so many bits, as many at a time as there are lines. */
static inline int uno_rtl_posts(int bits) {
    return (bits + UNO_RTL_WIDTH - 1) / UNO_RTL_WIDTH;
}

/* Return, or add, the i-th such part of words. */
static inline uint32_t uno_rtl_part_of(const uint64_t *words, int i) {
    int at = i * UNO_RTL_WIDTH;
    return (uint32_t)(words[at / 64] >> at % 64) & ((1 << UNO_RTL_WIDTH) - 1);
}
static inline void uno_rtl_add_part(uint64_t *words, int i, uint32_t part) {
    int at = i * UNO_RTL_WIDTH;
    words[at / 64] |= (uint64_t)(part & ((1 << UNO_RTL_WIDTH) - 1)) << at % 64;
}

#endif
