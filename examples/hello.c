/* Every PE says hello, and all add up their numbers. */

#include <papers.h>
#include <stdio.h>

int main(void) {
    p_init();
    int32_t sum = p_reduceAdd32(p_iproc());
    printf("hello from PE %d of %d; the numbers add up to %d\n", p_iproc(), p_nproc(), (int)sum);
    return p_exit(0);
}
