/* The work of each process of script/bench-nodes, under every library: main WAY OPERATIONS TURNS. The ways
 * are
 *
 *     wait    all processes wait for each other
 *     sum     all learn the sum of their numbers, of 8 bytes each
 *     BYTES   the first process sends so many bytes to the last one, and gets 8 bytes back
 *     idle    the first process comes late, by as many seconds as OPERATIONS says
 *
 * The first process prints the median of all turns: the seconds of one operation, or of one way of a message,
 * to which the answer belongs if the message is longer. Every result is checked. Of "idle" every other
 * process prints the seconds of processor time that it took meanwhile. */

#include "library.h"

#include "seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BIG = 1 << 20, WORD = sizeof(uint64_t) };

static int me, count;
static size_t bytes;
static uint64_t data[BIG / WORD];

static void wait_once(long turn) {
    (void)turn;
    library_wait();
}

static void sum_once(long turn) {
    int64_t pairs = (int64_t)count * (count - 1) / 2;
    if (library_sum(me + turn) != pairs + count * turn)
        library_fail("a sum is wrong");
}

/* Fill in data that are new in each turn, or check them. */
static void mark(uint64_t turn, int checks) {
    for (size_t i = 0; i < bytes / WORD; i += 512) {
        if (checks && data[i] != turn + i)
            library_fail("wrong data have come");
        data[i] = turn + i;
    }
}

static void send_once(long turn) {
    uint64_t answer = (uint64_t)turn;
    if (me == 0) {
        mark((uint64_t)turn << 20, 0);
        library_send(data, bytes, count - 1);
        library_receive(&answer, WORD, count - 1);
        if (answer != (uint64_t)turn)
            library_fail("a wrong answer has come");
    } else if (me == count - 1) {
        library_receive(data, bytes, 0);
        mark((uint64_t)turn << 20, 1);
        library_send(&answer, WORD, 0);
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return the median of the seconds of one operation. */
static double measure(void (*once)(long turn), long operations, int turns) {
    double *of_turn = calloc((size_t)turns, sizeof *of_turn);
    for (int turn = -1; turn < turns; turn++) { /* the first one, which is not counted, warms up */
        library_wait();
        double begin = seconds_now();
        for (long i = 0; i < operations; i++)
            once(i);
        if (turn >= 0)
            of_turn[turn] = (seconds_now() - begin) / (double)operations;
    }
    qsort(of_turn, (size_t)turns, sizeof *of_turn, compare);
    double median = of_turn[turns / 2];
    free(of_turn);
    return median;
}

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void idle(long seconds) {
    for (int i = 0; i < 100; i++)
        library_wait();
    double before = processor_seconds();
    if (me == 0)
        sleep((unsigned)seconds);
    library_wait();
    if (me != 0)
        printf("%.9f\n", processor_seconds() - before);
}

int main(int argc, char **argv) {
    library_begin(&me, &count);
    if (argc != 4)
        library_fail("usage: main wait|sum|BYTES|idle OPERATIONS TURNS");
    const char *way = argv[1];
    long operations = atol(argv[2]);
    bytes = strtoul(way, NULL, 10);
    if (bytes > BIG)
        library_fail("there is no message that long");
    if (!strcmp(way, "idle")) {
        idle(operations);
    } else {
        double seconds = measure(bytes                ? send_once
                                 : strcmp(way, "sum") ? wait_once
                                                      : sum_once,
                                 operations, atoi(argv[3]));
        if (me == 0)
            printf("%.9f\n", seconds / (bytes == WORD ? 2 : 1));
    }
    library_end();
    return 0;
}
