/* An operation of a PE at a board: its keeper carries it, while the PE waits. */

#include "meet.h"

#include <string.h>

#include "engine/bell.h"
#include "engine/fault.h"
#include "engine/function.h"
#include "engine/group.h"
#include "engine/wait.h"
#include "keeper.h"
#include "unit/rtl/rtl.h"

void uno_pins_begin(struct uno_pe *pe, const struct uno_pins_kind *kind, const char *name) {
    pe->keeper = uno_keeper_start(pe, kind, name);
    /* the keeper takes a processor, too */
    pe->spin = false;
    pe->polls = 0;
}

/* ---- trouble ------------------------------------------------------------------------------------------- */

static _Noreturn void report(struct uno_pe *pe, unsigned signature) {
    struct uno_keeper *keeper = pe->keeper;
    char call[UNO_CALL_TEXT], group[UNO_MASK_TEXT], op[UNO_SIGNATURE_TEXT], their_group[UNO_MASK_TEXT];
    uint64_t theirs[UNO_WORDS] = {keeper->theirs.mask};
    uno_mask_text(pe->group.mask, pe->job->words, group);
    uno_fault_check(pe, keeper->other, signature);
    if (keeper->trouble == UNO_TROUBLE_FAILED)
        uno_fail(pe, "%s", keeper->failure);
    if (keeper->trouble == UNO_TROUBLE_LEFT)
        uno_fail_apart(pe, "%s of group %s waits for PE %d, which has left",
                       uno_signature_text(signature, op), group, keeper->other);
    uno_fail_apart(pe, "mismatch: PE %d is in %s of group %s, but PE %d is in %s of group %s", pe->me,
                   uno_call_text(pe, signature, call), group, keeper->other,
                   uno_signature_text(keeper->theirs.signature, op),
                   uno_mask_text(theirs, pe->job->words, their_group));
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* Describe what is to be carried; the words that the keeper puts are such that an OR is all that it needs. */
static void describe(struct uno_keeper *keeper, const struct uno_function *function, const uint64_t *in,
                     unsigned words) {
    struct uno_call *call = &keeper->call;
    memset(keeper->put, 0, sizeof keeper->put);
    memcpy(keeper->put, in, words * sizeof *in);
    call->bits = function->bits;
    switch (function->learns) {
    case UNO_LEARNS_NOTHING:
        call->carriage = UNO_CARRY_NOTHING;
        break;
    case UNO_LEARNS_AND:
        keeper->put[0] = ~in[0];
        call->carriage = UNO_CARRY_OR;
        break;
    case UNO_LEARNS_OR:
        call->carriage = UNO_CARRY_OR;
        break;
    case UNO_LEARNS_PUT:
        call->carriage = UNO_CARRY_PUT;
        break;
    default:
        call->carriage = UNO_CARRY_ALL;
    }
}

/* Have each member's data as the face expects them. */
static void show(struct uno_pe *pe, const struct uno_function *function, const uint64_t *in, unsigned words) {
    struct uno_keeper *keeper = pe->keeper;
    uint64_t low = function->bits >= 64 || function->bits <= 0 ? ~(uint64_t)0 : uno_rtl_low(function->bits);
    if (pe->group.size == 1)
        memcpy(keeper->word[0], in, words * sizeof *in);
    for (int i = 0; i < pe->group.size; i++) {
        if (pe->group.size > 1 && function->learns == UNO_LEARNS_AND)
            keeper->word[i][0] = ~keeper->word[i][0] & low;
        if (pe->group.size > 1 && function->learns == UNO_LEARNS_PUT)
            keeper->word[i][1] = keeper->putters >> i & 1;
        pe->data[i] = keeper->word[i];
    }
}

static void await_answer(struct uno_pe *pe, unsigned signature, uint64_t number) {
    struct uno_keeper *keeper = pe->keeper;
    uint64_t others = pe->group.mask[0] & ~((uint64_t)1 << pe->me);
    struct uno_wait wait = {.pe = pe, .k = others ? __builtin_ctzll(others) : pe->me, .signature = signature};
    while (uno_load64_relaxed(&keeper->answer) == number - 1) {
        int missing = (int)uno_load32_relaxed(&keeper->missing) - 1;
        if (missing >= 0)
            wait.k = pe->board->awaited = missing;
        if (uno_wait_pace(&wait))
            uno_rtl_sleep(&wait, &keeper->bell, &keeper->answer, number - 1);
    }
    uno_bell_disarm(&keeper->bell);
    uno_wait_end(&wait);
}

/* Run the handler for interrupts that are over. */
static void handle(struct uno_pe *pe) {
    struct uno_keeper *keeper = pe->keeper;
    for (;;) {
        pthread_mutex_lock(&keeper->lock);
        uint32_t waiting = keeper->causes - keeper->handled;
        uint64_t cause = keeper->cause[keeper->handled % UNO_BOARD_CAUSES];
        keeper->handled += waiting != 0;
        pthread_mutex_unlock(&keeper->lock);
        if (!waiting)
            return;
        if (pe->handle && waiting > UNO_BOARD_CAUSES)
            uno_fail(pe, "%u interrupts came before this PE ended an operation, and a port keeps %d", waiting,
                     UNO_BOARD_CAUSES);
        if (pe->handle)
            pe->handle(pe, &cause);
    }
}

const void *const *uno_pins_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    struct uno_keeper *keeper = pe->keeper;
    struct uno_function function;
    uno_pe_function(pe, &function, signature, words);
    pthread_mutex_lock(&keeper->lock);
    uint64_t number = ++keeper->number;
    keeper->call = (struct uno_call){.mask = (uint32_t)pe->group.mask[0], .signature = signature};
    describe(keeper, &function, in, words);
    pthread_mutex_unlock(&keeper->lock);
    uno_pins_ring(keeper->pins.bell);
    await_answer(pe, signature, number);
    pthread_mutex_lock(&keeper->lock);
    enum uno_trouble trouble = keeper->trouble;
    pthread_mutex_unlock(&keeper->lock);
    if (trouble)
        report(pe, signature);
    handle(pe);
    show(pe, &function, in, words);
    return pe->data;
}

/* A handler of signals may raise one within an operation, so this takes no lock. When it returns, all keepers
 * know of the interrupt: they answer at once, whatever their PEs do. */
void uno_pins_interrupt(struct uno_pe *pe) {
    struct uno_keeper *keeper = pe->keeper;
    uint64_t raises = uno_add64_relaxed(&keeper->raises, 1) + 1, raised;
    uno_pins_ring(keeper->pins.bell);
    while ((raised = uno_load64_relaxed(&keeper->raised)) < raises && !uno_load32_relaxed(&keeper->over))
        uno_kernel_sleep(&keeper->raised, raised, 10 * 1000 * 1000);
}

void uno_pins_end(struct uno_pe *pe) {
    uno_keeper_end(pe->keeper);
}
