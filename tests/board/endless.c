/* Sums until something goes wrong; a wrong sum is said. */

#include <papers.h>
#include <stdio.h>

int main(void) {
    p_init();
    for (long i = 0;; i++) {
        int sum = p_reduceAdd32(p_iproc() + 1), n = p_nproc();
        if (sum != n * (n + 1) / 2) {
            printf("sum %ld is %d\n", i, sum);
            return p_exit(2);
        }
        if (i == 0 && p_iproc() == 0) {
            printf("begun\n");
            fflush(stdout);
        }
    }
}
