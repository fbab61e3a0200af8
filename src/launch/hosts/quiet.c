#include "quiet.h"

#include <stdlib.h>
#include <string.h>

#include "launch/deadlock.h"
#include "launch/phase.h"

/* ---- what agents tell -------------------------------------------------------------------------------- */

bool uno_quiet_hear(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t state;
    if (!uno_frame_get(frame, &state))
        return false;
    c->node[node].quiet = (enum uno_quiet_state)state;
    return true;
}

bool uno_quiet_hear_facts(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    struct uno_far_node *of = &c->node[node];
    size_t bytes, all = (size_t)c->far->launch->n * sizeof *of->fact;
    int32_t apart;
    const char *data;
    if (!uno_frame_get(frame, &of->answered, &apart, &data, &bytes) || (bytes && bytes != all))
        return false;
    free(of->fact);
    of->fact = bytes ? malloc(all) : NULL;
    if (of->fact)
        memcpy(of->fact, data, all);
    of->apart = of->fact && apart;
    return true;
}

/* ---- what is asked ----------------------------------------------------------------------------------- */

/* Return true if it is worth while to ask. */
static bool is_worth(const struct uno_coordinator *c) {
    bool all = true, apart = false;
    for (int i = 0; i < c->far->hosts->count; i++) {
        all &= c->node[i].over || c->node[i].quiet;
        apart |= c->node[i].quiet == UNO_QUIET_APART;
    }
    return c->told && !c->ending && (all || apart);
}

static void ask(struct uno_coordinator *c) {
    c->quiet.asks = true;
    c->quiet.number++;
    for (int i = 0; i < c->far->hosts->count; i++)
        if (!c->node[i].over)
            uno_link_put(&c->node[i].link, UNO_FRAME_LOOK, c->quiet.number);
}

/* Return true if all have answered. */
static bool all_answered(const struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++)
        if (!c->node[i].over && c->node[i].answered != c->quiet.number)
            return false;
    return true;
}

/* ---- what follows ------------------------------------------------------------------------------------ */

static bool settled(const struct uno_coordinator *c) {
    const struct uno_hosts *hosts = c->far->hosts;
    const struct uno_fact *fact[UNO_NODES_MOST];
    for (int i = 0; i < hosts->count; i++)
        if (!(fact[i] = c->node[i].fact))
            return false;
    return uno_facts_settled(c->far->launch->n, hosts->count, hosts->seat, fact);
}

/* Keep the answers. Returns false if there is no memory. */
static bool keep(struct uno_coordinator *c) {
    size_t all = (size_t)c->far->launch->n * sizeof(struct uno_fact);
    for (int i = 0; i < c->far->hosts->count; i++) {
        struct uno_far_node *node = &c->node[i];
        if (!node->before && !(node->before = malloc(all)))
            return false;
        memcpy(node->before, node->fact, all);
    }
    return true;
}

/* Return true if the answers are those that were kept. */
static bool are_same(const struct uno_coordinator *c) {
    size_t all = (size_t)c->far->launch->n * sizeof(struct uno_fact);
    for (int i = 0; i < c->far->hosts->count; i++)
        if (memcmp(c->node[i].before, c->node[i].fact, all) != 0)
            return false;
    return true;
}

/* Return whom each PE waits for; of those of other nodes than `only`, unless it is negative, nothing is
 * known. */
static int *conclude(const struct uno_coordinator *c, int only) {
    int n = c->far->launch->n, *waits_for = malloc((size_t)n * sizeof *waits_for);
    for (int k = 0; waits_for && k < n; k++) {
        int node = c->far->hosts->seat[k];
        waits_for[k] = only < 0 || node == only ? c->node[node].fact[k].waits_for : UNO_STUCK_FAR;
    }
    return waits_for;
}

/* Return the node that has answered that its PEs can never go on; -1: there is none. */
static int find_apart(const struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++)
        if (c->node[i].apart && c->node[i].answered == c->quiet.number)
            return i;
    return -1;
}

int *uno_quiet_step(struct uno_coordinator *c, uint64_t now) {
    struct uno_quiet *quiet = &c->quiet;
    if (c->ending)
        return NULL;
    if (!quiet->asks) {
        if (is_worth(c) && now >= quiet->next)
            ask(c);
        return NULL;
    }
    int apart = find_apart(c);
    if (apart >= 0)
        return conclude(c, apart);
    if (!all_answered(c))
        return NULL;
    if (!settled(c)) {
        quiet->asks = quiet->again = false;
        quiet->next = now + UNO_DEADLOCK_NS;
    } else if (quiet->again && are_same(c)) {
        return conclude(c, -1);
    } else if (keep(c)) {
        quiet->again = true;
        ask(c);
    }
    return NULL;
}

uint64_t uno_quiet_due(const struct uno_coordinator *c) {
    return !c->quiet.asks && is_worth(c) ? c->quiet.next : 0;
}

void uno_quiet_free(struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++) {
        free(c->node[i].fact);
        free(c->node[i].before);
    }
}
