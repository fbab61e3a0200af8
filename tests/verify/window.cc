/* The locks of MPI's windows (mpi/library/window/lock.h and lock.c), as they ship, under Relacy's C11 memory
 * model.
 *
 * Each PE takes LENGTH steps, of which a number says one for each: it writes what a lock is for, having the
 * lock alone; reads it, sharing the lock; or changes something else, holding the short lock. What is written
 * so is plain memory, of which no two accesses may race: so nobody has the lock at a wrong time, and what was
 * done with it is seen by the next one. The message that tells a PE that its turn has come is a word; nobody
 * may wait for ever, and nobody may be told who does not wait.
 *
 *     verify-window poll LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * The rest is as in rendezvous.cc. There are fewer places for those who wait than tickets, from two steps on.
 * Set when it is compiled: UNO_MODEL_PES. */

#ifndef UNO_MODEL_PES
#define UNO_MODEL_PES 3
#endif
#define CHECKER_CELLS 32

#include "model.h"

#include "library/window/lock.c"

#include "explore.h"

enum { PES = UNO_MODEL_PES, PLACES = 4, LONGEST = 6 };

enum step { WRITES, READS, HOLDS, STEPS };

static unsigned sequence[LONGEST];
static int length;

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    uno_win_lock lock;
    uno_win_hold hold;
    uno_atomic64 waiting[PLACES], told[PES];
    uno_plain64 word, element; /* under the lock, and the short one */
    uno_win_queue queue;

    void before() {
        checker = &cells;
        cells.begin();
        lock.tickets.number = cells.fresh32(0);
        lock.read.number = cells.fresh32(0);
        lock.write.number = cells.fresh32(0);
        for (uno_atomic64 &w : waiting)
            w.number = cells.fresh64(0);
        hold.rank.number = cells.fresh64(0);
        hold.wanted.number = cells.fresh32(0);
        word.number = cells.fresh_plain();
        element.number = cells.fresh_plain();
        for (uno_atomic64 &t : told)
            t.number = cells.fresh64(0);
        queue = {&lock, waiting, PLACES};
    }

    void tell(int k) {
        if (k == UNO_NOBODY)
            return;
        RL_ASSERT(k >= 0 && k < PES && !uno_load64_relaxed(&told[k]));
        uno_store64_release(&told[k], 1);
    }

    void take(unsigned me, bool exclusive) {
        uint32_t ticket = uno_lock_ask(&queue);
        if (!uno_lock_is_free(&queue, ticket, exclusive) &&
            uno_lock_wait(&queue, ticket, exclusive, (int)me)) {
            while (!uno_load64_acquire(&told[me]))
                rl::yield(1, $);
            uno_store64_relaxed(&told[me], 0);
        }
        if (!exclusive)
            tell(uno_lock_share(&queue));
    }

    void give(bool exclusive) {
        int ranks[2];
        uno_lock_give(&queue, exclusive, ranks);
        tell(ranks[0]);
        tell(ranks[1]);
    }

    void change(uno_plain64 *p) {
        uno_write64_plain(p, uno_read64_plain(p) + 1);
    }

    void change_held(unsigned me) {
        while (!uno_hold_try(&hold, (int)me))
            rl::yield(1, $);
        change(&element);
        uno_hold_end(&hold);
    }

    void thread(unsigned me) {
        for (int s = 0; s < length; s++) {
            unsigned step = sequence[s];
            for (unsigned k = 0; k < me; k++)
                step /= STEPS;
            switch (step % STEPS) {
            case WRITES:
                take(me, true);
                change(&word);
                give(true);
                break;
            case READS:
                take(me, false);
                uno_read64_plain(&word);
                give(false);
                break;
            default:
                change_held(me);
            }
        }
    }
};

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    unsigned count = 1;
    for (int k = 0; k < PES; k++)
        count *= STEPS;
    for (unsigned i = 0; i < count; i++)
        choices.push_back(i);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length, std::to_string(PES) + " PEs");
}
