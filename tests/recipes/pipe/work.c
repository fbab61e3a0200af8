/* The PEs of script/bench-pipe, the benchmark that tests/recipes adds to a copy of the source: so many sums
 * of 2 PEs, each of a new number and compared with the expected one. PE 0 prints the seconds of one. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>

#include "../seconds.h"

int main(int argc, char **argv) {
    int turns = argc == 2 ? atoi(argv[1]) : 0, wrong = 0;
    p_init();
    p_wait();
    double began = seconds_now();
    for (int i = 0; i < turns; i++)
        wrong += p_reduceAdd32(i + p_iproc()) != 2 * i + 1;
    if (p_iproc() == 0)
        printf("%.9f\n", (seconds_now() - began) / turns);
    return p_exit(wrong > 0);
}
