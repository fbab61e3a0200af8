/* Large messages between PEs of which one leaves, or is killed, while they are copied or before. The word on
 * the command line says which. */

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <vertex.h>

#include "content.h"
#include "harness.h"
#include "reaching.h"

/* The last PE dies while a message is copied to it, of which more is left than fits into the ring and
 * pool. */
static int killed(void) {
    enum { MANY = 9 << 20 };
    int flag;
    unsigned char *data = calloc(1, MANY);
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    switch_to(nextend);
    if (me == n - 1)
        nrcvreq(data, MANY, n - 2, &flag);
    p_wait();
    if (me == n - 2) {
        kernel.kills = true;
        kernel.writes_left = 1;
        nsend(data, MANY, n - 1, &flag);
        nwait(&flag);
    }
    p_wait();
    return TEST_FAILED;
}

/* PE n - 2 writes to the last one, again and again; either dies while it copies its part. */
static int killed_sharing(bool reader) {
    enum { MANY = 9 << 20 };
    int from = n - 2, to = n - 1, type = 0;
    unsigned char *data = calloc(1, MANY);
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    kernel.dies = true;
    if (me == n - 1 && reader)
        kernel.reads_left = 2; /* the first one is to find out whether it may */
    if (me == n - 2 && !reader)
        kernel.writes_left = 1;
    p_wait();
    /* If other programs keep the processors busy, the reader may come too late to share one. */
    for (double end = test_now() + PATIENCE; test_now() < end;)
        if (me == n - 1) {
            nread(data, MANY, &from, &type);
            nwrite(NULL, 0, from, 0);
        } else if (me == n - 2) {
            nwrite(data, MANY, to, 0);
            nread(NULL, 0, &to, &type);
        } else {
            p_wait();
        }
    return TEST_FAILED;
}
static int killed_reader(void) {
    return killed_sharing(true);
}
static int killed_writer(void) {
    return killed_sharing(false);
}

/* A broadcast goes to PEs 1 and 2. The first of them leaves when it has all of it, and the other is slow. */
static int left_first(void) {
    enum { BYTES = 640000 };
    unsigned char *data = malloc(BYTES + 1);
    int flag;
    kernel.refuses = true;
    npool(1); /* one piece at a time */
    data[BYTES] = 0xaa;
    for (int k = me ? 0 : 1; me != 3 && k < (me ? 1 : 3); k++)
        nextend(k);
    if (me == 1 || me == 2)
        nrcvreq(data, BYTES, 0, &flag);
    p_wait();
    if (me == 0) {
        content_fill(data, BYTES, 0, 7);
        nbcast(data, BYTES, 3, &flag);
    }
    if (me == 2)
        test_sleep(0.5);
    if (me < 3)
        nwait(&flag);
    if (me == 1 || me == 2)
        check(data, BYTES, 0, 7);
    free(data);
    return TEST_PASSED;
}

/* PE 1 leaves while it still requests a message: data sent then are not copied into its process, which is
 * still there, and may have freed that memory. */
static int left_requested(void) {
    enum { BYTES = 640000 };
    unsigned char *data = calloc(1, BYTES);
    int other = (int)p_reduceAdd64(getpid()) - getpid(), flag, number;
    sigset_t told;
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    sigemptyset(&told);
    sigaddset(&told, SIGUSR1);
    CHECK_INT(0, sigprocmask(SIG_BLOCK, &told, NULL));
    nextend(1 - me);
    if (me == 1)
        nrcvreq(data, BYTES, 0, &flag);
    p_wait();
    if (me == 1) {
        p_exit(TEST_PASSED);
        kill(other, SIGUSR1);
        sigwait(&told, &number);
        exit(TEST_PASSED);
    }
    sigwait(&told, &number);
    long writes = kernel.writes;
    nsend(data, BYTES, 1, &flag);
    CHECK_INT(0, kernel.writes - writes);
    kill(other, SIGUSR1);
    free(data);
    return TEST_PASSED;
}

/* PE 2 leaves without a look at the messages that fill PE 0's pool. PE 0 sends to another PE, and waits for
 * it, or meets it, which first waits for messages to be sent. */
static int left_unread(bool waits) {
    enum { BYTES = 40000, ALONE = 3 };
    unsigned char *data = malloc(BYTES + 1);
    int flag;
    kernel.refuses = true;
    data[BYTES] = 0xaa;
    if (me == 0)
        npool(1);
    if (me < 2)
        nextend(1 - me);
    if (me == 1)
        nrcvreq(data, BYTES, 0, &flag);
    if (me == 0)
        nwrite(data, BYTES, 2, 0);
    p_wait();
    if (me < 2) {
        p_enqueue(ALONE);
        if (me == 0) {
            content_fill(data, BYTES, 0, 8);
            nsend(data, BYTES, 1, &flag);
        }
        if (me == 1 || waits)
            nwait(&flag);
        if (me == 1)
            check(data, BYTES, 0, 8);
        p_wait();
        CHECK_INT(1, flag);
    }
    free(data);
    return TEST_PASSED;
}
static int left_waiting(void) {
    return left_unread(true);
}
static int left_meeting(void) {
    return left_unread(false);
}

int main(int argc, char **argv) {
    static const struct reaching cases[] = {{"killed", killed},
                                            {"killed-reader", killed_reader},
                                            {"killed-writer", killed_writer},
                                            {"left-first", left_first},
                                            {"left-requested", left_requested},
                                            {"left-waiting", left_waiting},
                                            {"left-meeting", left_meeting},
                                            {0}};
    return reaching_main(argc, argv, cases);
}
