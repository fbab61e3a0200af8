/* p_iproc and p_nproc, p_exit, and teams; also in a program that was started without a launcher. */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

static int body(void *unused) {
    (void)unused;
    int n = p_nproc(), me = p_iproc();
    CHECK(n >= 1 && me >= 0 && me < n);
    CHECK_INT(n, NPROC);
    CHECK_INT(me, IPROC);
    /* the first group is everyone */
    CHECK_INT(n, p_population());
    CHECK_INT(me, p_enumerate());
    CHECK_INT(n * (n - 1) / 2, p_reduceAdd32(me));
    if (n <= 64) {
        CHECK(OUR_MASK == (uint64_t)1 << me);
        CHECK(p_waitvec(1) == ALL_MASK);
        p_enqueue(OUR_MASK);
        CHECK_INT(1, p_population());
        CHECK_INT(me, p_selectFirst());
        p_wait();
        p_enqueue(ALL_MASK);
    }
    p_wait();
    return TEST_PASSED;
}

static int number(void *argument) {
    CHECK_INT(0, strcmp(argument, "argument"));
    p_wait();
    return p_iproc() * 3 - 7;
}

static int negative(void *unused) {
    (void)unused;
    return -5 - p_reduceAdd32(1);
}

static void *team_of_thread(void *unused) {
    (void)unused;
    static char argument[] = "argument";
    for (int n = 1; n < 20; n++)
        if (p_team(n, number, argument) != 3 * n - 10)
            return "the greatest result of a team is wrong";
    return NULL;
}

/* Run teams one after another, and at the same time, from threads that are no PE. */
static int teams(void) {
    pthread_t threads[3];
    int failed = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, team_of_thread, NULL);
    for (int i = 0; i < 3; i++) {
        void *message;
        pthread_join(threads[i], &message);
        if (message)
            failed += printf("session: %s\n", (char *)message);
    }
    int result = p_team(4, negative, NULL);
    if (result != -9)
        failed += printf("session: the greatest of four times -9 is %d\n", result);
    return failed ? TEST_FAILED : TEST_PASSED;
}

/* A process that checks in, out, and then makes teams. */
static int session(void) {
    if (teams())
        return TEST_FAILED;
    if (p_init() != 0)
        return TEST_FAILED;
    body(NULL);
    if (p_exit(42) != 42)
        return TEST_FAILED;
    return teams();
}

int main(int argc, char **argv) {
    return argc == 1 ? session() : test_run(argc, argv, body);
}
