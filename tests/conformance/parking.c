/* A PE that waits long sleeps, and is woken when the one that it waits for arrives. */

#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>

#include "harness.h"

enum { ROUNDS = 5 };

#define WAIT_SECONDS 1.0
#define GREATEST_SHARE (0.03 * TEST_SLOW)

/* A sleep is bounded at 100 ms, so that a PE which nobody wakes still comes back: if PE 0 arrives
 * LATE_SECONDS after the others, a wake that gets lost is noticed some 70 ms too late. For that all must
 * start together, and they do so by the clock, since an operation could end late for the same fault. */
#define START_SECONDS 0.150
#define LATE_SECONDS 0.030
#define GREATEST_DELAY 0.035

static double processor_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* PE 0 comes a second late. */
static void long_wait(void) {
    p_wait();
    double before = processor_seconds();
    if (p_iproc() == 0)
        test_sleep(WAIT_SECONDS);
    double came = test_now();
    p_wait();
    double used = processor_seconds() - before, left = test_now();
    if (p_iproc() == 0) {
        p_bcastPutd(came);
        return;
    }
    came = p_bcastGetd();
    if (left < came)
        test_fail("p_wait returned %g s before PE 0 came", came - left);
    if (used > GREATEST_SHARE * WAIT_SECONDS)
        test_fail("a wait of %g s took %g s of processor time, more than %g%%", WAIT_SECONDS, used,
                  100 * GREATEST_SHARE);
}

static void sleep_until(double time) {
    double rest = time - test_now();
    if (rest > 0)
        test_sleep(rest);
}

/* Seconds from the arrival of PE 0, the last, to the end of this PE's wait. */
static double delay(void) {
    if (p_iproc() == 0) {
        double start = test_now() + START_SECONDS;
        p_bcastPutd(start);
        sleep_until(start + LATE_SECONDS);
        p_bcastPutd(test_now());
        return 0;
    }
    sleep_until(p_bcastGetd());
    double came = p_bcastGetd();
    return test_now() - came;
}

/* The shortest delay of each PE counts, since a machine may be busy. */
static void wakes(void) {
    double least = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double d = delay();
        least = d < least ? d : least;
    }
    if (least > GREATEST_DELAY)
        test_fail("the least of %d waits ended %g s after PE 0 arrived, more than %g s", ROUNDS, least,
                  GREATEST_DELAY);
    double worst = p_reduceMaxd(least);
    if (p_iproc() == 0)
        printf("parking: %d PEs woken within %.3f ms\n", p_nproc(), worst * 1e3);
}

static void wait_with(uint64_t group) {
    if (!(group >> p_iproc() & 1))
        return;
    p_enqueue(group);
    p_wait();
}

/* Seconds from an interrupt, which PE 2 raises, to its end. PE 0 sleeps until PE 1 posts, and PE 1 until PE 2
 * meets it, which it does later: so only the interrupt wakes PE 0. */
static double interrupt_delay(void) {
    double start = test_now() + START_SECONDS;
    p_enqueue(ALL_MASK);
    if (p_iproc() == 0)
        p_bcastPutd(start);
    else
        start = p_bcastGetd();
    sleep_until(start);
    if (p_iproc() == 2) {
        sleep_until(start + LATE_SECONDS);
        start = test_now();
        p_interrupt();
    }
    wait_with(12);
    double end = test_now();
    wait_with(6);
    wait_with(3);
    return end - start;
}

static void interrupted(void) {
    double least = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double d = interrupt_delay();
        least = d < least ? d : least;
    }
    p_enqueue(ALL_MASK);
    if (p_iproc() == 2 && least > GREATEST_DELAY)
        test_fail("the least of %d interrupts ended after %g s, more than %g s", ROUNDS, least,
                  GREATEST_DELAY);
    p_wait();
}

static int body(void *unused) {
    (void)unused;
    long_wait();
    wakes();
    if (p_nproc() > 3)
        interrupted();
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
