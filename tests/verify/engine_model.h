/* The engine of a model: a job of UNO_MODEL_PES PEs with their boards, and the functions that the engine
 * calls. Included after rendezvous.c and the files below it. */

#ifndef ENGINE_MODEL_H
#define ENGINE_MODEL_H

#include "explore.h"
#include "kernel_model.h"

#ifndef UNO_MODEL_WORDS
#define UNO_MODEL_WORDS 1
#endif

enum { PES = UNO_MODEL_PES, WORDS = UNO_MODEL_WORDS };

static uint64_t now;

/* Each look at the clock takes time: at the second look a wait is long enough to sleep, and to ask whether
 * the awaited PE has left. */
uint64_t uno_kernel_now(void) {
    return now += UNO_YIELD_NS + UNO_YIELD_PE_NS * PES;
}

uint32_t uno_kernel_processor(void) {
    return spins ? rl::thread_index() : 0;
}

void uno_fail(uno_pe *, const char *, ...) {
    RL_ASSERT(!"the engine reports an error in a correct program");
    abort();
}

void uno_fail_apart(uno_pe *pe, const char *format, ...) {
    uno_fail(pe, format);
}

void uno_fault_check(uno_pe *, int, unsigned) {}

#ifndef MODEL_RAISES /* no PE raises an interrupt */
void uno_interrupt_acknowledge(uno_pe *) {}
int uno_interrupt_missing(uno_pe *) {
    return -1;
}
#endif

const char *uno_signature_text(unsigned, char *text) {
    return text;
}

static uno_atomic64 masks[PES][UNO_SLOTS][WORDS]; /* for a wide job */

uno_atomic64 *uno_job_group(uno_job *, int, int k, unsigned slot) {
    return masks[k][slot];
}

enum { DATA = 2 }; /* words of a post, at most */

static uno_plain64 buffers[PES][UNO_SLOTS];

void *uno_job_buffer(uno_job *, int k, unsigned slot) {
    return &buffers[k][slot];
}

/* The PEs at the beginning of an execution, and their job. */
struct engine_model {
    alignas(64) unsigned char memory[sizeof(uno_job) + PES * sizeof(uno_board)];
    uno_pe pe[PES];
    uint64_t seen[PES][PES];
    uno_atomic32 processor[PES];
    const void *data[PES][PES];

    void begin() {
        uno_job *job = (uno_job *)memory;
        now = 0;
        memset(memory, 0, sizeof memory);
        memset(pe, 0, sizeof pe);
        memset(seen, 0, sizeof seen);
        job->n = PES;
        job->words = WORDS;
        job->processors = 1;
        for (int k = 0; k < PES; k++) {
            uno_board *board = &job->board[k];
            for (unsigned s = 0; s < UNO_SLOTS; s++) {
                board->slot[s].header.number = checker->fresh64(0);
                board->slot[s].group.number = checker->fresh64(0);
                for (int w = 0; w < WORDS && WORDS > 1; w++)
                    masks[k][s][w].number = checker->fresh64(0);
                for (int i = 0; i < DATA; i++)
                    board->slot[s].data[i].number = checker->fresh_plain();
                buffers[k][s].number = checker->fresh_plain();
            }
            board->done.number = checker->fresh64(0);
            board->since.number = checker->fresh64(0);
            board->parked.number = checker->fresh32(0);
            processor[k].number = checker->fresh32(spins ? (uint32_t)k : 0);
            board->state.number = checker->fresh32(UNO_JOINED);
            pe[k].job = job;
            pe[k].board = board;
            pe[k].me = k;
            pe[k].n = PES;
            pe[k].spin = spins;
            pe[k].polls = spins;
            pe[k].seen = seen[k];
            pe[k].data = data[k];
            pe[k].processor = processor;
        }
    }
};

#endif
