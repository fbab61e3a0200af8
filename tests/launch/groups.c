/* groups WHERE...: PE k goes to its place, the k-th argument, after a first p_wait of all:
 *   wait:MASK, add:MASK   p_wait, or p_reduceAdd32, in the group MASK (hexadecimal)
 *   interrupts:N          raises so many interrupts, each before a p_wait of its own, then a p_wait of all
 *   run                   runs on for ever
 *   tell                  says "ready", then runs on
 *   linger:S              says "ready", stays for half a second, then checks out, or exits with S if not 0
 *   depart                forks, says "ready" as the child, which runs on, and ends as the parent
 *   sleep:S               sleeps S milliseconds, then checks out
 *   exit:S                ends with exit status S, without checking out
 *   kill:S                sends itself the signal S, then runs on
 *   fail                  calls p_error
 * PEs without an argument check out. */

#include <papers.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void run_on(void) {
    for (;;)
        usleep(1000);
}

static void hear(const uint64_t *cause) {
    (void)cause;
}

static void interrupt(int times) {
    p_enqueue((uint64_t)1 << p_iproc());
    for (int i = 0; i < times; i++) {
        p_interrupt();
        p_wait();
    }
    p_enqueue(ALL_MASK);
    p_wait();
}

static void say_ready(void) {
    if (write(STDOUT_FILENO, "ready\n", 6) != 6)
        _exit(4);
}

static void linger(int status) {
    say_ready();
    usleep(500 * 1000);
    if (status)
        _exit(status);
}

static _Noreturn void depart(void) {
    pid_t child = fork();
    if (child)
        _exit(child < 0);
    say_ready();
    run_on();
}

static void go(const char *where) {
    const char *colon = strchr(where, ':');
    uint64_t mask = colon ? strtoull(colon + 1, NULL, 16) : 0;
    int number = colon ? atoi(colon + 1) : 0;
    if (where[0] == 'w' || where[0] == 'a')
        p_enqueue(mask);
    switch (where[0]) {
    case 'w':
        p_wait();
        break;
    case 'a':
        p_reduceAdd32(1);
        break;
    case 'i':
        interrupt(number);
        break;
    case 's':
        usleep((useconds_t)number * 1000);
        break;
    case 'l':
        linger(number);
        break;
    case 'd':
        depart();
    case 'e':
        _exit(number);
    case 'f':
        p_error("this is the failure");
    case 't':
        say_ready();
        run_on();
    case 'k':
        raise(number);
        run_on();
    default:
        run_on();
    }
}

int main(int argc, char **argv) {
    p_init();
    p_onInterrupt(hear);
    p_wait();
    if (p_iproc() + 1 < argc)
        go(argv[p_iproc() + 1]);
    return p_exit(0);
}
