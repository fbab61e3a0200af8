/* Several machines: PEs are processes that share memory on each node, and nodes exchange over libfabric. */

#include "engine/channel/far/interrupt.h"
#include "engine/far/far.h"
#include "engine/fault.h"
#include "engine/rendezvous.h"
#include "nodes/meet.h"
#include "unit/unit.h"

/* Open this PE's endpoint, and publish its address. */
static void open_endpoint(struct uno_pe *pe) {
    const struct uno_job_nodes *nodes = uno_nodes_of(pe->job);
    const struct uno_net_kind *kind = &uno_net_fabric;
    struct uno_net_wishes wishes = {.interface = *nodes->interface ? nodes->interface : NULL,
                                    .first_port = nodes->first_port,
                                    .last_port = nodes->last_port,
                                    .packet = UNO_FAR_PACKET,
                                    .packets = UNO_FAR_KEPT};
    char error[UNO_NET_ERROR], address[UNO_PLACE_ADDRESS];
    struct uno_net *net = kind->open(&wishes, error);
    if (!net)
        uno_fail(pe, "p_init: no endpoint for the network between the nodes: %s", error);
    uno_far_start(pe, kind, net);
    uno_place_give(pe->job, pe->memory.launcher, pe->me, address, kind->address(net, address));
}

static void begin(struct uno_pe *pe) {
    open_endpoint(pe);
    uno_nodes_open(pe);
}

static void part(struct uno_pe *pe) {
    uno_nodes_close(pe);
    uno_unit_shm.part(pe);
}

const struct uno_unit uno_unit_nodes = {
    .begin = begin,
    .meet = uno_nodes_meet,
    .leave = uno_board_leave,
    .interrupt = uno_far_interrupt_raise,
    .part = part,
};
