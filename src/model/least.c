#include "least.h"

#include <papers.h>

#include "engine/kernel.h"

double uno_model_least(void (*loop)(void *), void *argument, int repetitions) {
    double least = 0;
    for (int i = 0; i < repetitions; i++) {
        p_wait();
        uint64_t began = uno_kernel_now();
        loop(argument);
        double ns = p_reduceMaxd((double)(uno_kernel_now() - began));
        least = i == 0 || ns < least ? ns : least;
    }
    return least;
}
