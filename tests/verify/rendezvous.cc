/* The rendezvous, its groups and the waiting that ship, under Relacy's C11 memory model.
 *
 * Every sequence of LENGTH operations over all groups of at least two of the PEs, one run of the checker
 * each; of two PEs, over all groups: one that is alone comes round by itself. In every execution every member
 * must read, for every operation, what each member put into it, in the post and in the buffer, which every
 * other post has; no two accesses of plain memory may race; no PE may wait for ever, and none may take a PE
 * that leaves after its last operation for one that did not come to it.
 *
 *     verify-rendezvous poll|sleep LENGTH bound|random LIMIT [FIRST LAST]
 *
 * poll: a PE that waits looks again and again. sleep: it sleeps as soon as the engine lets it, with no bound,
 * so that a wake-up that is lost is a deadlock. LIMIT: context switches (bound, exhaustive within them), or
 * executions of each sequence (random; the same ones in every run). Sequences are numbered from 0; FIRST and
 * LAST choose some of them.
 *
 * Set when it is compiled: UNO_MODEL_PES; UNO_SLOTS, 2 if not said otherwise, so that slots come round within
 * few operations; UNO_MODEL_WORDS, 2 for masks as in a wide job. */

#ifndef UNO_MODEL_PES
#define UNO_MODEL_PES 3
#endif
#ifndef UNO_MODEL_WORDS
#define UNO_MODEL_WORDS 1
#endif
#ifndef UNO_SLOTS
#define UNO_SLOTS 2
#endif
#define UNO_CHECKER "checker.h"
#define _Static_assert static_assert
#define _Noreturn
#define _Thread_local thread_local

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "papers.h" /* before Relacy redefines delete */

#include "checker.h"

checker_cells *checker;

#include "engine/group.c"
#include "engine/mask.c"
#include "engine/rendezvous.c"
#include "engine/wait.c"

#include "explore.h"
#include "kernel_model.h"

enum { PES = UNO_MODEL_PES, WORDS = UNO_MODEL_WORDS, LONGEST = 8, GROUPS = (1 << PES) };

/* ---- what the engine calls --------------------------------------------------------------------------------
 */

static uint64_t now;

/* Time passes by looking at it: at the second look a wait is long enough to sleep, and to ask whether the PE
 * that is waited for has left. */
uint64_t uno_kernel_now(void) {
    return now += UNO_YIELD_NS + UNO_YIELD_PE_NS * PES;
}

/* One for all: that a PE polls when it is the last on its processor changes nothing but time. */
uint32_t uno_kernel_processor(void) {
    return 0;
}

void uno_fail(uno_pe *, const char *, ...) {
    RL_ASSERT(!"the engine reports an error in a correct program");
    abort();
}

void uno_fault_check(uno_pe *, int, unsigned) {}

const char *uno_signature_text(unsigned, char *text) {
    return text;
}

static uno_atomic64 masks[PES][UNO_SLOTS][WORDS]; /* of a wide job */

uno_atomic64 *uno_job_group(uno_job *, int k, unsigned slot) {
    return masks[k][slot];
}

static uno_plain64 buffers[PES][UNO_SLOTS];

void *uno_job_buffer(uno_job *, int k, unsigned slot) {
    return &buffers[k][slot];
}

/* ---- the model --------------------------------------------------------------------------------------------
 */

static unsigned sequence[LONGEST]; /* the mask of each operation */
static int length;

/* Every other post has a buffer: with one a slot is waited for before the buffer is written, without one
 * later. */
static bool has_buffer(int step, int k) {
    return (step + k) % 2;
}

static uint64_t datum(int step, int k) {
    return (uint64_t)(step + 1) * 100 + (uint64_t)k;
}

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    alignas(64) unsigned char memory[sizeof(uno_job) + PES * sizeof(uno_board)];
    uno_pe pes[PES];
    uint64_t seen[PES][PES];
    const void *data[PES][PES];

    void before() {
        uno_job *job = (uno_job *)memory;
        uint64_t n64 = 0, n_plain = 0;
        uint32_t n32 = 0;
        checker = &cells;
        cells.begin();
        now = 0;
        static_assert(PES * (UNO_SLOTS * (2 + (WORDS > 1 ? WORDS : 0)) + 2) <= CHECKER_CELLS, "cells");
        memset(memory, 0, sizeof memory);
        memset(pes, 0, sizeof pes);
        memset(seen, 0, sizeof seen);
        job->n = PES;
        job->words = WORDS;
        job->processors = 1;
        for (int k = 0; k < PES; k++) {
            uno_board *board = &job->board[k];
            for (unsigned s = 0; s < UNO_SLOTS; s++) {
                board->slot[s].header.number = fresh64(n64);
                board->slot[s].group.number = fresh64(n64);
                for (int w = 0; w < WORDS && WORDS > 1; w++)
                    masks[k][s][w].number = fresh64(n64);
                board->slot[s].data[0].number = n_plain;
                cells.plain64[n_plain++]($) = 0;
                buffers[k][s].number = n_plain;
                cells.plain64[n_plain++]($) = 0;
            }
            board->done.number = fresh64(n64);
            board->since.number = fresh64(n64);
            board->parked.number = n32;
            cells.atomic32[n32++].store(0, rl::mo_relaxed, $);
            job->processor[k].number = n32;
            cells.atomic32[n32++].store(0, rl::mo_relaxed, $);
            board->state.number = n32;
            cells.atomic32[n32++].store(UNO_JOINED, rl::mo_relaxed, $);
            pes[k].job = job;
            pes[k].board = board;
            pes[k].me = k;
            pes[k].n = PES;
            pes[k].seen = seen[k];
            pes[k].data = data[k];
        }
    }

    uint64_t fresh64(uint64_t &count) {
        cells.atomic64[count].store(0, rl::mo_relaxed, $);
        return count++;
    }

    void thread(unsigned me) {
        uno_pe *pe = &pes[me];
        for (int step = 0; step < length; step++) {
            unsigned mask = sequence[step];
            if (!(mask >> me & 1))
                continue;
            const uint64_t words[WORDS] = {mask};
            uno_group_set(pe, words, "the model");
            uint64_t in = datum(step, (int)me);
            if (has_buffer(step, (int)me))
                uno_write64_plain((uno_plain64 *)uno_board_buffer(pe), in);
            const void *const *data = uno_board_meet(pe, 1, &in, 1);
            for (int k = 0; k < PES; k++) {
                if (!(mask >> k & 1))
                    continue;
                const void *p = *data++;
                uint64_t got = k == (int)me ? *(const uint64_t *)p : uno_read64_plain((const uno_plain64 *)p);
                RL_ASSERT(got == datum(step, k));
                if (!has_buffer(step, k))
                    continue;
                got = uno_read64_plain((const uno_plain64 *)uno_board_buffer_of(pe, k));
                RL_ASSERT(got == datum(step, k));
            }
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
