/* Barriers, and some work between them, until SIGUSR2 comes. */

#include <papers.h>
#include <signal.h>

static volatile sig_atomic_t over;

static void finish(int signal_number) {
    (void)signal_number;
    over = 1;
}

int main(void) {
    signal(SIGUSR2, finish);
    p_init();
    volatile int work = 0;
    while (!p_any(over))
        for (int i = 0; i < 3000; i++)
            work = work + 1;
    return p_exit(0);
}
