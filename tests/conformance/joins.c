/* The PEs that take part in a parallel interrupt, and that may raise one: a PE that sleeps outside the
 * library keeps the others waiting; one that sleeps in a receive comes at once; and a signal handler may
 * raise one, whatever its PE does. */

#define _GNU_SOURCE
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include <vertex.h>

enum { TYPE = 7, SIGNAL_ROUNDS = 5, UNO_SLOTS = 4 };

static _Thread_local volatile struct {
    int64_t handled; /* interrupts */
    double at;       /* the last, in s of test_now */
} here;

static void handler(const uint64_t *cause) {
    (void)cause;
    here.handled++;
    here.at = test_now();
}

/* Meet in a group of this PE alone. */
static void meet_alone(void) {
    p_enqueue(OUR_MASK);
    p_wait();
    p_enqueue(ALL_MASK);
}

/* Sleep elsewhere so long that a simulated unit goes on without the PE (hardware.c), then begin an operation;
 * or receive, a message that comes only when the interrupt is over. */
static void away(int last, bool receives) {
    int word = 0, from = 0, type = TYPE;
    double came = 0;
    int64_t before = here.handled;
    p_wait();
    if (p_iproc() == 0) {
        test_sleep(0.03); /* those who are late in this operation would take part in it */
        p_interrupt();
    } else if (p_iproc() == last) {
        bool out = here.handled == before;
        test_sleep(0.25);
        came = out ? test_now() : 0;
        if (receives)
            CHECK_INT(sizeof word, nread(&word, sizeof word, &from, &type));
    }
    meet_alone();
    if (p_iproc() == 0) {
        CHECK_INT(before + 1, here.handled);
        if (receives)
            nwrite(&word, sizeof word, last, TYPE);
    }
    p_wait();
    CHECK_INT(before + 1, here.handled);
    double handled_at = p_putgetd(here.at, 0);
    CHECK(handled_at >= p_putgetd(came, last));
}

static void raise_one(int number) {
    (void)number;
    p_interrupt();
}

/* PE 0 waits in an operation, is between two, or begins one. */
static void by_signal(int last) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    timer_t timer = 0;
    event._sigev_un._tid = gettid();
    signal(SIGUSR1, raise_one);
    for (int round = 0; round < SIGNAL_ROUNDS; round++) {
        int64_t before = here.handled;
        p_wait();
        if (p_iproc() == 0) {
            struct itimerspec in = {.it_value.tv_nsec = 1000 + round * 5000000L};
            CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
                  timer_settime(timer, 0, &in, NULL) == 0);
        } else if (p_iproc() == last) {
            test_sleep(0.03);
        }
        p_wait();
        while (p_any(here.handled == before))
            test_sleep(0.001);
        if (p_iproc() == 0)
            timer_delete(timer);
        p_wait();
        CHECK_INT(before + 1, here.handled);
    }
}

/* PE 0 is in an operation of its own, with an interrupt in it or without, while PE 1 sleeps in a receive, and
 * any others until PE 1 posts. Returns how long the operation took. PE 1 has posted 3 times more than before
 * the last such round, so the others wait for another slot of it each time. */
static double round_of_sleepers(bool with) {
    int word = 0, from = 0, type = TYPE, me = p_iproc();
    double took = 0;
    p_wait();
    p_wait();
    if (me == 0) {
        test_sleep(0.02);
        double began = test_now();
        if (with)
            p_interrupt();
        meet_alone();
        took = test_now() - began;
        nwrite(&word, sizeof word, 1, TYPE);
        return took;
    }
    if (me == 1)
        CHECK_INT(sizeof word, nread(&word, sizeof word, &from, &type));
    p_enqueue(ALL_MASK & ~(uint64_t)1);
    p_wait();
    p_enqueue(ALL_MASK);
    return 0;
}

/* A sleeping PE is woken for an interrupt, and does not sleep to the end of its time. The least of several
 * times counts, for each slot. Without an interrupt the operation takes some time on a simulated unit, too,
 * which waits for the receiver. */
static void sleepers(void) {
    enum { TRIES = 32 };              /* so many only beside many busy programs */
    static const double MOST = 0.025; /* longer; a PE that is not woken sleeps for 80 ms more */
    double without = 1, with[UNO_SLOTS], most = 0;
    for (int s = 0; s < UNO_SLOTS; s++)
        with[s] = 1;
    for (int try = 0; try < TRIES; try++) {
        for (int s = 0; s < UNO_SLOTS; s++) {
            double took = round_of_sleepers(true);
            with[s] = took < with[s] ? took : with[s];
        }
        for (int s = 0; s < UNO_SLOTS; s++) { /* as many, so that the slots stay the same */
            double took = try % 4 ? 0 : round_of_sleepers(false);
            without = took && took < without ? took : without;
        }
        most = 0;
        for (int s = 0; s < UNO_SLOTS; s++)
            most = with[s] > most ? with[s] : most;
        if (!p_any(p_iproc() == 0 && most > without + MOST * TEST_SLOW))
            return;
        for (int i = 0; i < UNO_SLOTS - 1; i++) /* and one above */
            p_wait();
    }
    if (p_iproc() == 0)
        test_fail("an operation takes %.0f ms, and with an interrupt for which others are to be woken %.0f",
                  1000 * without, 1000 * most);
}

static int body(void *unused) {
    (void)unused;
    int last = p_nproc() - 1;
    p_onInterrupt(handler);
    away(last, false);
    away(last, true);
    by_signal(last);
    sleepers();
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
