/* courier SEED MESSAGES: random traffic of at least so many messages of all PEs together, every one checked.
 * Each PE first says its process id, then "done" if all was right. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traffic/traffic.h"

enum { PHASE = 400 }; /* messages of each PE */

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    printf("%s %d\n", getenv("UNISONO_JOB"), (int)getpid());
    fflush(stdout);
    p_init();
    uint64_t seed = strtoull(argv[1], NULL, 10);
    long each = atol(argv[2]) / p_nproc() + 1;
    for (uint64_t phase = 0; each > 0; phase++, each -= PHASE)
        traffic_phase(seed, phase, each < PHASE ? each : PHASE);
    printf("done\n");
    return p_exit(0);
}
