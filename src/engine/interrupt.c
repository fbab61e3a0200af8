#include "interrupt.h"

#include "kernel.h"

void uno_interrupt_raise(struct uno_pe *pe) {
    struct uno_job *job = pe->job;
    /* SYNC MARK (2): who finds a mark, and takes it away, finds who has raised it. Both are read and written
     * at once. */
    uno_or64_seq_cst(&job->raised[pe->me / 64], (uint64_t)1 << pe->me % 64);
    for (int k = 0; k < job->n; k++)
        uno_or32_seq_cst(&job->board[k].parked, UNO_INTERRUPTED);
    /* Those who sleep until PE k posts. Who is not among them yet finds its mark before it sleeps.
     * SYNC PARKED: the mark to the sleeper, or the sleeper to this PE */
    for (int k = 0; k < job->n; k++)
        if (uno_add32_seq_cst(&job->board[k].parked, 0) & ~UNO_INTERRUPTED)
            for (int s = 0; s < UNO_SLOTS; s++)
                uno_kernel_wake(&job->board[k].slot[s].header);
}

/* ---- over when all have acknowledged ------------------------------------------------------------------ */

/* Interrupts that are over, times 2; and 1 while the present one is being ended. */
static uint64_t phase(const struct uno_job *job) {
    /* SYNC OVER: who had raised it */
    return uno_load64_acquire(&job->interrupts);
}

static bool pending(const struct uno_job *job) {
    for (int w = 0; w < job->words; w++)
        if (uno_load64_relaxed(&job->raised[w]))
            return true;
    return false;
}

/* The first PE that has not acknowledged interrupt `number`; -1: all have. */
static int missing(const struct uno_job *job, uint64_t number) {
    for (int k = 0; k < job->n; k++)
        /* SYNC LEFT, SYNC ACKNOWLEDGED (2): that PE k has stopped what it did */
        if (uno_load32_acquire(&job->board[k].state) != UNO_LEFT &&
            uno_load64_acquire(&job->board[k].acknowledged) < number)
            return k;
    return -1;
}

/* End the interrupt, since all have acknowledged it. Several PEs may find that out, and one of them ends
 * it. */
static void end(struct uno_job *job, uint64_t number) {
    /* SYNC OVER (2): that it ends, and who has raised it */
    if (!uno_cas64_acq_rel(&job->interrupts, 2 * (number - 1), 2 * number - 1))
        return;
    for (int w = 0; w < job->words; w++)
        uno_store64_relaxed(&job->cause[w], uno_swap64_seq_cst(&job->raised[w], 0));
    /* SYNC OVER: who had raised it */
    uno_store64_release(&job->interrupts, 2 * number);
    uno_kernel_wake(&job->interrupts);
}

/* The interrupt that this PE has acknowledged may be over by now: then its handler runs. */
static void settle(struct uno_pe *pe) {
    uint64_t cause[UNO_WORDS];
    if (!pe->stopped || phase(pe->job) < 2 * pe->stopped)
        return;
    /* they stay until this PE acknowledges the next one */
    for (int w = 0; w < pe->job->words; w++)
        cause[w] = uno_load64_relaxed(&pe->job->cause[w]);
    pe->stopped = 0;
    if (pe->handle)
        pe->handle(pe, cause);
}

void uno_interrupt_acknowledge(struct uno_pe *pe) {
    struct uno_job *job = pe->job;
    if (UNO_UNLIKELY(pe->stop != NULL)) {
        pe->stop(pe);
        return;
    }
    settle(pe);
    if (pe->stopped)
        return;
    /* SYNC MARK: who has raised it */
    uno_and32_seq_cst(&pe->board->parked, ~UNO_INTERRUPTED);
    if (!pending(job))
        return; /* one that is pending stays until this PE has acknowledged it */
    /* none ends now: this PE has seen the end of every one that it has acknowledged */
    pe->stopped = uno_load64_relaxed(&pe->board->acknowledged) + 1;
    /* SYNC ACKNOWLEDGED: that this PE has stopped what it did */
    uno_store64_release(&pe->board->acknowledged, pe->stopped);
    if (missing(job, pe->stopped) < 0)
        end(job, pe->stopped);
}

int uno_interrupt_missing(struct uno_pe *pe) {
    if (UNO_UNLIKELY(pe->stop != NULL))
        return pe->stop(pe);
    int k = missing(pe->job, pe->stopped);
    if (k < 0)
        end(pe->job, pe->stopped);
    return k;
}
