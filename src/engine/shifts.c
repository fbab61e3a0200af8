#include "shifts.h"

#include "bell.h"
#include "tuning.h"

/* ---- the lock ---------------------------------------------------------------------------------------- */

static bool try_take(struct uno_shifts *shifts) {
    /* SYNC SHIFT: all that the PE has */
    return uno_load64_relaxed(&shifts->lock) == 0 && uno_cas64_acquire(&shifts->lock, 0, 1);
}

/* Sleep until the lock is free, and take it. It is marked as one for which a thread sleeps, since others may
 * sleep besides. */
static void take_asleep(struct uno_shifts *shifts) {
    /* SYNC SHIFT: all that the PE has */
    while (uno_swap64_seq_cst(&shifts->lock, 2) != 0)
        uno_kernel_sleep(&shifts->lock, 2, UNO_SLEEP_NS);
}

/* A thread that comes while another one waits waits, too: it would otherwise always be faster than that. */
static void take(struct uno_shifts *shifts) {
    if (UNO_LIKELY(!uno_load32_relaxed(&shifts->wanted)) && try_take(shifts))
        return;
    uno_add32_seq_cst(&shifts->wanted, 1);
    bool got = false;
    for (int i = 0; i < UNO_SWITCH_LOOKS && !(got = try_take(shifts)); i++)
        uno_pause();
    if (!got)
        take_asleep(shifts);
    uno_add32_seq_cst(&shifts->wanted, (uint32_t)-1);
}

static _Thread_local char this_thread;

void uno_shifts_take(struct uno_shifts *shifts) {
    take(shifts);
    shifts->several = shifts->several || shifts->thread != &this_thread;
}

static void leave(struct uno_shifts *shifts) {
    /* SYNC SHIFT: all that the PE has */
    if (uno_swap64_seq_cst(&shifts->lock, 0) == 2)
        uno_kernel_wake(&shifts->lock);
}

/* ---- those that wait --------------------------------------------------------------------------------- */

/* Wake the thread that sleeps on the bell. */
static void rouse(struct uno_shifts *shifts) {
    if (shifts->asleep)
        uno_bell_ring(shifts->pe->bell, &shifts->rung);
    shifts->asleep = false;
}

static void call(struct uno_idle *idle) {
    if (uno_load64_relaxed(&idle->called))
        return;
    uno_store64_relaxed(&idle->called, 1);
    uno_kernel_wake(&idle->called);
}

static bool goes_on(const struct uno_idle *idle, bool moved) {
    return idle->busy ? !*idle->busy : idle->done ? *idle->done : moved;
}

/* Let those go on whose wait may be over; and if nobody looks, one that then looks for all. */
static void tell(struct uno_shifts *shifts) {
    bool moved = *shifts->moves != shifts->told, any = shifts->looker;
    shifts->told = *shifts->moves;
    for (struct uno_idle *idle = shifts->first; idle; idle = idle->next)
        if (goes_on(idle, moved)) {
            call(idle);
            any = true;
        }
    if (!any && shifts->first)
        call(shifts->first);
    if (shifts->asleep && (shifts->looker->done ? *shifts->looker->done : moved))
        rouse(shifts);
}

void uno_shifts_start(struct uno_shifts *shifts, struct uno_pe *pe, const uint64_t *moves,
                      bool (*others)(void)) {
    *shifts = (struct uno_shifts){
        .pe = pe, .moves = moves, .told = *moves, .thread = &this_thread, .others = others};
    uno_store64_relaxed(&shifts->lock, 1);
    pe->shifts = shifts;
}

void uno_shifts_give(struct uno_shifts *shifts) {
    if (UNO_UNLIKELY(shifts->first || shifts->asleep))
        tell(shifts);
    leave(shifts);
}

void uno_shifts_pause(struct uno_shifts *shifts) {
    uno_shifts_give(shifts);
    uno_kernel_yield();
    uno_shifts_take(shifts);
}

void uno_shifts_sleep(struct uno_shifts *shifts) {
    if (shifts->first)
        tell(shifts);
    shifts->told = *shifts->moves;
    shifts->asleep = true;
    leave(shifts);
}

void uno_shifts_wake(struct uno_shifts *shifts) {
    uno_shifts_take(shifts);
    shifts->asleep = false;
}

/* Rest until this thread is called. */
static void stand_by(struct uno_shifts *shifts, const bool *done, const bool *busy) {
    struct uno_idle idle = {.next = shifts->first, .done = done, .busy = busy}, **link = &shifts->first;
    shifts->first = &idle;
    uno_shifts_give(shifts);
    uno_kernel_sleep(&idle.called, 0, UNO_SLEEP_NS);
    uno_shifts_take(shifts);
    while (*link != &idle)
        link = &(*link)->next;
    *link = idle.next;
}

/* A thread in the middle of a send takes over from one that looks for messages alone. */
bool uno_shifts_look(struct uno_shifts *shifts, const struct uno_shift *shift) {
    const struct uno_shift *looker = shifts->looker;
    bool takes_over = looker && looker != shift && shift->writes && !looker->writes;
    if (takes_over)
        rouse(shifts);
    if (looker && looker != shift && !takes_over) {
        stand_by(shifts, shift->done, NULL);
        return false;
    }
    if (uno_load32_relaxed(&shifts->wanted)) {
        uno_shifts_pause(shifts);
        return false;
    }
    shifts->looker = shift;
    return true;
}

void uno_shifts_end_wait(struct uno_shifts *shifts, const struct uno_shift *shift) {
    if (shifts->looker == shift)
        shifts->looker = NULL;
}

void uno_shifts_await(struct uno_shifts *shifts, const bool *busy) {
    while (*busy)
        stand_by(shifts, NULL, busy);
}
