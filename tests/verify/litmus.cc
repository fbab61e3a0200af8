/* The parts of C11's memory model that the checker shows, and those that it does not: programs of a few
 * accesses each, with an outcome that only a weak memory gives. docs/proof.md describes the consequences for
 * the models beside this one.
 *
 * By the standard each outcome is allowed or not. One that is not must appear in no search. One that is
 * either appears in a search, or the checker cannot show it, and this file expects which: should another
 * version of the checker show more, or less, the test fails and the page has to be changed.
 *
 *     verify-litmus
 *
 * The accesses are those of checker.h, with which all models are made. Three searches: all schedules within 4
 * context switches, with loads that go back one value (bound) or 7 (deep); and 100,000 random schedules. */

#include "model.h"

#include "explore.h"
#include "kernel_model.h"

enum { SWITCHES = 4, RANDOM = 100000, STORES = 8 };

static uno_atomic64 x, y;
static uint64_t r[4];
static bool stored; /* all of STORES, in the order of the execution: the checker does not know of it */

/* ---- the programs ------------------------------------------------------------------------------------- */

static void sb(unsigned t) {
    uno_store64_relaxed(t ? &y : &x, 1);
    r[t] = uno_load64_relaxed(t ? &x : &y);
}

static void sb_ordered(unsigned t) {
    uno_store64_release(t ? &y : &x, 1);
    r[t] = uno_load64_acquire(t ? &x : &y);
}

static void sb_light(unsigned t) {
    uno_store64_relaxed(t ? &y : &x, 1);
    uno_fence_light();
    r[t] = uno_load64_relaxed(t ? &x : &y);
}

static void sb_fenced(unsigned t) {
    uno_store64_relaxed(t ? &y : &x, 1);
    if (t)
        checker_fence_heavy();
    else
        uno_fence_light();
    r[t] = uno_load64_relaxed(t ? &x : &y);
}

static bool both_0() {
    return !r[0] && !r[1];
}

static void mp(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 1);
        uno_store64_relaxed(&y, 1);
    } else {
        r[0] = uno_load64_relaxed(&y);
        r[1] = uno_load64_relaxed(&x);
    }
}

static void mp_released(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 1);
        uno_store64_release(&y, 1);
    } else {
        r[0] = uno_load64_relaxed(&y);
        r[1] = uno_load64_relaxed(&x);
    }
}

static void mp_acquired(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 1);
        uno_store64_relaxed(&y, 1);
    } else {
        r[0] = uno_load64_acquire(&y);
        r[1] = uno_load64_relaxed(&x);
    }
}

static void mp_ordered(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 1);
        uno_store64_release(&y, 1);
    } else {
        r[0] = uno_load64_acquire(&y);
        r[1] = uno_load64_relaxed(&x);
    }
}

static bool flag_alone() {
    return r[0] == 1 && r[1] == 0;
}

static void lb(unsigned t) {
    r[t] = uno_load64_relaxed(t ? &y : &x);
    uno_store64_relaxed(t ? &x : &y, 1);
}

static void lb_ordered(unsigned t) {
    r[t] = uno_load64_acquire(t ? &y : &x);
    uno_store64_release(t ? &x : &y, 1);
}

static void lb_one(unsigned t) {
    r[t] = t ? uno_load64_acquire(&y) : uno_load64_relaxed(&x);
    if (t)
        uno_store64_relaxed(&x, 1);
    else
        uno_store64_release(&y, 1);
}

static bool both_1() {
    return r[0] == 1 && r[1] == 1;
}

static void iriw(unsigned t) {
    if (t < 2) {
        uno_store64_release(t ? &y : &x, 1);
    } else {
        r[2 * t - 4] = uno_load64_acquire(t == 2 ? &x : &y);
        r[2 * t - 3] = uno_load64_acquire(t == 2 ? &y : &x);
    }
}

static void iriw_changed(unsigned t) {
    if (t < 2) {
        uno_or64_seq_cst(t ? &y : &x, 1);
    } else {
        r[2 * t - 4] = uno_or64_seq_cst(t == 2 ? &x : &y, 0);
        r[2 * t - 3] = uno_or64_seq_cst(t == 2 ? &y : &x, 0);
    }
}

static bool two_orders() {
    return r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0;
}

static void wrc(unsigned t) {
    if (t == 0)
        uno_store64_relaxed(&x, 1);
    if (t == 1 && (r[2] = uno_load64_relaxed(&x)))
        uno_store64_relaxed(&y, 1);
    if (t == 2) {
        r[0] = uno_load64_relaxed(&y);
        r[1] = uno_load64_relaxed(&x);
    }
}

static void wrc_ordered(unsigned t) {
    if (t == 0)
        uno_store64_relaxed(&x, 1);
    if (t == 1 && (r[2] = uno_load64_relaxed(&x)))
        uno_store64_release(&y, 1);
    if (t == 2) {
        r[0] = uno_load64_acquire(&y);
        r[1] = uno_load64_relaxed(&x);
    }
}

static void corr(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 1);
        uno_store64_relaxed(&x, 2);
    } else {
        r[0] = uno_load64_relaxed(&x);
        r[1] = uno_load64_relaxed(&x);
    }
}

static bool backwards() {
    return r[0] > r[1];
}

static void two_writes(unsigned t) {
    uno_store64_relaxed(t ? &y : &x, 2);
    uno_store64_relaxed(t ? &x : &y, 1);
}

static bool both_2() {
    return checker->atomic64[x.number].debug_value() == 2 && checker->atomic64[y.number].debug_value() == 2;
}

static void store_first(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 2);
        uno_store64_relaxed(&y, 1);
    } else {
        r[0] = uno_load64_relaxed(&y);
        uno_store64_relaxed(&x, 1);
    }
}

static bool overwritten() {
    return r[0] == 1 && checker->atomic64[x.number].debug_value() == 2;
}

/* One thread stores 1 to STORES; the other loads after the last store has been executed, or not at all. */
static void old(unsigned t) {
    if (!t) {
        for (uint64_t i = 1; i <= STORES; i++)
            uno_store64_relaxed(&x, i);
        stored = true;
    } else {
        r[1] = stored;
        r[0] = uno_load64_relaxed(&x);
    }
}

template <uint64_t Back> static bool is_back() {
    return r[1] && r[0] == STORES - Back;
}

static void again(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 1);
        stored = true;
    } else {
        r[0] = uno_load64_relaxed(&x);
        r[2] = stored;
        r[1] = uno_load64_relaxed(&x);
    }
}

static void again_yielded(unsigned t) {
    if (!t) {
        uno_store64_relaxed(&x, 1);
        stored = true;
    } else {
        r[0] = uno_load64_relaxed(&x);
        rl::yield(1, $);
        r[2] = stored;
        r[1] = uno_load64_relaxed(&x);
    }
}

static bool still_0() {
    return r[2] && !r[0] && !r[1];
}

enum { BOUND = 1, DEEP = 2, WITH_RANDOM = 4, ALL_SEARCHES = 7, NONE = 0 };

static const struct litmus {
    const char *name, *what;
    unsigned threads;
    void (*thread)(unsigned);
    bool (*outcome)();
    bool allowed;   /* by C11; of fences, by what membarrier promises */
    unsigned shown; /* by these searches */
} programs[] = {
    {"SB", "store buffering, relaxed", 2, sb, both_0, true, ALL_SEARCHES},
    {"SB+rel-acq", "the same, release and acquire", 2, sb_ordered, both_0, true, ALL_SEARCHES},
    {"SB+light", "the same, two light fences", 2, sb_light, both_0, true, ALL_SEARCHES},
    {"SB+heavy", "the same, a light and a heavy fence", 2, sb_fenced, both_0, false, NONE},
    {"MP", "message passing, relaxed", 2, mp, flag_alone, true, ALL_SEARCHES},
    {"MP+rel", "the same, no acquire", 2, mp_released, flag_alone, true, ALL_SEARCHES},
    {"MP+acq", "the same, no release", 2, mp_acquired, flag_alone, true, ALL_SEARCHES},
    {"MP+rel-acq", "the same, release and acquire", 2, mp_ordered, flag_alone, false, NONE},
    {"WRC", "message passing over three, relaxed", 3, wrc, flag_alone, true, ALL_SEARCHES},
    {"WRC+rel-acq", "the same, but the first load", 3, wrc_ordered, flag_alone, false, NONE},
    {"IRIW+rel-acq", "two readers see two stores in two orders", 4, iriw, two_orders, true, ALL_SEARCHES},
    {"IRIW+rmw", "the same, all read-modify-writes", 4, iriw_changed, two_orders, false, NONE},
    {"CoRR", "a reader sees a later value, then an earlier", 2, corr, backwards, false, NONE},
    {"LB", "load buffering, relaxed", 2, lb, both_1, true, NONE},
    {"LB+rel-acq", "the same, release and acquire", 2, lb_ordered, both_1, false, NONE},
    {"LB+one", "the same, for one of the two words", 2, lb_one, both_1, false, NONE},
    {"2+2W", "each thread's first store is the last", 2, two_writes, both_2, true, NONE},
    {"S", "a store after a load is before what it saw", 2, store_first, overwritten, true, NONE},
    {"old-1", "a load returns the last value but one", 2, old, is_back<1>, true, ALL_SEARCHES},
    {"old-2", "but two", 2, old, is_back<2>, true, DEEP | WITH_RANDOM},
    {"old-7", "but seven", 2, old, is_back<7>, true, DEEP | WITH_RANDOM},
    {"old-8", "but eight", 2, old, is_back<8>, true, NONE},
    {"again", "an old value is loaded twice", 2, again, still_0, true, ALL_SEARCHES},
    {"again+yield", "the same, sched_yield between", 2, again_yielded, still_0, true, NONE},
};

/* ---- running them ------------------------------------------------------------------------------------- */

static const struct litmus *program;
static bool shown;

template <int Threads> struct model : rl::test_suite<model<Threads>, Threads> {
    checker_cells cells;

    void before() {
        checker = &cells;
        cells.begin();
        x.number = cells.fresh64(0);
        y.number = cells.fresh64(0);
        memset(r, 0, sizeof r);
        stored = false;
    }

    void thread(unsigned me) {
        program->thread(me);
    }

    void after() {
        shown |= program->outcome();
    }
};

static bool runs(rl::scheduler_type_e how, unsigned limit, unsigned long *executions) {
    std::ostream nowhere(NULL);
    switch (program->threads) {
    case 2:
        return explore<model<2>>(how, limit, nowhere, executions);
    case 3:
        return explore<model<3>>(how, limit, nowhere, executions);
    default:
        return explore<model<4>>(how, limit, nowhere, executions);
    }
}

/* The searches that show the outcome. */
static unsigned search(unsigned long *executions) {
    unsigned by = 0;
    for (unsigned s : {BOUND, DEEP, WITH_RANDOM}) {
        shown = false;
        history_deep = s == DEEP;
        if (!runs(s == WITH_RANDOM ? rl::sched_random : rl::sched_bound,
                  s == WITH_RANDOM ? (unsigned)RANDOM : (unsigned)SWITCHES, executions)) {
            fprintf(stderr, "litmus: %s does not run\n", program->name);
            exit(1);
        }
        by |= shown ? s : 0;
    }
    return by;
}

int main() {
    int bad = 0;
    unsigned long executions = 0;
    sleeps = true; /* otherwise a light fence is nothing */
    printf("%-13s %-46s %-10s %-6s %-5s %s\n", "program", "outcome", "C11", "bound", "deep", "random");
    for (const struct litmus &l : programs) {
        program = &l;
        unsigned by = search(&executions);
        bool good = by == l.shown && (l.allowed || !by);
        printf("%-13s %-46s %-10s %-6s %-5s %s%s\n", l.name, l.what, l.allowed ? "allowed" : "forbidden",
               by & BOUND ? "shown" : "-", by & DEEP ? "shown" : "-", by & WITH_RANDOM ? "shown" : "-",
               good ? "" : "   <- not what is expected");
        bad += !good;
    }
    printf("%lu executions\n", executions);
    if (bad)
        printf("litmus: %d programs show something else than docs/proof.md says\n", bad);
    return bad ? 1 : 0;
}
