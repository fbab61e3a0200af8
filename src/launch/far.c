#include "far.h"

#include <stdio.h>
#include <string.h>

#include "engine/kernel.h"
#include "engine/nodes.h"
#include "node.h"

_Static_assert((int)UNO_HOST_NAME == (int)UNO_NODE_NAME, "names of hosts fit the job's memory");

void uno_far_describe(const struct uno_node *node, struct uno_job *job) {
    struct uno_job_nodes *nodes = uno_nodes_of(job);
    nodes->count = node->count;
    nodes->first_port = node->first_port;
    nodes->last_port = node->last_port;
    snprintf(nodes->interface, sizeof nodes->interface, "%s", node->interface);
    memcpy(nodes->name, node->name, (size_t)node->count * sizeof *nodes->name);
    for (int k = 0; k < job->n; k++)
        nodes->place[k].node = node->seat[k];
    uno_nodes_settle(job, node->here);
}

/* Tell the address of PE k, if it has one that is not told. */
static void tell_address(struct uno_run *run, int k) {
    if (!uno_node_has(run->launch, k) || run->addressed[k])
        return;
    const struct uno_node_place *place = &uno_nodes_of(run->job)->place[k];
    char address[UNO_PLACE_ADDRESS];
    /* SYNC ADDRESS: the address */
    uint32_t bytes = uno_load32_acquire(&place->address_bytes);
    if (!bytes || bytes > sizeof address)
        return;
    memcpy(address, place->address, bytes);
    run->addressed[k] = true;
    run->launch->node->address(run->launch->node, k, address, bytes);
}

void uno_far_look(struct uno_run *run) {
    struct uno_node *node = run->launch->node;
    if (!node)
        return;
    /* SYNC FAULT: who failed and how */
    if (!run->fault_told && uno_load32_acquire(&run->job->fault) == UNO_FAULT) {
        char text[UNO_FAULT_TEXT];
        int k = run->job->fault_pe;
        snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, run->job->fault_text);
        run->fault_told = true;
        if (k >= 0 && k < run->launch->n)
            node->fault(node, k, run->job->fault_about, text);
    }
    for (int k = 0; k < run->launch->n; k++)
        tell_address(run, k);
}

void uno_far_hear(struct uno_run *run, int k, const char *address, size_t bytes) {
    struct uno_job_nodes *nodes = uno_nodes_of(run->job);
    if (k < 0 || k >= run->launch->n || uno_node_has(run->launch, k) || bytes > UNO_PLACE_ADDRESS)
        return;
    struct uno_node_place *place = &nodes->place[k];
    memcpy(place->address, address, bytes);
    /* SYNC ADDRESS: the address */
    uno_store32_release(&place->address_bytes, (uint32_t)bytes);
    /* a PE that sleeps on it looks for the address itself, and its sleep is bounded */
    uno_store64_relaxed(&nodes->addresses, uno_load64_relaxed(&nodes->addresses) + 1);
}
