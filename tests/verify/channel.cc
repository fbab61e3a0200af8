/* The ring that carries messages, and the bell by which a PE sleeps, as they ship, under Relacy's C11 memory
 * model.
 *
 * Two writers send messages to one reader, which reads from whoever is first and answers some. Every sequence
 * of LENGTH messages over both writers and all kinds: short, of two lines, answered, and requested, which the
 * writer writes to the place that the reader has named. In every execution every message must arrive once, in
 * its writer's order, with its data; no two accesses of plain memory may race; nobody may wait for ever.
 *
 *     verify-channel poll|sleep LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * poll: who waits looks again and again. sleep: it sleeps at once, with no bound, so that a wake-up that is
 * lost is a deadlock. The rest is as in rendezvous.cc. A ring has 2 lines, so that it is full and comes round
 * within few messages. */

#define CHECKER_CELLS 80

#include "model.h"

#include "engine/channel/ring/ring.h"

#include "bell_model.h"

enum { LINES = 2, WRITERS = 2, READER = WRITERS, PES, LONGEST = 6, SHORT = 8, LONG = UNO_RING_FIRST + 8 };

/* The kinds of steps; a step is its kind times WRITERS, plus the writer. */
enum kind { ONE_LINE, TWO_LINES, ANSWERED, REQUESTED, KINDS };

static unsigned sequence[LONGEST];
static int length;

static enum kind kind_of(int step) {
    return (enum kind)(sequence[step] / WRITERS);
}

static unsigned writer_of(int step) {
    return sequence[step] % WRITERS;
}

static size_t bytes_of(int step) {
    return kind_of(step) == TWO_LINES ? LONG : kind_of(step) == REQUESTED ? 0 : SHORT;
}

static uint64_t datum(int step, size_t word) {
    return (uint64_t)(step + 1) * 100 + word;
}

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    /* from each writer to the reader, and back */
    alignas(64) unsigned char memory[WRITERS][2][sizeof(uno_ring) + LINES * sizeof(uno_line)];
    sleeper sleepers[PES];
    uno_plain64 wanted[WRITERS]; /* where a message goes that is requested */
    uno_pe pes[PES];

    uno_ring *ring(unsigned writer, bool back) {
        return (uno_ring *)memory[writer][back];
    }

    void before() {
        checker = &cells;
        cells.begin();
        memset(memory, 0, sizeof memory);
        memset(pes, 0, sizeof pes);
        for (int k = 0; k < PES; k++) {
            sleepers[k].give(&pes[k]);
        }
        for (uno_plain64 &cell : wanted)
            cell.number = cells.fresh_plain();
        for (unsigned i = 0; i < 2 * WRITERS; i++) {
            uno_ring *r = ring(i / 2, i % 2);
            r->taken.number = cells.fresh64(0);
            r->request[0].number.number = i % 2 ? 0 : cells.fresh64(0);
            r->request[0].bytes.number = i % 2 ? 0 : cells.fresh_plain();
            r->request[0].place.number = i % 2 ? 0 : cells.fresh_plain();
            for (int l = 0; l < LINES; l++) {
                r->line[l].header.number = cells.fresh64(0);
                for (int w = 0; w < UNO_LINE_WORDS; w++)
                    r->line[l].word[w].number = cells.fresh_plain();
            }
        }
    }

    void put(unsigned me, uno_outlet *out, unsigned to, uint64_t *rung, int step, size_t bytes) {
        uint64_t data[LONG / 8];
        for (size_t i = 0; i < bytes / 8; i++)
            data[i] = datum(step, i + 1);
        wait_until(&pes[me], [&] { return uno_ring_room(out, uno_ring_lines(bytes)); });
        uno_ring_put(out, 1, datum(step, 0), data, bytes);
        uno_bell_ring(&sleepers[to].bell, rung);
    }

    void get(uno_inlet *in, unsigned from, uint64_t *rung, int step, size_t bytes) {
        uint64_t data[LONG / 8], header = uno_ring_look(in);
        RL_ASSERT(uno_line_bytes(header) == bytes);
        RL_ASSERT(uno_ring_word(in) == datum(step, 0));
        uno_ring_get(in, data, bytes);
        for (size_t i = 0; i < bytes / 8; i++)
            RL_ASSERT(data[i] == datum(step, i + 1));
        uno_ring_take(in, uno_ring_lines(bytes));
        uno_bell_ring(&sleepers[from].bell, rung);
    }

    /* All requests are in one place, so that each is written over the one before it. */
    static uint64_t number_of(int step) {
        uint64_t count = 1;
        for (int s = 0; s < step; s++)
            count += writer_of(s) == writer_of(step) && kind_of(s) == REQUESTED;
        return count * UNO_REQUESTS;
    }

    void write_there(unsigned me, uno_outlet *out, int step) {
        uint64_t bytes, place;
        wait_until(&pes[me], [&] { return uno_ring_requested(out, number_of(step), &bytes, &place); });
        RL_ASSERT(bytes == datum(step, 1) && place == datum(step, 2));
        uno_write64_plain(&wanted[me], datum(step, 3));
    }

    void write(unsigned me) {
        uno_outlet out = {ring(me, false), LINES - 1, 0, LINES};
        uno_inlet in = {ring(me, true), LINES - 1, 0};
        uint64_t rung = 0;
        for (int step = 0; step < length; step++) {
            if (writer_of(step) != me)
                continue;
            if (kind_of(step) == REQUESTED)
                write_there(me, &out, step);
            put(me, &out, READER, &rung, step, bytes_of(step));
            if (kind_of(step) == ANSWERED) {
                wait_until(&pes[me], [&] { return uno_ring_look(&in) != 0; });
                get(&in, READER, &rung, step, SHORT);
            }
        }
    }

    /* Return the step of that writer's next message, after the reader has requested it, if it has to. */
    int expect(unsigned writer, uno_inlet *in, uint64_t *rung, int step) {
        while (step < length && writer_of(step) != writer)
            step++;
        if (step < length && kind_of(step) == REQUESTED) {
            uno_ring_request(in, number_of(step), datum(step, 1), datum(step, 2));
            uno_bell_ring(&sleepers[writer].bell, rung);
        }
        return step;
    }

    void read() {
        uno_outlet out[WRITERS];
        uno_inlet in[WRITERS];
        uint64_t rung[WRITERS] = {0};
        int step[WRITERS] = {0}; /* the next of each writer */
        for (unsigned w = 0; w < WRITERS; w++) {
            out[w] = {ring(w, true), LINES - 1, 0, LINES};
            in[w] = {ring(w, false), LINES - 1, 0};
            step[w] = expect(w, &in[w], &rung[w], 0);
        }
        for (int count = 0; count < length; count++) {
            unsigned from = 0;
            wait_until(&pes[READER], [&] {
                for (from = 0; from < WRITERS; from++)
                    if (uno_ring_look(&in[from]))
                        return true;
                return false;
            });
            int s = step[from];
            get(&in[from], from, &rung[from], s, bytes_of(s));
            if (kind_of(s) == ANSWERED)
                put(READER, &out[from], from, &rung[from], s, SHORT);
            if (kind_of(s) == REQUESTED)
                RL_ASSERT(uno_read64_plain(&wanted[from]) == datum(s, 3));
            step[from] = expect(from, &in[from], &rung[from], s + 1);
        }
    }

    void thread(unsigned me) {
        if (me == READER)
            read();
        else
            write(me);
    }
};

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    for (unsigned i = 0; i < KINDS * WRITERS; i++)
        choices.push_back(i);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length,
                               "rings of " + std::to_string(LINES) + " lines");
}
