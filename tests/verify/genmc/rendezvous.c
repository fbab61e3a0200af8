/* The rendezvous that ships, under the memory models of GenMC.
 *
 * Two PEs go through the groups of SEQUENCE, a mask each, and then leave. In every execution every member
 * must read, for every operation, what each member put into it, in both words of the post and in the buffer,
 * which every other post has; no two accesses of plain memory may race; and none may take the other for one
 * that left. */

#include "model.h"

#define UNO_SLOTS 2 /* so that they come round within few operations */

#define check check_group /* rendezvous.c has one of its own */
#include "engine/group.c"
#undef check
#include "engine/rendezvous.c"

#ifndef SEQUENCE
#define SEQUENCE 3 /* two of them have more executions than can be waited for */
#endif

enum { PES = 2, DATA = 2 };

static const unsigned sequence[] = {SEQUENCE};
enum { LENGTH = sizeof sequence / sizeof *sequence };

static _Alignas(64) unsigned char memory[sizeof(struct uno_job) + PES * sizeof(struct uno_board)];
static uno_plain64 buffers[PES][UNO_SLOTS];

void *uno_job_buffer(struct uno_job *job, int k, unsigned slot) {
    (void)job;
    return &buffers[k][slot];
}

/* ---- what the engine calls, of a wait that looks again and again, and of errors that do not come ----------
 */

void uno_wait_step(struct uno_wait *wait, uno_atomic64 *header, uint64_t seen) {
    wait->left = uno_load32_acquire(&wait->pe->job->board[wait->k].state) == UNO_LEFT;
    if (!wait->left)
        wait_for(header && uno_load64_relaxed(header) != seen);
}

void uno_wait_end(struct uno_wait *wait) {
    (void)wait;
}

void uno_wait_interrupt(struct uno_pe *pe, unsigned signature) {
    (void)pe, (void)signature;
    assert(!"nobody raises an interrupt");
}

uint32_t uno_wait_here(struct uno_pe *pe) {
    return (uint32_t)pe->me;
}

void uno_kernel_wake(uno_atomic64 *header) {
    (void)header;
    assert(!"nobody sleeps");
}

void uno_fail(struct uno_pe *pe, const char *format, ...) {
    (void)pe, (void)format;
    assert(!"the engine reports an error in a correct program");
    abort();
}

void uno_fail_apart(struct uno_pe *pe, const char *format, ...) {
    (void)pe, (void)format;
    assert(!"the engine reports an error in a correct program");
    abort();
}

void uno_fault_check(struct uno_pe *pe, int k, unsigned signature) {
    (void)pe, (void)k, (void)signature;
}

const char *uno_signature_text(unsigned signature, char *text) {
    (void)signature;
    return text;
}

const char *uno_mask_text(const uint64_t *mask, int words, char *text) {
    (void)mask, (void)words;
    return text;
}

uno_atomic64 *uno_job_group(struct uno_job *job, int n, int k, unsigned slot) {
    (void)job, (void)n, (void)k, (void)slot;
    assert(!"the job is not wide");
    return NULL;
}

/* ---- the PEs ---------------------------------------------------------------------------------------------
 */

static bool has_buffer(int step, int k) {
    return (step + k) % 2;
}

static uint64_t datum(int step, int k, int word) {
    return (uint64_t)(step + 1) * 100 + (uint64_t)(k * 10 + word);
}

static void operate(struct uno_pe *pe, int step) {
    uint64_t mask = sequence[step], in[DATA] = {datum(step, pe->me, 0), datum(step, pe->me, 1)};
    uno_group_set(pe, &mask, "the model");
    if (has_buffer(step, pe->me))
        uno_write64_plain((uno_plain64 *)uno_board_buffer(pe), in[0]);
    const void *const *data = uno_board_meet(pe, 1, in, DATA);
    for (int k = 0; k < PES; k++) {
        if (!(mask >> k & 1))
            continue;
        const uno_plain64 *got = *data++;
        for (int i = 0; i < DATA; i++)
            assert(uno_read64_plain(&got[i]) == datum(step, k, i));
        if (has_buffer(step, k))
            assert(uno_read64_plain((const uno_plain64 *)uno_board_buffer_of(pe, k)) == datum(step, k, 0));
    }
    uno_board_leave(pe);
}

static void *run(void *me) {
    struct uno_pe *pe = me;
    for (int step = 0; step < LENGTH; step++)
        if (sequence[step] >> pe->me & 1)
            operate(pe, step);
    uno_board_part(pe);
    return NULL;
}

int main(void) {
    static struct uno_pe pe[PES];
    static uint64_t seen[PES][PES];
    static const void *data[PES][PES];
    struct uno_job *job = (struct uno_job *)memory;
    __VERIFIER_thread_t thread[PES];
    job->n = PES;
    job->words = job->processors = 1;
    for (int k = 0; k < PES; k++) {
        uno_store32_relaxed(&job->board[k].state, UNO_JOINED);
        pe[k].job = job;
        pe[k].board = &job->board[k];
        pe[k].me = k;
        pe[k].n = PES;
        pe[k].spin = true; /* where the other runs does not matter */
        pe[k].seen = seen[k];
        pe[k].data = data[k];
    }
    for (int k = 0; k < PES; k++)
        thread[k] = __VERIFIER_spawn(run, &pe[k]);
    for (int k = 0; k < PES; k++)
        __VERIFIER_join(thread[k]);
    return 0;
}
