/* bench-mesh-SIDE PROGRAM SIZE TIMES: one of the programs of trials.h. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"
#include "trials.h"

static const struct {
    const char *name;
    bool (*run)(int size, int times);
} trials[] = {{"latency", trial_latency},
              {"jacobi", trial_jacobi},
              {"product", trial_product},
              {"trapezoid", trial_trapezoid},
              {"pi", trial_pi}};

int main(int argc, char **argv) {
    talk_open(&argc, &argv);
    const char *name = argc == 4 ? argv[1] : "";
    int size = argc == 4 ? atoi(argv[2]) : 0, times = argc == 4 ? atoi(argv[3]) : 0;
    size_t k = 0;
    while (k < sizeof trials / sizeof *trials && strcmp(name, trials[k].name))
        k++;
    if (k == sizeof trials / sizeof *trials || size < 1 || times < 1) {
        fprintf(stderr, "usage: %s latency|jacobi|product|trapezoid|pi SIZE TIMES, both at least 1\n",
                argv[0]);
        return 2;
    }
    if (!trials[k].run(size, times)) {
        fprintf(stderr, "%s of size %d, PE %d of %d: a wrong result\n", name, size, talk_me(), talk_pes());
        return 1;
    }
    talk_close();
    return 0;
}
