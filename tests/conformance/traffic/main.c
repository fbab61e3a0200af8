/* Messages in random traffic: --operations of them by all PEs together, in phases. */

#include <stdio.h>

#include "harness.h"
#include "traffic.h"

enum { PHASE = 400 }; /* messages of each PE */

static int body(void *unused) {
    (void)unused;
    uint64_t seed = test_seed();
    long each = test.operations / p_nproc() + 1, written = 0;
    double start = test_now();
    for (uint64_t phase = 0; written < each; phase++) {
        long messages = each - written < PHASE ? each - written : PHASE;
        traffic_phase(seed, phase, messages);
        written += messages;
    }
    if (p_iproc() == 0)
        printf("traffic: %d PEs, seed %llu: %ld messages in %.1f s, all right\n", p_nproc(),
               (unsigned long long)seed, written * p_nproc(), test_now() - start);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
