/* PEs that have used messages, and wait: while nothing moves they hardly ever wake, and interrupt nobody by a
 * fence on every processor; and when something moves they do their part at once. What is held against a limit
 * is counted, since the processor time of a wake depends on the machine; that time is printed.
 *
 * The word on the command line says whether the kernel can wait for one of two words, as Linux does since
 * 5.16: `either` or `one`. */

#include <stdio.h>
#include <string.h>
#include <vertex.h>

#include "harness.h"
#include "waking.h"

enum {
    TRIES = 4,   /* the least of them counts, since a machine may be busy */
    FENCES = 3,  /* of one wait, at most */
    WAKES = 100, /* likewise; one a millisecond would be 750 */
    MESSAGES = 20,
    BYTES = 1 << 18, /* of one: more than the pool, so that its writer waits for its reader */
    POOL = 1 << 16,
};

#define WAIT_SECONDS 0.75
/* A sleep is bounded at 100 ms: that is what each wake costs that gets lost. Where the kernel cannot wait for
 * either word, a PE that has slept so long looks every few milliseconds. */
#define GREATEST_DELAY (0.020 * TEST_SLOW)
#define SETTLE_SECONDS 0.2

/* Send from every PE to the next one. */
static void use_messages(void) {
    int number = p_iproc(), from = NANY, type = 1;
    nwrite(&number, sizeof number, (p_iproc() + 1) % p_nproc(), 1);
    CHECK_INT(sizeof number, nread(&number, sizeof number, &from, &type));
}

static void in_meeting(void) {
    if (p_iproc() == 0)
        test_sleep(WAIT_SECONDS);
    p_wait();
}

static void in_read(void) {
    int number = 0, from = 0, type = 2;
    if (p_iproc() == 0) {
        test_sleep(WAIT_SECONDS);
        for (int k = 1; k < p_nproc(); k++)
            nwrite(&number, sizeof number, k, 2);
    } else {
        CHECK_INT(sizeof number, nread(&number, sizeof number, &from, &type));
    }
}

static long lesser(long a, long b) {
    return a < b ? a : b;
}

/* The others wait for PE 0, which does nothing. */
static void idle(const char *where, void (*wait)(void)) {
    double used = 1e9;
    long fewest = 1000000, wakes = 1000000;
    for (int i = 0; i < TRIES; i++) {
        p_wait();
        struct waking before = waking_now();
        wait();
        struct waking spent = waking_since(&before);
        used = spent.seconds < used ? spent.seconds : used;
        fewest = lesser(fewest, spent.fences);
        wakes = lesser(wakes, spent.wakes);
        if (p_any(p_iproc() > 0 && (wakes > WAKES || fewest > FENCES)) == 0)
            break;
    }
    double worst = p_reduceMaxd(p_iproc() ? used / WAIT_SECONDS : 0);
    long most = p_reduceMax64(p_iproc() ? fewest : 0), often = p_reduceMax64(p_iproc() ? wakes : 0);
    if (p_iproc() == 0)
        printf("idle: %d PEs wait %s: %.3f%% of a processor, %ld wakes, %ld fences in %g s at most\n",
               p_nproc() - 1, where, 100 * worst, often, most, WAIT_SECONDS);
    if (most > FENCES)
        test_fail("a PE that waits %s, %g s long, made %ld fences on all processors, more than %d", where,
                  WAIT_SECONDS, most, FENCES);
    if (often > WAKES)
        test_fail("a PE that waits %s, %g s long, woke %ld times, more than %d", where, WAIT_SECONDS, often,
                  WAKES);
}

/* PE 0 writes to a PE that has fallen asleep in a meeting, and can go on only as that one takes messages
 * in. */
static void served(void) {
    static char data[BYTES];
    double least = 1e9;
    for (int i = 0; i < TRIES; i++) {
        p_wait();
        double start = 0;
        if (p_iproc() == 0) {
            npool(POOL);
            for (int m = 0; m < MESSAGES; m++) {
                test_sleep(m ? 0.02 : SETTLE_SECONDS);
                start -= test_now();
                nwrite(data, BYTES, 1, 3);
                start += test_now();
            }
        }
        p_wait();
        for (int m = 0; p_iproc() == 1 && m < MESSAGES; m++) {
            int from = 0, type = 3;
            CHECK_INT(BYTES, nread(data, BYTES, &from, &type));
        }
        double each = start / MESSAGES;
        least = each < least ? each : least;
        if (p_any(p_iproc() == 0 && least > GREATEST_DELAY) == 0)
            break;
    }
    if (p_iproc())
        return;
    printf("idle: a PE that sleeps took in a message of %d bytes in %.3f ms\n", BYTES, least * 1e3);
    if (least > GREATEST_DELAY)
        test_fail("a message of %d bytes to a PE that sleeps in a meeting took %g s, more than %g s", BYTES,
                  least, GREATEST_DELAY);
}

static int body(void *unused) {
    (void)unused;
    if (test.word && strcmp(test.word, "one") == 0)
        waking_refuse_either();
    use_messages();
    idle("in a meeting", in_meeting);
    idle("for a message", in_read);
    served();
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
