#include "schedule.h"

enum shape { EVERYONE, LABELS, PAIRS, ONE_GROUP, RANGES, SPLIT, ALONE, SHAPES };

void schedule_start(struct schedule *s, uint64_t seed, int n) {
    *s = (struct schedule){.seed = seed, .n = n};
}

/* Draw each PE's label, from which the groups follow: PEs of one label form one group. */
static void label(struct schedule *s, struct rng *r, int *labels) {
    int n = s->n, order[TEST_MAX_PES];
    switch (rng_below(r, SHAPES)) {
    case EVERYONE:
        for (int k = 0; k < n; k++)
            labels[k] = 0;
        break;
    case LABELS: { /* PEs that draw the last label sit the step out */
        int count = 2 + rng_below(r, n < 8 ? n : 8);
        for (int k = 0; k < n; k++)
            labels[k] = rng_below(r, count) == count - 1 ? IDLE : rng_below(r, count);
        break;
    }
    case PAIRS:
        for (int k = 0; k < n; k++) {
            int other = rng_below(r, k + 1);
            order[k] = order[other];
            order[other] = k;
        }
        for (int k = 0; k < n; k++)
            labels[order[k]] = k / 2;
        break;
    case ONE_GROUP:
        for (int k = 0; k < n; k++)
            labels[k] = rng_below(r, 2) ? 0 : IDLE;
        break;
    case RANGES:
        labels[0] = 0;
        for (int k = 1; k < n; k++)
            labels[k] = labels[k - 1] + (rng_below(r, 3) == 0);
        break;
    case SPLIT: /* groups inside the present ones */
        for (int k = 0; k < n; k++)
            labels[k] = s->group[k] == IDLE ? IDLE : 2 * s->group[k] + rng_below(r, 2);
        break;
    case ALONE:
        for (int k = 0; k < n; k++)
            labels[k] = rng_below(r, 4) ? IDLE : k;
        break;
    }
}

static void group(struct schedule *s, const int *labels) {
    int first[2 * TEST_MAX_PES + 8], size[TEST_MAX_PES] = {0};
    for (int i = 0; i < 2 * s->n + 8; i++)
        first[i] = IDLE;
    s->groups = s->alone = s->members = 0;
    for (int k = 0; k < s->n; k++) {
        s->group[k] = IDLE;
        if (labels[k] == IDLE)
            continue;
        if (first[labels[k]] == IDLE)
            first[labels[k]] = k;
        s->group[k] = first[labels[k]];
        size[s->group[k]]++;
        s->members++;
    }
    for (int k = 0; k < s->n; k++) {
        s->groups += size[k] > 1 || (size[k] == 1 && s->n == 1);
        s->alone += size[k] == 1;
    }
}

void schedule_next(struct schedule *s) {
    s->step++;
    if (s->hold-- > 0)
        return;
    struct rng r = rng_for(s->seed, (uint64_t)s->step, 0, 1);
    int labels[TEST_MAX_PES];
    label(s, &r, labels);
    group(s, labels);
    s->hold = rng_below(&r, 4) ? rng_below(&r, 3) : rng_below(&r, 30);
}
