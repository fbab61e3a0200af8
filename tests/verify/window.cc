/* The locks of MPI's windows (mpi/library/window/lock.h and lock.c), as they ship, under Relacy's C11 memory
 * model.
 *
 * Each PE takes LENGTH steps, of which a number says one for each: it writes what a lock is for, having the
 * lock alone; reads it, sharing the lock; changes something beside the lock; or closes it to those who do,
 * and changes what they change. What is written so is plain memory, of which no two accesses may race: so
 * nobody has the lock at a wrong time, and what was done with it is seen by the next one. The message that
 * tells a PE that its turn has come is a word; nobody may wait for ever, and nobody may be told who does not
 * wait.
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

enum step { WRITES, READS, BESIDE, CLOSES, STEPS };

static unsigned sequence[LONGEST];
static int length;

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    uno_win_lock lock;
    uno_atomic64 waiting[PLACES], closed, beside[PES], told[PES];
    uno_plain64 word, part[PES]; /* under the lock; and of each PE, beside it */
    uno_win_queue queue;

    void before() {
        checker = &cells;
        cells.begin();
        lock.tickets.number = cells.fresh32(0);
        lock.read.number = cells.fresh32(0);
        lock.write.number = cells.fresh32(0);
        for (uno_atomic64 &w : waiting)
            w.number = cells.fresh64(0);
        closed.number = cells.fresh64(0);
        word.number = cells.fresh_plain();
        for (int k = 0; k < PES; k++) {
            beside[k].number = cells.fresh64(0);
            told[k].number = cells.fresh64(0);
            part[k].number = cells.fresh_plain();
        }
        queue = {&lock, waiting, PLACES, !shared()};
    }

    /* Return true if any PE ever shares the lock. */
    bool shared() {
        for (int s = 0; s < length; s++)
            for (unsigned k = 0, step = sequence[s]; k < PES; k++, step /= STEPS)
                if (step % STEPS == READS)
                    return true;
        return false;
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

    void close(unsigned me) {
        take(me, true);
        uno_lock_close(&closed);
        for (unsigned k = 0; k < PES; k++)
            while (uno_lock_has_beside(&beside[k], 1))
                rl::yield(1, $);
        for (uno_plain64 &p : part)
            change(&p);
        uno_lock_open(&closed);
        give(true);
    }

    void change_beside(unsigned me) {
        if (uno_change_begin(&beside[me], 1, &closed)) {
            change(&part[me]);
            uno_change_end(&beside[me]);
        } else {
            take(me, true);
            change(&part[me]);
            give(true);
        }
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
            case BESIDE:
                change_beside(me);
                break;
            default:
                close(me);
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
