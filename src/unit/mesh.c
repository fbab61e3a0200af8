/* The tiles of a simulated chip, with a network of packets between them (rtl/mesh.v): each PE has a tile. PEs
 * share no memory, so each is a node of its own, and all that they exchange travels in packets. */

#include "engine/channel/far/interrupt.h"
#include "engine/far/far.h"
#include "engine/fault.h"
#include "engine/nodes.h"
#include "engine/rendezvous.h"
#include "mesh/net.h"
#include "nodes/meet.h"
#include "unit/unit.h"

/* As of pe->watch. */
static bool watch(struct uno_pe *pe) {
    return uno_mesh_wait(pe->far->net);
}

static void idle(struct uno_pe *pe) {
    uno_mesh_look(pe->far->net);
}

/* Return true if PE k has left. It says so with its last packet; to those that it has never sent anything it
 * says nothing, and they find out when nothing can come any more. */
static bool has_left(struct uno_pe *pe, int k) {
    /* SYNC LEFT: not needed here */
    if (uno_load32_acquire(&pe->job->board[k].state) != UNO_LEFT)
        return false;
    return k == pe->me || pe->far->peer[k].bye || uno_mesh_is_still(pe->far->net);
}

/* Have the PE wait at its port. */
static void listen(struct uno_pe *pe) {
    pe->bell = uno_mesh_bell(pe->far->net);
    pe->watch = watch;
}

static void begin(struct uno_pe *pe) {
    struct uno_net *net = uno_mesh_open(pe);
    if (!net)
        uno_fail(pe, "p_init: out of memory");
    uno_far_start(pe, &uno_net_mesh, net);
    pe->here = 1;
    pe->spin = false;
    pe->polls = 0;
    pe->paced = true;
    pe->idle = idle;
    pe->left = has_left;
    pe->hear = uno_mesh_hear;
    uno_nodes_open(pe);
    listen(pe);
}

static void part(struct uno_pe *pe) {
    idle(pe);   /* a command, so that the work before it has taken its time */
    listen(pe); /* again, since the channel has ended, and with it what it knew of the bell */
    pe->progress = uno_far_poll;
    uno_nodes_close(pe);
    uno_unit_shm.part(pe);
}

const struct uno_unit uno_unit_mesh = {
    .begin = begin,
    .meet = uno_nodes_meet,
    .leave = uno_board_leave,
    .interrupt = uno_far_interrupt_raise,
    .part = part,
};
