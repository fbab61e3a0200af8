#include "wait.h"

#include "fault.h"
#include "interrupt.h"
#include "spread.h"
#include "tuning.h"

static uint64_t blind_ns(const struct uno_wait *wait) {
    uint64_t ns = wait->quiet / UNO_BLIND_SHARE;
    return ns < UNO_BLIND_LEAST_NS ? UNO_BLIND_LEAST_NS : ns > UNO_BLIND_MOST_NS ? UNO_BLIND_MOST_NS : ns;
}

bool uno_wait_arm(struct uno_wait *wait) {
    struct uno_pe *pe = wait->pe;
    bool rung = pe->bell && !uno_bell_quiet(pe->bell);
    if (wait->fenced && !rung)
        return false;
    if (rung)
        uno_bell_arm(pe->bell);
    /* SYNC PARKED, SYNC BELL: what was stored before to the sleeper, or the sleeper to whoever stored it */
    uno_kernel_fence();
    wait->fenced = true;
    return true;
}

/* Return true if nobody has rung, and whoever is to ring will. */
static bool is_quiet(struct uno_pe *pe) {
    return uno_bell_quiet(pe->bell) && (UNO_LIKELY(!pe->watch) || pe->watch(pe));
}

/* Sleep until the bell is rung, for at most ns. */
static void sleep_on_bell(struct uno_pe *pe, uint64_t ns) {
    uint64_t rung = uno_load64_relaxed(pe->bell);
    if (is_quiet(pe))
        uno_kernel_sleep(pe->bell, rung, ns);
}

bool uno_wait_either(struct uno_pe *pe, uno_atomic64 *word, uint64_t seen, uint64_t rung) {
    if (!pe->sleeps_on_one)
        pe->sleeps_on_one = !uno_kernel_sleep_either(word, seen, pe->bell, rung, UNO_SLEEP_NS);
    return !pe->sleeps_on_one;
}

/* Sleep until PE k changes that word, or the bell is rung. */
static void sleep_on_word(struct uno_wait *wait, uno_atomic64 *header, uint64_t seen) {
    struct uno_pe *pe = wait->pe;
    if (!pe->bell) {
        uno_kernel_sleep(header, seen, pe->progress ? blind_ns(wait) : UNO_SLEEP_NS);
    } else {
        uint64_t rung = uno_load64_relaxed(pe->bell);
        if (is_quiet(pe) && !uno_wait_either(pe, header, seen, rung))
            uno_kernel_sleep(header, seen, blind_ns(wait));
    }
}

/* Return true if there is an interrupt that this PE can take part in. */
static bool is_interrupted(const struct uno_pe *pe) {
    return !pe->stopped && uno_load32_relaxed(&pe->board->parked) & UNO_INTERRUPTED;
}

/* A PE that raises an interrupt wakes the PEs that sleep until a PE posts, by that PE's board. A PE that
 * waits for no post therefore sleeps as one of the sleepers of its own board, whom nobody else wakes. */
void uno_wait_sleep(struct uno_pe *pe) {
    uno_atomic64 *own = &pe->board->slot[0].header;
    uno_add32_seq_cst(&pe->board->parked, 1);
    uint64_t seen = uno_load64_relaxed(own), rung = uno_load64_relaxed(pe->bell);
    if (!is_interrupted(pe) && is_quiet(pe)) {
        if (UNO_UNLIKELY(pe->shifts != NULL))
            uno_shifts_sleep(pe->shifts);
        if (!uno_wait_either(pe, own, seen, rung))
            uno_kernel_sleep(pe->bell, rung, UNO_SLEEP_NS);
        if (UNO_UNLIKELY(pe->shifts != NULL))
            uno_shifts_wake(pe->shifts);
    }
    uno_add32_seq_cst(&pe->board->parked, (uint32_t)-1);
}

/* Sleep until PE k changes its header from `seen`. The poster stores the header and then loads `parked`; the
 * sleeper adds to `parked` and then loads the header. Each needs a full fence between the two, or both can
 * miss the other. The sleeper's fence makes the posters run theirs, so that a post costs none; and since the
 * sleeper stays among those who are parked until its wait ends, one fence is enough for all of that.
 *
 * A nap has no fence: it is for a poster that waits for this very processor, and so is not between the two;
 * if it is on another one after all, its wake can be lost, and the nap lasts its time. */
static void sleep_on(struct uno_wait *wait, uno_atomic64 *header, uint64_t seen) {
    struct uno_pe *pe = wait->pe;
    if (!wait->parked) {
        wait->parked = &pe->job->board[wait->k].parked;
        uno_add32_seq_cst(wait->parked, 1);
    }
    /* who is stopped by an interrupt looks once more whether it goes on */
    if (!wait->naps && uno_wait_arm(wait) && (pe->stopped || (pe->progress && pe->progress(pe))))
        return;
    if (uno_load64_relaxed(header) != seen || is_interrupted(pe))
        return;
    if (wait->naps) {
        uno_kernel_sleep(header, seen, UNO_NAP_NS);
        return;
    }
    struct uno_resting resting = {.kind = UNO_REST_WORD,
                                  .doing = UNO_DOING(wait->signature, wait->k, UNO_REST_ANY),
                                  .word = header,
                                  .seen = seen};
    uno_rest_begin(pe, &resting);
    sleep_on_word(wait, header, seen);
    uno_rest_end(pe);
}

/* Sleep for a while when no PE will ring: the event must be looked for from time to time. */
static void sleep_blindly(struct uno_wait *wait) {
    struct uno_pe *pe = wait->pe;
    if (!pe->bell) {
        uno_kernel_pause(blind_ns(wait));
        return;
    }
    if (uno_wait_arm(wait)) /* then it looks at everything once more, interrupts too */
        return;
    if (!wait->own) {
        sleep_on_bell(pe, blind_ns(wait));
        return;
    }
    if (uno_load64_relaxed(wait->own) != wait->seen)
        return;
    struct uno_resting resting = {.kind = UNO_REST_WORD,
                                  .doing = UNO_DOING(wait->signature, wait->k, UNO_REST_ANY),
                                  .word = wait->own,
                                  .seen = wait->seen,
                                  .context = wait->context};
    uno_rest_begin(pe, &resting);
    sleep_on_bell(pe, blind_ns(wait));
    uno_rest_end(pe);
}

/* Return the time for which it pays to give the processor away and come back. If it takes longer, either PE k
 * computes, or another program has the processor, for milliseconds: a PE that sleeps is put before that
 * program when it is woken. */
static uint64_t patience(const struct uno_pe *pe) {
#ifdef UNO_AWAKE /* the variant that unisono bench compares with */
    (void)pe;
    return UINT64_MAX;
#else
    return UNO_YIELD_NS + UNO_YIELD_PE_NS * (uint64_t)(pe->here / pe->job->processors);
#endif
}

void uno_wait_give_away(struct uno_pe *pe) {
    if (UNO_UNLIKELY(pe->idle != NULL)) {
        pe->idle(pe);
        return;
    }
    if (UNO_UNLIKELY(!(++pe->given % UNO_SPREAD_YIELDS)))
        uno_spread(pe, uno_wait_here(pe));
    uno_kernel_yield();
}

static void give_away(struct uno_wait *wait) {
    wait->given++;
    if (UNO_UNLIKELY(wait->lends))
        uno_shifts_pause(wait->pe->shifts);
    else
        uno_wait_give_away(wait->pe);
}

/* Linux gives a processor away only to processes of the same group, and a session is one (autogroup,
 * sched(7)), as is a cgroup. Some launchers start each process in a session of its own, so that giving the
 * processor away lets no other PE run: it must sleep. Return true if this PE seems to be in such a session:
 * it has given the processor away once for each PE on it, and still misses one of them. A PE that is known to
 * share a group returns false: then the missed one computes. */
static bool gives_in_vain(const struct uno_wait *wait) {
    const struct uno_pe *pe = wait->pe;
    return !pe->together && wait->misses && wait->given > (unsigned)(pe->here / pe->job->processors) + 1;
}

uint32_t uno_wait_here(struct uno_pe *pe) {
    uint32_t here = uno_kernel_processor();
    if (here != uno_load32_relaxed(&pe->processor[pe->me]))
        uno_store32_relaxed(&pe->processor[pe->me], here);
    return here;
}

bool uno_wait_beside(struct uno_pe *pe, int k) {
    return uno_load32_relaxed(&pe->processor[k]) == uno_wait_here(pe);
}

/* Call the program's p_onWait function, if it has one and the time has come. */
static void ask_program(struct uno_wait *wait, uint64_t now) {
    void (*function)(uint64_t ns) = wait->pe->on_wait;
    if (!function || now - wait->asked < UNO_ASK_NS)
        return;
    wait->asked = now;
    function(now - wait->began);
}

/* Take a step that costs as little as can be: spin, or give the processor away. Returns true if it is not
 * time yet for anything else. */
static inline bool step_lightly(struct uno_wait *wait) {
    struct uno_pe *pe = wait->pe;
    if (UNO_UNLIKELY(pe->paced)) {
        wait->steps++;
        return false;
    }
    /* There are as many processors as PEs, but the kernel has put both on one: it must be given away. */
    if (pe->spin && wait->k >= 0 && uno_wait_beside(pe, wait->k))
        wait->yields = true;
    if (pe->spin && !wait->yields) {
        uno_pause();
        return ++wait->steps % UNO_CLOCK_LOOKS;
    }
    if (wait->steps++)
        return false;
    /* Mostly giving it away once is enough, and reading the clock would cost pages to translate. */
    give_away(wait);
    return true;
}

bool uno_wait_pace(struct uno_wait *wait) {
    struct uno_pe *pe = wait->pe;
    if (UNO_UNLIKELY(pe->on_wait && !wait->steps))
        pe->on_wait(0);
    if (step_lightly(wait))
        return false;
    uno_fault_check(pe, wait->k, wait->signature);
    uint64_t now = uno_kernel_now();
    if (!wait->began) {
        wait->began = wait->moved = wait->asked = now;
        uno_store64_relaxed(&pe->board->since, now);
    }
    ask_program(wait, now);
    if (UNO_UNLIKELY(pe->stopped || uno_load32_relaxed(&pe->board->parked) & UNO_INTERRUPTED))
        uno_interrupt_acknowledge(pe);
    bool moves = pe->progress && pe->progress(pe);
    if (moves)
        wait->moved = now;
    wait->quiet = now - wait->moved;
    if (UNO_UNLIKELY(pe->paced))
        return !moves;
    wait->yields |= now - wait->began >= (uint64_t)(pe->hear ? UNO_FAR_SPIN_NS : UNO_SPIN_NS);
    if (pe->spin && !wait->yields)
        return false;
    wait->naps = wait->quiet < patience(pe);
    if (!wait->naps || gives_in_vain(wait))
        return true;
    give_away(wait);
    return false;
}

/* Return true if the header changes within about the time of a switch to another process. */
static bool comes_briefly(const uno_atomic64 *header, uint64_t seen) {
    for (int i = 0; i < UNO_SWITCH_LOOKS; i++) {
        if (uno_load64_relaxed(header) != seen)
            return true;
        uno_pause();
    }
    return false;
}

bool uno_wait_at_port(struct uno_wait *wait, const struct uno_resting *resting) {
    struct uno_pe *pe = wait->pe;
    if (pe->on_wait || !pe->watch || pe->stopped || is_interrupted(pe))
        return false;
    uno_fault_check(pe, wait->k, wait->signature);
    uno_rest_begin(pe, resting);
    bool vain = pe->watch(pe);
    uno_rest_end(pe);
    return !vain;
}

/* Take a step at the port in a wait for what `wait->own` counts. */
static bool step_at_port(struct uno_wait *wait) {
    struct uno_pe *pe = wait->pe;
    struct uno_resting resting = {.kind = UNO_REST_WORD,
                                  .doing = UNO_DOING(wait->signature, wait->k, UNO_REST_ANY),
                                  .word = wait->own,
                                  .seen = wait->seen,
                                  .context = wait->context};
    if ((pe->progress && pe->progress(pe)) || uno_load64_relaxed(wait->own) != wait->seen)
        return true;
    wait->left = uno_pe_left(pe, wait->k);
    return wait->left || uno_wait_at_port(wait, &resting);
}

/* With more PEs than processors, a processor that is given away goes round all of its PEs, one switch each.
 * That helps while one of them has not posted yet. If all of them have, they wait, as this PE does, for a
 * post from another processor, and it is best to poll for it here, for about as long as a switch takes. */
void uno_wait_step(struct uno_wait *wait, uno_atomic64 *header, uint64_t seen) {
    struct uno_pe *pe = wait->pe;
    if (UNO_UNLIKELY(pe->paced && wait->own) && step_at_port(wait))
        return;
    if (header) {
        pe->board->awaited = wait->k;
        if (!pe->spin && !wait->misses && comes_briefly(header, seen))
            return;
    }
    if (!uno_wait_pace(wait))
        return;
    /* This is not looked at earlier, since PE k writes this line in every operation. */
    wait->left = uno_pe_left(pe, wait->k);
    if (wait->left)
        return;
    if (header)
        sleep_on(wait, header, seen);
    else
        sleep_blindly(wait);
}

/* Sleep until the interrupt goes on. at: job->interrupts. */
static void sleep_stopped(struct uno_wait *wait, uint64_t at) {
    struct uno_pe *pe = wait->pe;
    if (!pe->stop)
        uno_kernel_sleep(&pe->job->interrupts, at, UNO_BLIND_LEAST_NS);
    else if (!pe->bell)
        uno_kernel_pause(UNO_BLIND_LEAST_NS);
    else if (!uno_wait_arm(wait)) /* otherwise it looks once more */
        sleep_on_bell(pe, blind_ns(wait));
}

void uno_wait_interrupt(struct uno_pe *pe, unsigned signature) {
    struct uno_wait wait = {.pe = pe, .signature = signature};
    for (uno_interrupt_acknowledge(pe); pe->stopped; uno_interrupt_acknowledge(pe)) {
        uint64_t at = uno_load64_relaxed(&pe->job->interrupts);
        wait.k = uno_interrupt_missing(pe);
        /* another PE that ends the interrupt may have lost its processor to this one meanwhile */
        bool same = uno_load64_relaxed(&pe->job->interrupts) == at;
        if (same && pe->stopped && uno_wait_pace(&wait) && pe->stopped) /* a step of the wait may end it */
            sleep_stopped(&wait, at);
    }
    uno_store64_relaxed(&pe->board->since, 0);
    if (wait.fenced)
        uno_bell_disarm(pe->bell);
}

void uno_wait_end(struct uno_wait *wait) {
    struct uno_pe *pe = wait->pe;
    if (!wait->began) {
        if (UNO_UNLIKELY(pe->shifts != NULL))
            uno_shifts_end_wait(pe->shifts, &wait->shift);
        return;
    }
    uno_store64_relaxed(&pe->board->since, 0);
    if (wait->parked)
        uno_add32_seq_cst(wait->parked, (uint32_t)-1);
    if (wait->fenced && pe->bell && (!pe->shifts || uno_shifts_looks(pe->shifts, &wait->shift)))
        uno_bell_disarm(pe->bell);
    if (UNO_UNLIKELY(pe->shifts != NULL))
        uno_shifts_end_wait(pe->shifts, &wait->shift);
    if (UNO_UNLIKELY(pe->stopped))
        uno_wait_interrupt(pe, wait->signature);
}
