/* The parallel interrupt of PEs that are on several nodes: engine/interrupt.h, over packets.
 *
 * One PE orders the interrupts, the coordinator: the lowest one that has not left. They have numbers from 1,
 * which each PE counts for itself.
 *
 *  1. A PE that raises an interrupt notes it in memory of its own, for it may be in a handler of signals. It
 *     stops for interrupt N in the wait that it is in, or where it begins its next operation, before anything
 *     of that goes out. Then it tells the coordinator that it has stopped, and whether it has raised N.
 *  2. The coordinator, which hears of N in this way, stops for N likewise, and gives notice of it to all who
 *     have not told it that they have stopped. Each of them stops, in its wait or where it begins its next
 *     operation, and tells the coordinator.
 *  3. When all that have not left have stopped, the coordinator knows who has raised N, and tells that to
 *     each: N is over. Each calls its handler, and goes on.
 *
 * A PE that has stopped neither ends an operation nor begins one, and does not leave, before N is over; the
 * coordinator not before it has told that to all. From this follows the rest.
 *
 *  - All PEs count alike. N + 1 is not over before each has stopped for it, which none does before N is over
 *    for it: so of two PEs one is at most one interrupt ahead.
 *  - All PEs handle the same interrupts with the same causes, since one PE decides each. A coordinator that
 *    leaves has not stopped for N, and then has decided nothing about it; or it has told all that N is over,
 *    and that is there before anyone takes it for gone (uno_pe_left). One to which this PE has not told that
 *    it has stopped cannot have decided, and is gone when it has left. A notice tells that all before its
 *    sender are gone. Who has told one that is gone tells the next one anew.
 *  - No interrupt is lost. The note of a PE stays until it stops, and a PE that has raised one stops for it
 *    before it leaves. What is raised after the stop is for N + 1.
 *  - Who has met the PE that has raised N, in an operation that this one has begun afterwards, has handled N:
 *    for nothing of that operation has gone out before N was over. So has, in the same way, who has met one
 *    who had, and so on. A message tells less: it may come before the notice.
 *  - Nobody waits in a circle. A PE that has stopped waits for the coordinator, and that for those who have
 *    not stopped. Each of these computes, or it waits: then it takes in packets, and stops.
 *
 * Where a PE is on the node of the other one, what it has to tell lies in the job's memory: that it has
 * stopped on its board, the cause in the job. A mark on the other one's board, and its bell, say that there
 * is something. All else goes by packets, so that PEs need no memory in common. */

#ifndef UNO_FAR_INTERRUPT_H
#define UNO_FAR_INTERRUPT_H

#include "engine/expect.h"
#include "engine/interrupt.h"
#include "engine/tuning.h"
#include "engine/wait.h"
#include "engine/far/far.h"

/* Let the PE take part in interrupts, once it has its endpoint. Returns false if there is no memory. */
bool uno_far_interrupt_start(struct uno_pe *pe);

/* Raise an interrupt: the `interrupt` function of struct uno_unit. */
void uno_far_interrupt_raise(struct uno_pe *pe);

/* Take in all packets that have come; on a tile, which takes in nothing while it gives no command, after a
 * moment. */
void uno_far_interrupt_hear(struct uno_pe *pe) __attribute__((cold));

/* Take part in an interrupt of which this PE knows, to its end. The PE calls this where it begins an
 * operation, before anything of that goes out. An operation in which it waits for nobody takes in no packets,
 * so after some operations without any it looks at the network here. */
static inline void uno_far_interrupt_look(struct uno_pe *pe, unsigned signature) {
    if (UNO_UNLIKELY(++pe->far->unheard == UNO_FAR_UNHEARD))
        uno_far_interrupt_hear(pe);
    if (UNO_UNLIKELY(uno_load32_relaxed(&pe->board->parked) & UNO_INTERRUPTED))
        uno_wait_interrupt(pe, signature);
}

/* Take part in an interrupt that this PE has raised, without its handler; then in no more. The PE calls this
 * when it leaves, before it says goodbye. */
void uno_far_interrupt_end(struct uno_pe *pe);

#endif
