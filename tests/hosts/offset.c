/* The difference of two clocks, by answers that are late both ways, of clocks that drift apart: no converted
 * time is further off than it is said to be. */

#include "launch/hosts/offset.h"

#include <stdio.h>

#include "rng.h"

enum { ROUNDS = 20000, QUESTIONS = 16, TIMES = 8 };

/* The other clock: where it was, and its speed beside that of this one. */
struct clock {
    int64_t ahead;
    double speed;
};

static uint64_t other_of(const struct clock *clock, uint64_t now) {
    return (uint64_t)((double)now * clock->speed) + (uint64_t)clock->ahead;
}

static uint64_t any(struct rng *rng, uint64_t most) {
    return rng_next(rng) % (most + 1);
}

/* Ask from a time on. Returns the time after the last answer. */
static uint64_t measure(struct rng *rng, const struct clock *clock, uint64_t now, struct uno_offset *offset) {
    uint64_t late = UINT64_C(1) << any(rng, 24);
    uno_offset_begin(offset);
    for (int i = 0; i < QUESTIONS; i++) {
        uint64_t asked = now, answers = asked + any(rng, late), answered = answers + any(rng, late);
        uno_offset_take(offset, asked, other_of(clock, answers), answered);
        now = answered + any(rng, 1000);
    }
    return now;
}

static int check(struct rng *rng, int round) {
    static const double drifts[] = {0, 1e-6, -1e-6, 100e-6, -100e-6, 499e-6};
    double drift = drifts[any(rng, sizeof drifts / sizeof *drifts - 1)];
    struct clock clock = {(int64_t)(any(rng, UINT64_C(1) << 50)) - (INT64_C(1) << 49), 1 + drift};
    struct uno_offsets offsets;
    uint64_t began = measure(rng, &clock, UINT64_C(1) << 40, &offsets.first);
    uint64_t lasts = UINT64_C(1) << any(rng, 42), ended = began + lasts;
    measure(rng, &clock, ended, &offsets.last);
    struct uno_conversion conversion = uno_offset_conversion(&offsets);
    for (int i = 0; i <= TIMES; i++) {
        uint64_t now = began + (uint64_t)((double)lasts * i / TIMES);
        int64_t off = (int64_t)(uno_offset_convert(&conversion, other_of(&clock, now)) - now);
        /* the measurements themselves take time, in which the clocks drift, too; and a double is not exact */
        double most =
            (double)conversion.error + 2e-3 * (double)(offsets.first.error + offsets.last.error) + 1024;
        if ((double)off > most || (double)-off > most) {
            printf("round %d, drift %g, %g s: off by %lld ns, and said is %llu\n", round, drift,
                   (double)lasts / 1e9, (long long)off, (unsigned long long)conversion.error);
            return 1;
        }
    }
    return 0;
}

/* An answer of which the way back took as long as the way there tells the difference exactly. */
static int check_exact(void) {
    struct uno_offsets offsets;
    uno_offset_begin(&offsets.first);
    uno_offset_begin(&offsets.last);
    if (uno_offset_conversion(&offsets).error != UINT64_MAX)
        return printf("without an answer an error is known\n");
    uno_offset_take(&offsets.first, 1000, 5500, 2000);
    uno_offset_take(&offsets.first, 3000, 9999, 9000); /* a longer way tells less */
    struct uno_conversion conversion = uno_offset_conversion(&offsets);
    if (conversion.error != 500 || uno_offset_convert(&conversion, 5500) != 1500)
        return printf("one answer: %llu, within %llu\n",
                      (unsigned long long)uno_offset_convert(&conversion, 5500),
                      (unsigned long long)conversion.error);
    return 0;
}

int main(void) {
    struct rng rng = {1};
    int failures = check_exact() != 0;
    for (int i = 0; i < ROUNDS && failures < 10; i++)
        failures += check(&rng, i);
    return failures != 0;
}
