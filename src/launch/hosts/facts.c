#include "facts.h"

#include "launch/deadlock.h"

/* The facts of a job. */
struct view {
    int n, nodes;
    const int32_t *seat;
    const struct uno_fact *const *fact;
};

static const struct uno_fact *own(const struct view *view, int k) {
    return &view->fact[view->seat[k]][k];
}

static bool has_left(const struct view *view, int k) {
    return own(view, k)->waits_for == UNO_STUCK_LEFT;
}

/* Return true if PE k has taken in all packets that were sent to it. */
static bool has_all(const struct view *view, int k) {
    uint64_t sent = 0;
    for (int i = 0; i < view->nodes; i++)
        sent += i == view->seat[k] ? 0 : view->fact[i][k].packets;
    return sent == own(view, k)->packets;
}

/* Return true if PE k, which has not left, waits for somebody who has not either. */
static bool waits_in_vain(const struct view *view, int k) {
    int peer = own(view, k)->waits_for;
    if (peer != UNO_WILD)
        return peer >= 0 && peer < view->n && !has_left(view, peer);
    for (int i = 0; i < view->n; i++)
        if (i != k && !has_left(view, i))
            return true;
    return false;
}

bool uno_facts_settled(int n, int nodes, const int32_t *seat, const struct uno_fact *const *fact) {
    struct view view = {n, nodes, seat, fact};
    bool any = false;
    for (int k = 0; k < n; k++) {
        if (has_left(&view, k))
            continue;
        if (!has_all(&view, k) || !waits_in_vain(&view, k))
            return false;
        any = true;
    }
    return any;
}
