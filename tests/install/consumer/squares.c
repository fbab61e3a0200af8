/* The sum of the squares of the PEs' numbers, which every PE must get. */

#include <papers.h>
#include <stdio.h>

int main(void) {
    p_init();
    int32_t sum = p_reduceAdd32(IPROC * IPROC);
    uint64_t agree = p_match32(sum);
    if (IPROC == 0)
        printf("%d PEs: %d, agreed by %#llx\n", NPROC, (int)sum, (unsigned long long)agree);
    return p_exit(agree == ALL_MASK ? 0 : 1);
}
