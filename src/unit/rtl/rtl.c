/* The PE's side of its port: commands, and the wait for their answers. */

#include <stdlib.h>

#include "engine/bell.h"
#include "engine/fault.h"
#include "engine/rendezvous.h"
#include "engine/tuning.h"
#include "engine/wait.h"
#include "rtl.h"

void uno_rtl_open(struct uno_pe *pe, struct uno_port *port, void (*carry_out)(struct uno_passage *p)) {
    struct uno_rtl *rtl = calloc(1, sizeof *rtl);
    if (!rtl)
        uno_fail(pe, "p_init: out of memory");
    rtl->ports = uno_ports(pe->job);
    rtl->port = port;
    rtl->carry_out = carry_out;
    pe->rtl = rtl;
}

void uno_rtl_end(struct uno_pe *pe) {
    free(pe->rtl);
}

/* Between sleeps of one wait the bell stays armed, so that they cost one fence. */
void uno_rtl_sleep(struct uno_wait *wait, uno_atomic64 *bell, const uno_atomic64 *answer, uint64_t before) {
    struct uno_pe *pe = wait->pe;
    bool armed = uno_bell_quiet(bell);
    if (!armed)
        uno_bell_arm(bell);
    /* SYNC BELL: the answer to this PE, or that it sleeps to whoever answers */
    if (!uno_wait_arm(wait) && !armed)
        uno_kernel_fence();
    uint64_t rung = uno_load64_relaxed(bell);
    if (uno_load64_relaxed(answer) == before && uno_bell_quiet(bell)) {
        uint64_t heard = pe->bell ? uno_load64_relaxed(pe->bell) : 0;
        if (!pe->bell)
            uno_kernel_sleep(bell, rung, UNO_SLEEP_NS);
        else if (uno_bell_quiet(pe->bell) && !uno_wait_either(pe, bell, rung, heard))
            uno_kernel_sleep(bell, rung, UNO_BLIND_LEAST_NS);
    }
}

/* The answer waits for members that have not come to the operation: they are told by the boards. */
static void await_answer(struct uno_passage *p, uint64_t number) {
    struct uno_pe *pe = p->pe;
    struct uno_port *port = p->rtl->port;
    struct uno_wait wait = {.pe = pe, .k = pe->group.first, .signature = p->signature};
    /* SYNC ANSWER: the results */
    while (uno_load64_acquire(&port->answer) != number) {
        int missing = uno_board_missing(pe, p->signature);
        if (missing >= 0) {
            wait.k = missing;
            pe->board->awaited = missing;
        }
        if (!uno_wait_pace(&wait))
            continue;
        /* SYNC LEFT: every post of the PE that left */
        bool left = missing >= 0 && uno_load32_acquire(&pe->job->board[missing].state) == UNO_LEFT;
        if (left && uno_board_missing(pe, p->signature) == missing)
            uno_board_left(pe, missing, p->signature);
        uno_rtl_sleep(&wait, &port->bell, &port->answer, number - 1);
    }
    uno_bell_disarm(&port->bell);
    uno_wait_end(&wait);
}

/* Interrupts that were over by the last answer. */
static void handle(struct uno_pe *pe) {
    struct uno_rtl *rtl = pe->rtl;
    uint32_t waiting = uno_load32_relaxed(&rtl->port->interrupts) - rtl->handled;
    if (pe->handle && waiting > UNO_PORT_CAUSES)
        uno_fail(pe, "%u interrupts came before this PE ended an operation, and a simulated unit keeps %d",
                 waiting, UNO_PORT_CAUSES);
    while (rtl->handled != uno_load32_relaxed(&rtl->port->interrupts)) {
        uint64_t cause = uno_load32_relaxed(&rtl->port->cause[rtl->handled++ % UNO_PORT_CAUSES]);
        if (pe->handle)
            pe->handle(pe, &cause);
    }
}

/* As of rtl->carry_out: by the process of the unit. */
static void carry_out(struct uno_passage *p) {
    struct uno_rtl *rtl = p->rtl;
    struct uno_port *port = rtl->port;
    /* SYNC COMMAND: the posts, and the interrupts that it has raised before */
    uno_store64_release(&port->command, rtl->commands);
    uno_bell_ring(&rtl->ports->bell, &rtl->rung);
    await_answer(p, rtl->commands);
    handle(p->pe);
}

void uno_rtl_begin(struct uno_pe *pe) {
    uno_rtl_open(pe, &uno_ports(pe->job)->port[pe->me], carry_out);
    /* the process of the unit takes a processor, too */
    pe->spin = false;
    pe->polls = 0;
}

/* Have the posts that are in the port made. Their results are there afterwards. */
static void command(struct uno_passage *p, enum uno_command what, int posts) {
    struct uno_port *port = p->rtl->port;
    port->what = what;
    port->count = (uint32_t)posts;
    port->mask = p->pe->group.mask[0];
    p->rtl->commands++;
    p->rtl->carry_out(p);
}

void uno_rtl_exchange(struct uno_passage *p, int posts, uno_make *make, uno_take *take, void *context) {
    struct uno_port *port = p->rtl->port;
    for (int at = 0; at < posts;) {
        int count = posts - at < UNO_PORT_POSTS ? posts - at : UNO_PORT_POSTS;
        for (int i = 0; i < count; i++)
            port->post[i] = make(p, context, at + i);
        command(p, UNO_COMMAND_POSTS, count);
        for (int i = 0; i < count; i++)
            take(p, context, at + i, port->post[i]);
        at += count;
    }
}

void uno_rtl_barrier(struct uno_passage *p) {
    p->rtl->port->post[0] = UNO_POST_NAND;
    command(p, UNO_COMMAND_BARRIER, 1);
}

/* No command: a handler of signals may raise one while a command is under way. The process of the unit raises
 * it before it carries out what this PE does next, or lets it leave. */
void uno_rtl_interrupt(struct uno_pe *pe) {
    struct uno_rtl *rtl = pe->rtl;
    uno_add32_seq_cst(&rtl->port->raises, 1);
    uno_bell_ring(&rtl->ports->bell, &rtl->rung);
}
