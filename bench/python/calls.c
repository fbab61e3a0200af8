/* The cost of a call in C: the C side of script/bench-python. Prints the same as calls.py. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>

#include "../seconds.h"

static void wait_all(int64_t i) {
    (void)i;
    p_wait();
}

static void reduce(int64_t i) {
    if (p_reduceAdd64(i) != i * p_nproc())
        p_error("reduce: wrong");
}

/* Print the nanoseconds of one operation, in each of the samples. */
static void measure(const char *name, void (*operation)(int64_t i), int samples, int calls, const char *end) {
    if (p_iproc() == 0)
        printf("\"%s\": [", name);
    for (int s = 0; s < samples; s++) {
        p_wait();
        double start = seconds_now();
        for (int64_t i = 0; i < calls; i++)
            operation(i);
        double each = (seconds_now() - start) * 1e9 / calls;
        if (p_iproc() == 0)
            printf("%s%.1f", s ? ", " : "", each);
    }
    if (p_iproc() == 0)
        printf("]%s", end);
}

int main(int count, char **arguments) {
    p_init();
    if (count != 3)
        p_error("usage: bench-python-calls SAMPLES CALLS");
    int samples = atoi(arguments[1]), calls = atoi(arguments[2]);
    if (p_iproc() == 0)
        printf("{");
    measure("wait", wait_all, samples, calls, ", ");
    measure("reduce", reduce, samples, calls, "}\n");
    return p_exit(0);
}
