/* The rings by which ranks under MPI give each other small blocks (mpi/collective/transport/ring.h and
 * ring.c), with the rendezvous and the waiting below them, as they ship, under Relacy's C11 memory model.
 *
 * Every sequence of LENGTH operations over all meetings of all PEs, and blocks of one line and of two from
 * one PE to another: with two PEs both ways, with three to the last one. Every PE goes through those that it
 * has a part in, as the ranks of a program do, and leaves. In every execution every block must arrive once,
 * in order, with its data; no two accesses of plain memory may race; nobody may wait for ever; and no PE may
 * take the other for one that has left, or is in another operation.
 *
 *     verify-rings poll|sleep|spin LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * The rest is as in rendezvous.cc. A ring has 8 lines, of which a quarter is what a block takes at most, as
 * it is in those that ship. The rings to the last PE have come round once, and three blocks of two lines are
 * in them that it has not read yet: so they are full within two operations.
 *
 * Set when it is compiled: UNO_MODEL_PES. */

#ifndef UNO_MODEL_PES
#define UNO_MODEL_PES 2
#endif
#define CHECKER_CELLS 144
#define UNO_SLOTS 2

#include "model.h"

#include "engine/group.c"
#include "engine/mask.c"
#include "engine/rendezvous.c"
#include "engine/shifts.c"
#include "engine/wait.c"

#include "collective/transport/ring.c"

#include "engine_model.h"

enum {
    LAST = PES - 1,
    RINGS = 2,
    LONGEST = 8,
    LINES = 8,
    BEFORE = 3, /* blocks in each ring to the last PE */
    SHORT = 8,
    LONG = UNO_RING_FIRST + 8,
};

/* The steps: a meeting of all PEs; or 1 plus the ring, times 2, plus 1 if the block has two lines. */
enum { MEETING };

static unsigned sequence[LONGEST];
static int length;

static int ring_of(unsigned choice) {
    return (int)(choice - 1) / 2;
}

static size_t bytes_of(unsigned choice) {
    return (choice - 1) % 2 ? LONG : SHORT;
}

static int writer_of(int ring) {
    return ring;
}

static int reader_of(int ring) {
    return PES == 2 ? !ring : LAST;
}

static uint64_t datum(int step, size_t word) {
    return (uint64_t)(step + 1) * 100 + word;
}

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    engine_model engine;
    alignas(64) unsigned char memory[RINGS][sizeof(uno_ring) + LINES * sizeof(uno_line)];
    uno_ring_ends ends[PES][PES];
    uno_lane lane[PES];
    uno_comm comm[PES];
    int number[PES];

    void before() {
        checker = &cells;
        cells.begin();
        engine.begin();
        memset(memory, 0, sizeof memory);
        memset(ends, 0, sizeof ends);
        for (int k = 0; k < PES; k++) {
            number[k] = k;
            lane[k] = {.pe = &engine.pe[k], .ring = ends[k]};
            comm[k] = {.lane = &lane[k], .size = PES, .rank = k, .pe = number};
            uno_group_all(&engine.pe[k]);
            comm[k].group = engine.pe[k].group;
        }
        for (int i = 0; i < RINGS; i++)
            make(i, (uno_ring *)memory[i]);
    }

    /* Make a ring in its second round. */
    void make(int i, uno_ring *ring) {
        uno_outlet *out = &ends[writer_of(i)][reader_of(i)].out;
        *out = {.ring = ring, .mask = LINES - 1, .next = LINES, .limit = 2 * LINES};
        ends[reader_of(i)][writer_of(i)].in = {.ring = ring, .mask = LINES - 1, .next = LINES};
        ring->taken.number = cells.fresh64(LINES);
        for (unsigned l = 0; l < LINES; l++) {
            ring->line[l].header.number = cells.fresh64(UNO_LINE_HEADER(l, 0, SHORT));
            for (uno_plain64 &word : ring->line[l].word)
                word.number = cells.fresh_plain();
        }
        for (int b = 0; b < BEFORE && reader_of(i) == LAST; b++) {
            uint64_t data[LONG / 8];
            fill(data, b, LONG);
            uno_ring_put(out, 0, uno_rings_word(&comm[writer_of(i)], UNO_MPI_BCAST, LONG), data, LONG);
        }
    }

    void fill(uint64_t *data, int step, size_t bytes) {
        for (size_t i = 0; i < bytes / 8; i++)
            data[i] = datum(step, i);
    }

    void put(unsigned me, int to, int step, size_t bytes) {
        uint64_t data[LONG / 8];
        fill(data, step, bytes);
        uno_rings_put(&comm[me], to, UNO_MPI_BCAST, bytes, data, bytes);
    }

    void get(unsigned me, int from, int step, size_t bytes) {
        uint64_t data[LONG / 8];
        uno_rings_get(&comm[me], from, UNO_MPI_BCAST, bytes, data, bytes);
        for (size_t i = 0; i < bytes / 8; i++)
            RL_ASSERT(data[i] == datum(step, i));
    }

    void meet(unsigned me, int step) {
        uint64_t in = datum(step, me);
        if (lane[me].present != &comm[me])
            uno_comm_enter(&comm[me]);
        const void *const *data =
            uno_board_meet(&engine.pe[me], UNO_SIGNATURE_BYTES(UNO_MPI_BARRIER, 0), &in, 1);
        for (unsigned k = 0; k < PES; k++) {
            uint64_t got = k == me ? in : uno_read64_plain((const uno_plain64 *)data[k]);
            RL_ASSERT(got == datum(step, k));
        }
        uno_board_leave(&engine.pe[me]);
    }

    void thread(unsigned me) {
        for (int i = 0; i < RINGS && me == LAST; i++)
            for (int b = 0; b < BEFORE && reader_of(i) == LAST; b++)
                get(me, writer_of(i), b, LONG);
        for (int s = 0; s < length; s++) {
            unsigned choice = sequence[s];
            int step = BEFORE + s;
            if (choice == MEETING)
                meet(me, step);
            else if (writer_of(ring_of(choice)) == (int)me)
                put(me, reader_of(ring_of(choice)), step, bytes_of(choice));
            else if (reader_of(ring_of(choice)) == (int)me)
                get(me, writer_of(ring_of(choice)), step, bytes_of(choice));
        }
        uno_board_part(&engine.pe[me]);
    }
};

void uno_comm_enter(const uno_comm *c) {
    uno_group_adopt(c->lane->pe, &c->group);
    c->lane->present = c;
}

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    for (unsigned i = 0; i < 1 + 2 * RINGS; i++)
        choices.push_back(i);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length,
                               std::to_string(PES) + " PEs, rings of " + std::to_string(LINES) + " lines");
}
