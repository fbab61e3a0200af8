/* The port between a PE and the process of a simulated unit, with both of its ends as they ship: the PE's
 * (src/unit/rtl/rtl.c), and the process's, with its loop that sleeps until there is a command
 * (src/hardware/crate.c, drive.c, hardware.c), under Relacy's C11 memory model. One thread is the process;
 * the circuit behind it is a few lines here, of PAPERS1 with one group.
 *
 * Every sequence of LENGTH steps over what the PEs do together, a NAND of one word or of two, and a barrier;
 * and interrupts raised by each of them. The words of a port are plain memory of the checker. In every
 * execution each NAND must be that of what all have put, every PE must handle the same interrupts, each with
 * those as its cause who have raised one since the last, and before the operation ends that follows; no two
 * accesses of plain memory may race, and nobody may wait for ever.
 *
 *     verify-port poll|sleep|spin LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * The rest is as in rendezvous.cc. Set when it is compiled: UNO_MODEL_PES. */

#ifndef UNO_MODEL_PES
#define UNO_MODEL_PES 1
#endif
#define CHECKER_CELLS 64
#define UNO_SLOTS 2

#include <csignal>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "model.h"

#include "engine/group.c"
#include "engine/mask.c"
#include "engine/shifts.c"
#include "engine/wait.c"

/* A word of plain memory, which the checker watches. */
template <typename Word> struct watched {
    uint64_t number;
    operator Word() const {
        return (Word)checker->plain64[number]($);
    }
    watched &operator=(Word value) {
        checker->plain64[number]($) = value;
        return *this;
    }
};
typedef watched<uint32_t> watched32;
typedef watched<uint64_t> watched64;

/* The words of a port that are not atomic. */
#define uint32_t watched32
#define uint64_t watched64
#include "unit/rtl/port.h"
#undef uint32_t
#undef uint64_t

#include "unit/rtl/rtl.c"

#include "hardware/crate.c"
#define main hardware_main
#include "hardware/drive.c"
#include "hardware/hardware.c"
#undef main

#include "engine_model.h"

enum { LONGEST = 8, CAUSES = LONGEST, WORDS_PUT = 2, LINES = (1 << UNO_RTL_WIDTH) - 1 };

/* The steps: an operation of all PEs; or OPERATIONS plus the PE that raises an interrupt. */
enum { NAND, NAND_TWICE, BARRIER, OPERATIONS };

static unsigned sequence[LONGEST];
static int length;

static unsigned datum(int step, unsigned k, int i) {
    return (unsigned)(step + 2 * (int)k + i + 1) & LINES;
}

static unsigned nand_of(int step, int i) {
    unsigned all = LINES;
    for (unsigned k = 0; k < PES; k++)
        all &= datum(step, k, i);
    return ~all & LINES;
}

/* ---- the circuit -------------------------------------------------------------------------------------- */

struct uno_model {
    bool arrived[PES], ready[PES], acknowledged[PES];
    unsigned put[PES], read[PES], raised, cause;

    bool every(const bool *what) const {
        for (unsigned k = 0; k < PES; k++)
            if (!what[k])
                return false;
        return true;
    }

    void clock() {
        if (every(arrived)) {
            for (unsigned k = 0; k < PES; k++) {
                arrived[k] = false;
                ready[k] = true;
            }
        }
        if (raised && every(acknowledged)) {
            cause = raised;
            raised = 0;
            memset(acknowledged, 0, sizeof acknowledged);
        }
    }

    unsigned nand() const {
        unsigned all = LINES;
        for (unsigned k = 0; k < PES; k++)
            all &= put[k];
        return ~all & LINES;
    }

    unsigned status(int k) const {
        return (ready[k] ? UNO_READY : 0) | (raised && !acknowledged[k] ? UNO_PENDING : 0) |
               (acknowledged[k] ? UNO_ACKNOWLEDGED : 0) | nand() << UNO_RESULT;
    }
};

void uno_model_write(uno_model *m, int k, unsigned address, uint32_t word) {
    if (address == UNO_POST) {
        m->put[k] = word >> UNO_POST_DATUM;
        m->arrived[k] = true;
        m->ready[k] = false;
    } else if (address == UNO_INTERRUPT && word == UNO_RAISE) {
        m->raised |= 1u << k;
    } else if (address == UNO_INTERRUPT) {
        m->acknowledged[k] = true;
    }
}

void uno_model_read(uno_model *m, int k, unsigned address) {
    m->read[k] = address == UNO_INTERRUPT ? m->cause : m->status(k);
}

void uno_model_settle(uno_model *) {}

uint32_t uno_model_word(uno_model *m, int k) {
    return m->read[k];
}

void uno_model_clock(uno_model *m) {
    m->clock();
}

uno_model *uno_model_make(const char *, int) {
    return NULL;
}

/* ---- the PEs, and the process ------------------------------------------------------------------------- */

alignas(64) static char shared[sizeof(struct uno_ports) + PES * sizeof(uno_port)];
static struct uno_ports *const ports = (struct uno_ports *)shared;

static struct uno_rest rest; /* of a PE that sleeps in no receive */

struct uno_rest *uno_job_rest(uno_job *, int, int) {
    return &rest;
}

static void part(uno_pe *pe) {
    uint64_t rung = 0;
    uno_store32_release(&pe->board->state, UNO_LEFT);
    uno_bell_ring(&ports->bell, &rung); /* a process that ships looks for it every 15 ms */
}

struct model : rl::test_suite<model, PES + 1> {
    checker_cells cells;
    engine_model engine;
    uno_model circuit;
    bool raised[PES];       /* since the PE has handled the last */
    unsigned handled[PES];  /* interrupts */
    uint64_t cause[CAUSES]; /* the cause of each, from the PE that handled it first; 0: none yet */
    static model *present;

    void before() {
        checker = &cells;
        present = this;
        cells.begin();
        engine.begin();
        memset(&circuit, 0, sizeof circuit);
        memset(raised, 0, sizeof raised);
        memset(handled, 0, sizeof handled);
        memset(cause, 0, sizeof cause);
        uno_job *job = engine.pe[0].job;
        job->ports_at = (uint64_t)(shared - (char *)job);
        job->fault.number = cells.fresh32(UNO_FINE);
        strcpy(job->unit, "papers1");
        ports->clocks_each = 1;
        for (uno_atomic64 *a : {&ports->bell, &ports->clocks})
            a->number = cells.fresh64(0);
        rest.number.number = cells.fresh64(0);
        for (int k = 0; k < PES; k++) {
            uno_port *port = &ports->port[k];
            for (uno_atomic64 *a : {&port->command, &port->bell, &port->answer, &port->operations})
                a->number = cells.fresh64(0);
            port->interrupts.number = cells.fresh32(0);
            port->raises.number = cells.fresh32(0);
            for (int i = 0; i < CAUSES; i++)
                port->cause[i].number = cells.fresh32(0);
            port->mask.number = cells.fresh_plain();
            port->what.number = cells.fresh_plain();
            port->count.number = cells.fresh_plain();
            for (int i = 0; i < WORDS_PUT; i++)
                port->post[i].number = cells.fresh_plain();
            engine.pe[k].handle = handle;
            uno_group_all(&engine.pe[k]);
        }
    }

    static void handle(uno_pe *pe, const uint64_t *who) {
        unsigned me = (unsigned)pe->me, i = present->handled[me]++;
        RL_ASSERT(*who && i < CAUSES && (!present->cause[i] || present->cause[i] == *who));
        RL_ASSERT((*who >> me & 1) == present->raised[me]);
        present->cause[i] = *who;
        present->raised[me] = false;
    }

    struct words {
        int step;
        unsigned result[WORDS_PUT];
    };

    static uint32_t make(const uno_passage *p, const void *context, int i) {
        return UNO_POST_NAND | datum(((const words *)context)->step, (unsigned)p->pe->me, i)
                                   << UNO_POST_DATUM;
    }

    static void take(uno_passage *, void *context, int i, uint32_t result) {
        ((words *)context)->result[i] = result & LINES;
    }

    void operation(uno_pe *pe, int step) {
        uno_passage p = {.pe = pe, .rtl = pe->rtl, .signature = 1};
        words put = {.step = step};
        int count = sequence[step] == NAND ? 1 : WORDS_PUT;
        if (sequence[step] == BARRIER) {
            uno_rtl_barrier(&p);
        } else {
            uno_rtl_exchange(&p, count, make, take, &put);
            for (int i = 0; i < count; i++)
                RL_ASSERT(put.result[i] == nand_of(step, i));
        }
        RL_ASSERT(!raised[pe->me]);
    }

    void runs_unit() {
        uno_crate crate;
        uno_crate_open(&crate, engine.pe[0].job, &circuit);
        uno_driven driven = {engine.pe[0].job, &crate, look, step, empty, idle, set_away};
        uno_drive(&driven);
    }

    void thread(unsigned me) {
        if (me == PES) {
            runs_unit();
            return;
        }
        uno_pe *pe = &engine.pe[me];
        uno_rtl_begin(pe);
        for (int step = 0; step < length; step++)
            if (sequence[step] < OPERATIONS) {
                operation(pe, step);
            } else if (sequence[step] == OPERATIONS + me) {
                raised[me] = true;
                uno_rtl_interrupt(pe);
            }
        uno_rtl_end(pe);
        part(pe);
    }
};

model *model::present;

/* ---- what these files call --------------------------------------------------------------------------- */

/* All members have come to the operation, which the rendezvous's model checks. */
int uno_board_missing(uno_pe *, unsigned) {
    return -1;
}

void uno_board_left(uno_pe *, int, unsigned) {}

bool uno_process_look(pid_t, char *, pid_t *) {
    return false;
}

/* The main function of the process needs this, and does not run here. */
size_t uno_job_mapped(const uno_job *) {
    return 0;
}

void uno_kernel_start(void) {}

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    for (unsigned i = 0; i < OPERATIONS + PES; i++)
        choices.push_back(i);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length, std::to_string(PES) + " PEs");
}
