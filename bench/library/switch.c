/* The least that a switch of processes takes: so many processes on one processor, each of which gives it away
 * again and again, and nothing else. Writes the seconds of one switch, the least of all turns. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../seconds.h"

enum { TURNS = 10, YIELDS = 2000 };

/* Bind this process to the first processor that it may use. */
static int bind_to_one(void) {
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all))
        return -1;
    CPU_ZERO(&one);
    for (int p = 0; p < CPU_SETSIZE && !CPU_COUNT(&one); p++)
        if (CPU_ISSET(p, &all))
            CPU_SET(p, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

static void yield_often(int times) {
    for (int i = 0; i < times; i++)
        sched_yield();
}

int main(int argc, char **argv) {
    int processes = argc == 2 ? atoi(argv[1]) : 0, failed = 0, status;
    double least = 1e9;
    if (processes < 2 || bind_to_one()) {
        fprintf(stderr, "switch: the argument is the number of processes, at least 2\n");
        return 1;
    }
    for (int k = 1; k < processes; k++) /* longer than the first one, which measures */
        if (fork() == 0) {
            yield_often((TURNS + 2) * YIELDS);
            return 0;
        }
    for (int t = -1; t < TURNS; t++) { /* the first warms up */
        double began = seconds_now();
        yield_often(YIELDS);
        double each = (seconds_now() - began) / ((double)YIELDS * processes);
        least = t >= 0 && each < least ? each : least;
    }
    while (wait(&status) > 0)
        failed |= status;
    printf("%.12f\n", least);
    return failed != 0;
}
