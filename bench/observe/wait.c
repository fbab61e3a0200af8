/* p_wait, repeated by one PE: script/bench-observe. Arguments: repetitions in a turn, turns. Writes the
 * seconds of one, the least of all turns. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("arguments: REPETITIONS TURNS\n", stderr);
        return 2;
    }
    long repetitions = strtol(argv[1], NULL, 10), turns = strtol(argv[2], NULL, 10);
    double least = 1e9;
    p_init();
    for (long t = 0; t < turns; t++) {
        double began = now();
        for (long i = 0; i < repetitions; i++)
            p_wait();
        double each = (now() - began) / (double)repetitions;
        least = each < least ? each : least;
    }
    printf("%.12f\n", least);
    return p_exit(0);
}
