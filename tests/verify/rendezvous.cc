/* The rendezvous, its groups and the waiting that ship, under Relacy's C11 memory model.
 *
 * Every sequence of LENGTH operations over all groups of at least two of the PEs, one run of the checker
 * each; of two PEs, over all groups: one that is alone comes round by itself. In every execution every member
 * must read, for every operation, what each member put into it, in both words of the post and in the buffer,
 * which every other post has; no two accesses of plain memory may race; no PE may wait for ever, and none may
 * take a PE that leaves after its last operation for one that did not come to it.
 *
 *     verify-rendezvous poll|sleep|spin LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * poll: a PE that waits looks again and again. sleep: it sleeps as soon as the engine lets it, with no bound,
 * so that a wake-up that is lost is a deadlock. spin: as poll, but each PE has a processor of its own, which
 * it keeps at first. LIMIT: context switches (bound and deep, exhaustive within them; with deep a load goes
 * back further), or executions of each sequence (random; the same ones in every run). Sequences are numbered
 * from 0; FIRST and LAST choose some of them.
 *
 * Set when it is compiled: UNO_MODEL_PES; UNO_SLOTS, 2 if not said otherwise, so that slots come round within
 * few operations; UNO_MODEL_WORDS, 2 for masks as in a wide job; UNO_MODEL_TOLD, 1 to let the lowest member
 * of each operation tell the others something by a second post, as the leader of a node does. */

#ifndef UNO_MODEL_PES
#define UNO_MODEL_PES 3
#endif
#ifndef UNO_SLOTS
#define UNO_SLOTS 2
#endif
#ifndef UNO_MODEL_TOLD
#define UNO_MODEL_TOLD 0
#endif
#define CHECKER_CELLS 48

#include "model.h"

#include "engine/group.c"
#include "engine/mask.c"
#include "engine/rendezvous.c"
#include "engine/shifts.c"
#include "engine/wait.c"

#include "engine_model.h"

enum { LONGEST = 8, GROUPS = (1 << PES) };

static unsigned sequence[LONGEST]; /* the mask of each operation */
static int length;

/* Every other post has a buffer: with one a slot is waited for before the buffer is written, without one
 * later. */
static bool has_buffer(int step, int k) {
    return (step + k) % 2;
}

static uint64_t datum(int step, int k, int word) {
    return (uint64_t)(step + 1) * 100 + (uint64_t)(k * 10 + word);
}

/* The lowest member tells the others two words, one of them in its buffer, and does not wait for them. */
static void tell(uno_pe *pe, int step, unsigned mask) {
    int leader = __builtin_ctz(mask);
    uint64_t word = datum(step, leader, 5);
    if (pe->me == leader) {
        uno_write64_plain((uno_plain64 *)uno_board_buffer(pe), word);
        uno_board_tell(pe, 1, &word, 1);
        return;
    }
    uint64_t told = uno_read64_plain((const uno_plain64 *)uno_board_told(pe, leader, 1));
    RL_ASSERT(told == word);
    RL_ASSERT(uno_read64_plain((const uno_plain64 *)uno_board_buffer_of(pe, leader)) == word);
}

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    engine_model engine;

    void before() {
        checker = &cells;
        cells.begin();
        engine.begin();
    }

    void thread(unsigned me) {
        uno_pe *pe = &engine.pe[me];
        for (int step = 0; step < length; step++) {
            unsigned mask = sequence[step];
            if (!(mask >> me & 1))
                continue;
            const uint64_t words[WORDS] = {mask};
            uno_group_set(pe, words, "the model");
            uint64_t in[DATA] = {datum(step, (int)me, 0), datum(step, (int)me, 1)};
            if (has_buffer(step, (int)me))
                uno_write64_plain((uno_plain64 *)uno_board_buffer(pe), in[0]);
            const void *const *data = uno_board_meet(pe, 1, in, DATA);
            for (int k = 0; k < PES; k++) {
                if (!(mask >> k & 1))
                    continue;
                const void *p = *data++;
                for (int i = 0; i < DATA; i++) {
                    uint64_t got = k == (int)me ? ((const uint64_t *)p)[i]
                                                : uno_read64_plain(&((const uno_plain64 *)p)[i]);
                    RL_ASSERT(got == datum(step, k, i));
                }
                if (!has_buffer(step, k))
                    continue;
                uint64_t got = uno_read64_plain((const uno_plain64 *)uno_board_buffer_of(pe, k));
                RL_ASSERT(got == datum(step, k, 0));
            }
            if (UNO_MODEL_TOLD)
                tell(pe, step, mask);
            uno_board_leave(pe);
        }
        uno_board_part(pe);
    }
};

int main(int argc, char **argv) {
    std::vector<unsigned> groups;
    for (unsigned mask = 1; mask < GROUPS; mask++)
        if (PES == 2 || __builtin_popcount(mask) > 1)
            groups.push_back(mask);
    return explore_main<model>(argc, argv, groups, sequence, LONGEST, &length,
                               std::to_string(PES) + " PEs, " + std::to_string(UNO_SLOTS) + " slots");
}
