/* The queue model: a closed network of queues.
 *
 * Every PE always has one transfer under way, to all PEs equally often, and nothing keeps the PEs in step. So
 * a transfer finds some number of others on each link of its route: Poisson-distributed, independently on
 * each link, since they are many and each is seldom there. It gets an equal share of the worst of these links
 * (processor sharing). How many are on a link on average follows from how long each transfer takes, and that
 * from how many are on the links: a fixed point, which is iterated to. By the arrival theorem a PE meets the
 * network as if it were not part of it, so the means are taken without one of the PEs. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rates.h"

enum { MOST = 64, ROUNDS = 200 }; /* others on a link that are told apart; iterations at most */

struct way { /* from one node to another */
    int hops, links[UNO_TORUS_HOPS];
    double time; /* of a transfer of 1 MB */
};

struct queues {
    const struct uno_torus *t;
    int nodes, links;
    struct way *way;         /* from the node in turn to all */
    double *mean, *next;     /* by link: transfers on it, on average */
    double (*below)[MOST];   /* by link: the probability of at most so many others */
    double rate[MOST];       /* what a transfer gets beside so many others */
    double transfers[MOST];  /* the share of the transfers with so many others on the worst link */
    double slowness, speeds; /* the means of 1 / rate and of the rate, over all transfers */
};

static void distribute(struct queues *q) {
    double others = 1 - 1.0 / uno_torus_pes(q->t);
    for (int link = 0; link < q->links; link++) {
        double mean = q->mean[link] * others, term = exp(-mean), sum = 0;
        for (int m = 0; m < MOST; m++) {
            sum += term;
            q->below[link][m] = sum;
            term *= mean / (m + 1);
        }
        q->below[link][MOST - 1] = 1;
    }
}

/* The probabilities of the numbers of others on the worst link of a route. */
static void worst(const struct queues *q, const int *links, int hops, double *probability) {
    double before = 0;
    for (int m = 0; m < MOST; m++) {
        double now = 1;
        for (int i = 0; i < hops; i++)
            now *= q->below[links[i]][m];
        probability[m] = now - before;
        before = now;
        if (now > 1 - 1e-9) {
            memset(probability + m + 1, 0, (size_t)(MOST - 1 - m) * sizeof *probability);
            probability[m] += 1 - now;
            return;
        }
    }
}

/* The time that a transfer between two nodes takes, for 1 MB. */
static double transfer(struct queues *q, const int *links, int hops) {
    double probability[MOST], time = 0, rate = 0, share = 1.0 / q->nodes / q->nodes;
    if (hops == 0) { /* in its own node it meets nobody, and ends as the fastest do */
        q->speeds += q->t->cap * share;
        q->transfers[0] += share;
        q->slowness += share / q->t->cap;
        return 1 / q->t->cap;
    }
    worst(q, links, hops, probability);
    for (int m = 0; m < MOST; m++) {
        time += probability[m] / q->rate[m];
        rate += probability[m] * q->rate[m];
        q->transfers[m] += probability[m] * share;
    }
    if (q->t->others == UNO_OTHERS_CHANGING)
        time = 1 / rate;
    q->speeds += rate * share;
    q->slowness += time * share;
    return time;
}

/* Do one iteration: the times by the loads, then the loads by the times. */
static void iterate(struct queues *q) {
    distribute(q);
    memset(q->next, 0, (size_t)q->links * sizeof *q->next);
    memset(q->transfers, 0, sizeof q->transfers);
    q->slowness = q->speeds = 0;
    for (int from = 0; from < q->nodes; from++) {
        double all = 0;
        for (int to = 0; to < q->nodes; to++) {
            struct way *way = &q->way[to];
            way->hops = uno_torus_route(q->t, from, to, way->links);
            way->time = transfer(q, way->links, way->hops);
            all += way->time;
        }
        for (struct way *way = q->way; way < q->way + q->nodes; way++)
            for (int i = 0; i < way->hops; i++)
                q->next[way->links[i]] += q->t->pes * way->time / all;
    }
}

static double greatest(const double *values, int count) {
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

static void solve(struct queues *q) {
    for (int round = 0; round < ROUNDS; round++) {
        iterate(q);
        double change = 0;
        for (int link = 0; link < q->links; link++)
            change = fmax(change, fabs(q->next[link] - q->mean[link]));
        memcpy(q->mean, q->next, (size_t)q->links * sizeof *q->mean);
        if (change < 1e-5 * greatest(q->mean, q->links))
            return;
    }
}

bool uno_torus_unphased(const struct uno_torus *t, struct uno_rates *rates) {
    struct queues q = {.t = t, .nodes = uno_torus_nodes(t), .links = uno_torus_links(t)};
    q.way = calloc((size_t)q.nodes, sizeof *q.way);
    q.mean = calloc((size_t)q.links, sizeof *q.mean);
    q.next = calloc((size_t)q.links, sizeof *q.next);
    q.below = calloc((size_t)q.links, sizeof *q.below);
    bool enough = q.way && q.mean && q.next && q.below;
    *rates = (struct uno_rates){0};
    if (enough) {
        for (int m = 0; m < MOST; m++)
            q.rate[m] = fmin(t->cap, t->link * t->payload / (1 + t->response) / (m + 1));
        solve(&q);
        rates->rate = 1 / q.slowness;
        rates->mean = q.speeds;
        rates->load = greatest(q.mean, q.links);
        for (int m = 0; m < MOST; m++)
            rates->transfers[uno_torus_bin(t, q.rate[m])] += q.transfers[m];
    }
    free(q.way);
    free(q.mean);
    free(q.next);
    free(q.below);
    return enough;
}
