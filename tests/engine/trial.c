/* Trials of two ways, of goes whose times are made up: in which order the ways are tried, which one is gone
 * on with, and when it is looked again. */

#include "engine/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 3, RESTS = 10, CYCLE = 2 * TRIES + RESTS };

static int lines;

static void check(const char *what, long expected, long got) {
    if (expected == got)
        return;
    printf("%s: expected %ld, got %ld\n", what, expected, got);
    lines++;
}

/* Return the ways of a number of runs, of which those by way `slow` take twice as long. Untimed runs report
 * nothing. */
static void go(struct uno_trial *t, int slow, int goes, char *ways) {
    for (int i = 0; i < goes; i++) {
        if (uno_trial_is_due(t))
            uno_trial_begin(t, TRIES);
        int way = uno_trial_way(t);
        ways[i] = (char)('0' + way);
        bool runs = uno_trial_runs(t), last = i % CYCLE == 2 * TRIES - 1;
        if (runs)
            uno_trial_learn(t, way == slow ? 200 : 100);
        check("the trial ends with its last go", runs && last, uno_trial_count(t, RESTS));
    }
    ways[goes] = 0;
}

static void check_ways(const char *what, const char *expected, const char *got) {
    if (!strcmp(expected, got))
        return;
    printf("%s: expected %s, got %s\n", what, expected, got);
    lines++;
}

int main(void) {
    struct uno_trial t = {0};
    char ways[CYCLE + 1];
    go(&t, 0, CYCLE, ways);
    check_ways("the second way is faster", "0001111111111111", ways);
    go(&t, 1, CYCLE, ways);
    check_ways("then the first one is", "0001110000000000", ways);
    go(&t, 0, CYCLE, ways);
    check_ways("and then the second one again", "0001111111111111", ways);

    /* The best go counts, and no time is longer than can be told. */
    uno_trial_begin(&t, 2);
    uno_trial_learn(&t, 50);
    uno_trial_learn(&t, 300);
    check("nothing to compare", 0, uno_trial_has_told(&t));
    uno_trial_count(&t, RESTS);
    uno_trial_count(&t, RESTS);
    uno_trial_learn(&t, UINT64_C(1) << 40);
    check("a go of minutes tells nothing", 0, uno_trial_has_told(&t));
    uno_trial_learn(&t, 60);
    check("two ways to compare", 1, uno_trial_has_told(&t));
    uno_trial_end(&t, 2);
    check("the best go of the first way was faster", 0, uno_trial_way(&t));
    check("a trial that has been ended rests", 0, uno_trial_is_due(&t) || uno_trial_runs(&t));
    check("a go that is no trial ends none", 0, uno_trial_count(&t, RESTS));
    check("not yet", 0, uno_trial_is_due(&t));
    uno_trial_count(&t, RESTS);
    check("now", 1, uno_trial_is_due(&t));

    /* One that tells nothing rests as long after its last go as any. */
    uno_trial_begin(&t, TRIES);
    uno_trial_count(&t, RESTS);
    uno_trial_end_early(&t);
    check("it still runs", 1, uno_trial_runs(&t));
    check("it ends with this go", 1, uno_trial_count(&t, RESTS));
    for (int i = 0; i < RESTS; i++) {
        check("it rests", 0, uno_trial_is_due(&t));
        uno_trial_count(&t, RESTS);
    }
    check("it is due again", 1, uno_trial_is_due(&t));
    return lines ? 1 : 0;
}
