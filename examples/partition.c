/* A parallel conditional. PEs vote for the side that they take; each side becomes a group and works without
 * the other; then all meet again. Here PEs compare their load with the mean of their group, and the upper
 * side does so once more. A plain barrier mask carries 64 PEs; p_waitvecWide and p_enqueueWide would carry
 * 1,024. */

#include <papers.h>
#include <stdio.h>

/* Divide the current group, `group`, into the PEs for which the condition holds and the others. Returns this
 * PE's side, and makes it the current group. */
static uint64_t divide(uint64_t group, int condition) {
    uint64_t yes = p_waitvec(condition);
    uint64_t side = condition ? yes : group & ~yes;
    p_enqueue(side);
    return side;
}

/* Return 1 if this PE's load is above the mean of the current group. */
static int above_mean(int load) {
    return load * p_population() > p_reduceAdd32(load);
}

int main(void) {
    p_init();
    uint64_t all = ALL_MASK;
    int load = p_iproc() * 7 % 10, most, spare = 0;
    const char *name;

    int high = above_mean(load);
    uint64_t side = divide(all, high);
    if (high) {
        int higher = above_mean(load); /* the mean of this side alone */
        divide(side, higher);
        name = higher ? "overloaded" : "busy";
        most = p_reduceMax32(load);
    } else { /* meanwhile, other operations, and another number of them */
        name = "idle";
        most = p_reduceMax32(load);
        spare = p_reduceAdd32(most - load);
        p_wait();
    }
    int members = p_population(), work = p_reduceAdd32(load), speaker = p_selectFirst() == p_iproc();
    if (speaker)
        printf("%s: PE %d speaks for %d, work %d, most %d, spare %d\n", name, p_iproc(), members, work, most,
               spare);

    p_enqueue(all);
    int complete = p_reduceAdd32(speaker ? members : 0) == p_nproc() &&
                   p_reduceAdd32(speaker ? work : 0) == p_reduceAdd32(load);
    if (p_iproc() == 0)
        printf("together again: %d PEs\n", p_population());
    return p_exit(!complete);
}
