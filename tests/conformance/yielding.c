/* Two PEs with a processor each, as far as the job knows: a PE that waits offers its processor to others, and
 * then sleeps. The limit is on the processor time of a wait, and not on its length, since other programs on
 * the machine do not change the former. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <vertex.h>

#include "harness.h"

enum { TRIES = 5, ROUNDS = 300 };

/* Seconds of a processor for one operation of both on one processor: two switches, some 3 us. A PE that does
 * not see the other one beside it polls for 20 us first, and one that never gives the processor away keeps it
 * until it sleeps, for 130 us. */
#define GREATEST (12e-6 * TEST_SLOW)

/* A long wait on a processor of its own, and how much of it may be at work. */
#define WAIT_SECONDS 0.2
#define GREATEST_SHARE (0.03 * TEST_SLOW)
#define SHORT_SECONDS 0.002

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The processors that both may use. */
static cpu_set_t both;

/* Go to processor number k of them, and to no other one. False: there is none, or it is not allowed. */
static bool go_to(int k) {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &both) && k-- == 0)
            CPU_SET(i, &one);
    return CPU_COUNT(&one) && sched_setaffinity(0, sizeof one, &one) == 0;
}

static void meet(void) {
    p_wait();
}

/* PE 0 writes to PE 1. */
static void write_to(void) {
    int number = 0, from = 0, type = 1;
    if (p_iproc() == 0)
        nwrite(&number, sizeof number, 1, type);
    else
        CHECK_INT(sizeof number, nread(&number, sizeof number, &from, &type));
}

static void on_one(void) {
    double least = 1e9;
    for (int i = 0; i < TRIES; i++) {
        p_wait();
        double before = processor_seconds();
        for (int k = 0; k < ROUNDS; k++)
            p_wait();
        double each = (processor_seconds() - before) / ROUNDS;
        least = each < least ? each : least;
    }
    double worst = p_reduceMaxd(least);
    if (p_iproc() == 0)
        printf("yielding: %.2f us of a processor for an operation\n", worst * 1e6);
    if (least > GREATEST)
        test_fail("an operation of two PEs on one processor took %g us of its time, more than %g",
                  least * 1e6, GREATEST * 1e6);
}

/* Wait in each PE, so that it notes the processor on which it runs. */
static void tell_places(void) {
    for (int k = 0; k < 2; k++) {
        if (p_iproc() == k)
            test_sleep(SHORT_SECONDS);
        p_wait();
    }
}

/* PE 1 waits for PE 0, which does nothing. */
static void apart(const char *how, void (*wait)(void)) {
    double least = 1e9;
    for (int i = 0; i < TRIES; i++) {
        tell_places();
        double before = processor_seconds();
        if (p_iproc() == 0)
            test_sleep(WAIT_SECONDS);
        wait();
        double used = processor_seconds() - before;
        least = used < least ? used : least;
        if (!p_any(least > GREATEST_SHARE * WAIT_SECONDS))
            break;
    }
    if (p_iproc() == 1)
        printf("yielding: %s of %g s: %.2f ms of a processor\n", how, WAIT_SECONDS, least * 1e3);
    if (least > GREATEST_SHARE * WAIT_SECONDS)
        test_fail("%s, %g s long, took %g s of a processor, more than %g%%", how, WAIT_SECONDS, least,
                  GREATEST_SHARE * 100);
}

static int body(void *unused) {
    (void)unused;
    if (p_any(!go_to(0))) {
        if (p_iproc() == 0)
            printf("skipped: this needs two processors, and leave to choose one of them\n");
        return TEST_SKIPPED;
    }
    on_one();
    CHECK(go_to(p_iproc()));
    apart("a wait in a meeting", meet);
    apart("a wait for a message", write_to);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    if (sched_getaffinity(0, sizeof both, &both) || CPU_COUNT(&both) < 2) {
        printf("skipped: this needs two processors\n");
        return TEST_SKIPPED;
    }
    return test_run(argc, argv, body);
}
