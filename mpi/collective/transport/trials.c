#include "collective/transport/trials.h"

#include "engine/kernel.h"
#include "collective/transport/slots.h"
#include "collective/transport/direct.h"

static struct uno_way *way_of(const struct uno_comm *c, enum uno_op op) {
    return &c->past->way[op - UNO_MPI_FIRST];
}

void uno_ways_begin(const struct uno_comm *c, enum uno_op op) {
    struct uno_way *w = way_of(c, op);
    if (UNO_LIKELY(!w->left))
        return;
    uno_exchange_small(c, op, 0, NULL, 0);
    uno_exchange_end(c);
    w->start = uno_kernel_now();
}

/* An even number of operations is left: the next goes in pieces. */
static void try_next(struct uno_way *w) {
    w->pieces = w->left % 2 ? 0 : UINT32_MAX;
}

static void begin_trial(struct uno_way *w, unsigned power) {
    w->power = (unsigned char)power;
    w->left = 2 * UNO_WAYS_TRIES;
    w->least[0] = w->least[1] = UINT32_MAX;
    try_next(w);
}

/* Of the slowest rank, in ns: in pieces, in one copy. UINT32_MAX: there was no such operation. */
static void slowest(const struct uno_comm *c, enum uno_op op, const uint32_t own[2], uint32_t least[2]) {
    const void *const *data = uno_exchange_small(c, op, 0, own, 2 * sizeof *own);
    least[0] = least[1] = 0;
    for (int r = 0; r < c->size; r++) {
        uint32_t of[2];
        memcpy(of, data[r], sizeof of);
        for (int i = 0; i < 2; i++)
            least[i] = of[i] > least[i] ? of[i] : least[i];
    }
    uno_exchange_end(c);
}

static void end_trial(const struct uno_comm *c, enum uno_op op, struct uno_way *w) {
    uint32_t least[2], bit = UINT32_C(1) << w->power, before = w->kept;
    slowest(c, op, w->least, least);
    if (least[0] < UINT32_MAX && least[1] < UINT32_MAX)
        w->kept = least[0] < least[1] ? w->kept | bit : w->kept & ~bit;
    bool same = w->tried & bit && w->kept == before;
    w->wait = !same ? UNO_WAYS_FIRST : w->wait < UNO_WAYS_MOST ? w->wait * 2 : UNO_WAYS_MOST;
    w->since = (short)-(w->trials++ % 5); /* calls that take turns are not always the same one in a trial */
    w->tried |= bit;
    w->pieces = w->kept;
}

void uno_ways_end(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    struct uno_way *w = way_of(c, op);
    unsigned power = uno_single_power(bytes);
    if (w->left) {
        uint64_t ns = uno_kernel_now() - w->start;
        uint32_t *least = &w->least[w->left-- % 2];
        if (power == w->power && ns < *least)
            *least = (uint32_t)ns;
        if (w->left)
            try_next(w);
        else
            end_trial(c, op, w);
    } else if (uno_single_may(c, bytes) && !uno_node.crowded) {
        if (!(w->tried >> power & 1) || ++w->since >= w->wait)
            begin_trial(w, power);
    }
}
