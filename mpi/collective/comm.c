#include "collective/comm.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "engine/group.h"
#include "engine/nodes.h"

/* The group of the PEs, and where its members stand in the communicator. */
static void set_group(struct uno_comm *c) {
    const struct uno_job *job = c->lane->pe->job;
    uint64_t mask[UNO_WORDS] = {0};
    bool in_order = true;
    for (int r = 0; r < c->size; r++) {
        mask[c->pe[r] / 64] |= (uint64_t)1 << (c->pe[r] % 64);
        in_order &= r == 0 || c->pe[r - 1] < c->pe[r];
    }
    uno_group_of(mask, job->words, c->lane->pe->me, &c->group);
    if (in_order)
        return;
    c->place = uno_base_allocate((size_t)c->size, sizeof *c->place);
    for (int r = 0; r < c->size; r++)
        c->place[r] = uno_group_rank(&c->group, c->pe[r]);
}

/* Find the unit that carries the meetings of the group: on several nodes, and on hardware. The records of a
 * unit are those of the faces. */
static void set_unit(struct uno_comm *c) {
    const struct uno_pe *pe = c->lane->pe;
    c->apart = uno_nodes_far(pe, c->group.mask) >= 0;
    if (c->apart || uno_pe_on_hardware(pe))
        c->unit = pe->recorded ? pe->recorded : pe->unit;
}

void uno_comm_connect(struct uno_comm *c, struct uno_lane *lane, int *pe) {
    c->lane = lane;
    c->pe = pe;
    c->data = uno_base_allocate((size_t)c->size, sizeof *c->data);
    set_group(c);
    set_unit(c);
}

void uno_comm_disconnect(struct uno_comm *c) {
    if (c->lane) {
        if (c->lane->present == c)
            c->lane->present = NULL;
        uno_lane_give_back(c->lane);
    }
    free(c->pe);
    free(c->place);
    free(c->data);
    memset(c, 0, sizeof *c);
}

void uno_comm_enter(const struct uno_comm *c) {
    uno_group_adopt(c->lane->pe, &c->group);
    c->lane->present = c;
}
