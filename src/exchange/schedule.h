/* The order in which a member copies the other members' blocks: in phases, in each of which every member has
 * at most one partner, and no two have the same. Where members share the paths to memory, as the PEs of the
 * T3D shared links, the order decides which members disturb each other. */

#ifndef UNO_EXCHANGE_SCHEDULE_H
#define UNO_EXCHANGE_SCHEDULE_H

#include <stdbool.h>

enum uno_order {
    UNO_SHIFT,        /* in phase i from the member i + 1 places further: a ring turns */
    UNO_EXCLUSIVE_OR, /* whose number differs in the bits of i + 1: pairs, if the members are a power of two
                       */
    UNO_REFLECTED, /* pairs whose numbers add up to i, modulo the number of members: pairs for any number */
    UNO_ORDERS
};

struct uno_phasing {
    enum uno_order order;
    bool phased; /* members wait for each other after each phase */
};

/* Return the number of phases for so many members. */
static inline int uno_schedule_phases(enum uno_order order, int size) {
    int power = 1;
    if (order != UNO_EXCLUSIVE_OR)
        return order == UNO_SHIFT ? size - 1 : size;
    while (power < size)
        power *= 2;
    return power - 1;
}

/* Return the partner of member `rank` in a phase; below 0: it has none. */
static inline int uno_schedule_partner(enum uno_order order, int size, int rank, int phase) {
    int partner = order == UNO_SHIFT          ? (rank + 1 + phase) % size
                  : order == UNO_EXCLUSIVE_OR ? rank ^ (phase + 1)
                                              : (phase - rank + size) % size;
    return partner < size && partner != rank ? partner : -1;
}

#endif
