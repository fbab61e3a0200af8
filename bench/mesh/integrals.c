#include <math.h>
#include <stdio.h>

#include "programs/programs.h"
#include "talk.h"
#include "trials.h"

enum { WORDS = sizeof(double) / sizeof(uint32_t), NUMBERS = 7 /* of intervals of pi, one more each */ };

static bool is_near(double sum, double expected, double tolerance) {
    return fabs(sum - expected) <= tolerance;
}

/* The area from 0 to `end`, which PE 0 knows; PE 0 gets it. */
static double area(double end, long count, int me, int n) {
    double part, sum;
    for (int k = 1; me == 0 && k < n; k++)
        talk_send(k, &end, WORDS);
    if (me)
        talk_receive(0, &end, WORDS);
    sum = integral_trapezoids(end, count, interval_first(count, me, n), interval_first(count, me + 1, n));
    if (me)
        talk_send(0, &sum, WORDS);
    for (int k = 1; me == 0 && k < n; k++) {
        talk_receive(k, &part, WORDS);
        sum += part;
    }
    return sum;
}

bool trial_trapezoid(int count, int times) {
    int me = talk_me(), n = talk_pes();
    double sums = 0, tolerance;
    bool right = true;
    for (int i = 0; i < times; i++) {
        double end = 1 + 1 / (i + 1.3), sum = area(me ? 0 : end, count, me, n);
        double expected = integral_trapezoids_sum(end, count, &tolerance);
        right &= me || is_near(sum, expected, tolerance);
        sums += sum;
    }
    if (me == 0)
        printf("trapezoid: %d areas of %d: %.9f\n", times, count, sums);
    return right;
}

bool trial_pi(int size, int times) {
    int me = talk_me(), n = talk_pes();
    double sums = 0, tolerance;
    bool right = true;
    for (int i = 0; i < times; i++) {
        int64_t count = me ? 0 : size + i % NUMBERS;
        talk_broadcast(&count, sizeof count / sizeof(uint32_t));
        double sum = talk_sum(integral_pi((long)count, interval_first((long)count, me, n),
                                          interval_first((long)count, me + 1, n)));
        double expected = integral_pi_sum((long)count, &tolerance);
        right &= me || is_near(sum, expected, tolerance);
        sums += sum;
    }
    if (me == 0)
        printf("pi: %d times by %d or more: %.9f\n", times, size, sums);
    return right;
}
