/* Random programs against a serial oracle. All PEs walk through the same random schedule, without any
 * synchronization but that of the operations themselves: at each step the PEs split into groups, and each
 * group meets in a random function of the library on random data. Schedule and data follow from the seed, so
 * every PE knows all members' values, computes its expected result, and compares. `--list` prints the
 * functions. */

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "schedule.h"
#include "serial.h"
#include "values.h"

enum { MAX_FUNCTIONS = 1024 };

/* The purposes of random numbers; 1 belongs to schedule.c. */
enum purpose { MEETING = 2, VALUE, SOURCE, PACE };

/* The group of this PE at this step. */
struct circle {
    uint64_t mask[TEST_WORDS];
    int member[TEST_MAX_PES];
    int size, index; /* of this PE */
};

/* One PE's walk. */
struct walk {
    struct schedule schedule;
    struct circle circle;
    int me, n, words;
    long groups, alone, calls; /* done so far: groups by everyone, calls by this PE */
    long count[MAX_FUNCTIONS]; /* calls of each function */
};

static void find_circle(struct walk *w) {
    struct circle *c = &w->circle;
    memset(c->mask, 0, sizeof c->mask);
    c->size = 0;
    for (int k = 0; k < w->n; k++) {
        if (w->schedule.group[k] != w->schedule.group[w->me])
            continue;
        if (k == w->me)
            c->index = c->size;
        c->mask[k / 64] |= (uint64_t)1 << (k % 64);
        c->member[c->size++] = k;
    }
}

static bool beyond_63(const struct walk *w) {
    for (int i = 1; i < w->words; i++)
        if (w->circle.mask[i])
            return true;
    return false;
}

/* Draw the function that the group meets in, the same at all its members. */
static const struct function *draw_function(const struct walk *w, struct rng *r) {
    for (;;) {
        const struct function *f = &functions[rng_below(r, function_count)];
        if (!function_returns_mask(f) || !beyond_63(w))
            return f;
    }
}

static uint64_t draw_value(const struct walk *w, const struct meeting *m, const struct flavour *flavour,
                           int k) {
    struct rng r = rng_for(w->schedule.seed, (uint64_t)w->schedule.step, (uint64_t)k, VALUE);
    if (m->function->row != ROW_p_vote && m->function->row != ROW_p_voteCount)
        return values_draw(m->function->type, flavour, &r);
    /* for anyone, or only for members */
    return (uint64_t)(flavour->mode % 2 ? rng_below(&r, w->n) : m->member[rng_below(&r, m->size)]);
}

/* Pause now and then, so that PEs arrive in any order, and sometimes so late that others sleep. */
static void pace(const struct walk *w) {
    struct rng r = rng_for(w->schedule.seed, (uint64_t)w->schedule.step, (uint64_t)w->me, PACE);
    int kind = rng_below(&r, 8192);
    if (kind == 0)
        test_sleep(0.001 + 0.002 * rng_below(&r, 2));
    else if (kind < 8)
        test_sleep(0.00001 * rng_below(&r, 10));
    else if (kind < 256)
        sched_yield();
    else if (kind < 512)
        for (volatile int i = rng_below(&r, 3000); i > 0; i--)
            ;
}

static _Noreturn void wrong(const struct walk *w, const struct meeting *m, const char *what, int element,
                            uint64_t expected, uint64_t received) {
    char members[64] = "", place[32] = "", bits[32] = "", launch[32] = "", team[32] = "";
    for (int i = 0; i < m->size && strlen(members) < sizeof members - 8; i++)
        snprintf(members + strlen(members), sizeof members - strlen(members), "%s%d", i ? "," : "",
                 m->member[i]);
    if (element >= 0)
        snprintf(place, sizeof place, "[%d]", element);
    if (m->function->narrow)
        snprintf(bits, sizeof bits, " with %d bits", m->bits);
    if (test.team)
        snprintf(team, sizeof team, " --team %d", w->n);
    else
        snprintf(launch, sizeof launch, "unisono run -n %d ", w->n);
    unsigned long long seed = w->schedule.seed;
    test_fail(
        "seed %llu, step %ld: %s%s in the group of %d {%s}: %s%s: expected %#llx, received %#llx; replay: "
        "%s%s%s --seed %llu --operations %ld",
        seed, w->schedule.step, m->function->name, bits, m->size, members, what, place,
        (unsigned long long)expected, (unsigned long long)received, launch, test.program, team, seed,
        test.operations);
}

/* Call the function and compare with the serial result; array elements that must stay untouched are compared
 * too. */
static void call_and_compare(struct walk *w, const struct meeting *m, int source) {
    enum { GUARD = 1 };
    const struct function *f = m->function;
    uint64_t received[TEST_MAX_PES + GUARD], expected[TEST_MAX_PES + GUARD];
    int elements = f->row == ROW_p_gather ? w->n : f->wide ? w->words : 1;
    uint64_t untouched = UINT64_C(0x5a5a5a5a5a5a5a5a);
    if (f->row == ROW_p_gather && types[f->type].storage < 64)
        untouched &= ((uint64_t)1 << types[f->type].storage) - 1;
    for (int i = 0; i < elements + GUARD; i++)
        received[i] = expected[i] = untouched;
    struct call got = {.value = m->value[w->circle.index],
                       .source = source,
                       .bits = m->bits,
                       .put = m->root == w->circle.index,
                       .array = received,
                       .elements = elements + (f->row == ROW_p_gather)};
    struct call want = got;
    want.array = expected;
    want.elements = elements;
    serial_result(m, w->circle.index, &want);
    f->call(&got);
    if (!serial_equal(f, want.result, got.result))
        wrong(w, m, "result", -1, want.result, got.result);
    for (int i = 0; i < elements + GUARD; i++)
        if (expected[i] != received[i])
            wrong(w, m, "array", i, expected[i], received[i]);
}

static void meet(struct walk *w) {
    const struct circle *c = &w->circle;
    struct rng r = rng_for(w->schedule.seed, (uint64_t)w->schedule.step, (uint64_t)c->member[0], MEETING);
    uint64_t value[TEST_MAX_PES];
    struct meeting m = {.size = c->size, .member = c->member, .value = value};
    m.function = draw_function(w, &r);
    m.bits = m.function->narrow ? 1 + rng_below(&r, types[m.function->type].width) : 0;
    m.root = rng_below(&r, m.size);
    struct flavour flavour = values_flavour(m.function->type, &r);
    for (int i = 0; i < m.size; i++)
        value[i] = draw_value(w, &m, &flavour, c->member[i]);
    struct rng own = rng_for(w->schedule.seed, (uint64_t)w->schedule.step, (uint64_t)w->me, SOURCE);
    call_and_compare(w, &m, c->member[rng_below(&own, m.size)]);
    w->count[m.function - functions]++;
    w->calls++;
}

/* Call p_enqueue, in either form where both are possible, and check the results that depend on the mask
 * alone. */
static void enter(const struct walk *w) {
    const struct circle *c = &w->circle;
    if (w->schedule.step % 3 == 0 || beyond_63(w))
        p_enqueueWide(c->mask);
    else
        p_enqueue(c->mask[0]);
    CHECK_INT(c->size, p_population());
    CHECK_INT(c->index, p_enumerate());
    CHECK_INT(c->member[0], p_selectFirst());
    CHECK_INT(c->member[0], p_selectOne());
}

/* Meet with all PEs, to check that none was left out, and in a long walk no function either. */
static void finish(struct walk *w) {
    uint64_t everyone[TEST_WORDS] = {0};
    for (int k = 0; k < w->n; k++)
        everyone[k / 64] |= (uint64_t)1 << (k % 64);
    p_enqueueWide(everyone);
    uint64_t calls = p_reduceAdd64u((uint64_t)w->calls);
    int missed = 0;
    for (int i = 0; i < function_count; i++)
        missed += p_reduceAdd64((int64_t)w->count[i]) == 0;
    if (w->me > 0)
        return;
    printf("oracle: %d PEs, seed %llu: %ld group operations and %ld of a PE alone, %llu calls, %d of %d "
           "functions, %ld steps, all as expected\n",
           w->n, (unsigned long long)w->schedule.seed, w->groups, w->n > 1 ? w->alone : 0,
           (unsigned long long)calls, function_count - missed, function_count, w->schedule.step);
    CHECK(w->groups >= test.operations);
    if (w->groups > 50L * function_count)
        CHECK_INT(0, missed);
}

static int body(void *unused) {
    (void)unused;
    struct walk w = {.me = p_iproc(), .n = p_nproc(), .words = (p_nproc() + 63) / 64};
    uint64_t seed = test_seed();
    if (test.seed_random && w.me == 0) {
        printf("oracle: seed %llu\n", (unsigned long long)seed);
        fflush(stdout);
    }
    CHECK(function_count <= MAX_FUNCTIONS);
    schedule_start(&w.schedule, seed, w.n);
    while (w.groups < test.operations) {
        schedule_next(&w.schedule);
        w.groups += w.schedule.groups;
        w.alone += w.schedule.alone;
        pace(&w);
        if (w.schedule.group[w.me] == IDLE)
            continue;
        find_circle(&w);
        enter(&w);
        meet(&w);
    }
    finish(&w);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        functions_print();
        return TEST_PASSED;
    }
    return test_run(argc, argv, body);
}
