/* known ROUNDS [SLOW US]: each PE takes part in ROUNDS p_reduceAdd32, ROUNDS p_bcast of PE 0 and one p_wait;
 * the PE SLOW comes US microseconds late to each reduction. */

#include <papers.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1, slow = argc > 2 ? atoi(argv[2]) : -1;
    useconds_t late = argc > 3 ? (useconds_t)atoi(argv[3]) : 0;
    p_init();
    p_wait();
    for (int i = 0; i < rounds; i++) {
        if (p_iproc() == slow)
            usleep(late);
        if (p_reduceAdd32(1) != p_nproc())
            p_error("wrong sum");
        if (p_iproc() == 0)
            p_bcastPut32(i);
        else if (p_bcastGet32() != i)
            p_error("wrong value");
    }
    return p_exit(0);
}
