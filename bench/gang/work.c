/* A job of script/bench-gang: OPERATIONS barriers, and before each so many turns of a loop at every PE. PE 0
 * prints the seconds that they took. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>

#include "../seconds.h"

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s OPERATIONS LOOPS\n", argv[0]);
        return 2;
    }
    long operations = atol(argv[1]), loops = atol(argv[2]);
    volatile long count = 0;
    p_init();
    p_wait();
    double t0 = seconds_now();
    for (long i = 0; i < operations; i++) {
        for (long k = 0; k < loops; k++)
            count = count + 1;
        p_wait();
    }
    if (p_iproc() == 0)
        printf("%.6f\n", seconds_now() - t0);
    return p_exit(0);
}
