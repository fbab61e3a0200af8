/* All PEs wait for PE 0, which waits for the end of its standard input. */

#include <papers.h>
#include <stdio.h>

int main(void) {
    p_init();
    p_wait();
    if (p_iproc() == 0) {
        printf("begun\n");
        fflush(stdout);
        while (getchar() != EOF)
            ;
    }
    p_wait();
    return p_exit(0);
}
