/* The trap: PE 0 leaves a group, and goes on elsewhere, while a member has arrived but not read yet.
 *
 * A member of PE 0's group is held by a signal handler once it sleeps in the operation: it has arrived, so PE
 * 0 goes on, and it has read nothing. PE 0 then meets PE 1, or nobody, several times; after that it returns
 * to the group. Only then, or once PE 0 has had time to be stopped by its unread post, is the member let go.
 * It must find what PE 0 put into their operation. On an engine with one line per PE it does not.
 *
 * The kernel shows where a thread is: each PE writes its place into its thread's name, and others read name
 * and state in /proc. So the test takes no time for granted, and uses nothing of the engine's. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

/* How long PE 0 gets to run into its unread post. */
#define BLOCKED_SECONDS (0.008 * TEST_SLOW)

struct round {
    int number;
    int before;     /* operations of PE 0 alone first: they move it on in its ring of posts */
    int meetings;   /* of PE 0 while the member is held */
    bool alone;     /* PE 0 meets nobody, else PE 1 */
    uint64_t group; /* {0,2} or {0,2,3} */
    int held;       /* 2 or 3 */
};

static void set_place(const char *what, int round) {
    char name[32];
    snprintf(name, sizeof name, "%s %d", what, round); /* of which the kernel takes 15 */
    prctl(PR_SET_NAME, name);
}

/* Whether PE k is at the place; if asleep, also whether it sleeps there. */
static bool is_at(const int32_t *pid, const int32_t *tid, int k, const char *what, int round, bool asleep) {
    char path[64], text[256] = "", place[32];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid[k], (int)tid[k]);
    snprintf(place, sizeof place, "(%s %d) %s", what, round, asleep ? "S" : "");
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    bool read = fgets(text, sizeof text, f) != NULL;
    fclose(f);
    return read && strstr(text, place);
}

static int current_round(void) {
    char name[16];
    prctl(PR_GET_NAME, name);
    int round = 0;
    sscanf(strrchr(name, ' '), " %d", &round);
    return round;
}

/* On SIGUSR1: stay here until SIGUSR2. */
static void hold(int signal) {
    (void)signal;
    int error = errno, round = current_round();
    sigset_t none;
    sigemptyset(&none);
    set_place("held", round);
    sigsuspend(&none);
    set_place("released", round);
    errno = error;
}

static void released(int signal) {
    (void)signal;
}

static void prepare_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = hold}, NULL);
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = released}, NULL);
}

/* What PE k puts into the i-th operation of a kind. */
static int32_t value(const struct round *r, int kind, int i, int k) {
    return r->number * 1000 + kind * 100 + i * 10 + k;
}

static void meet(const struct round *r, uint64_t group, int kind, int i) {
    int32_t all[4];
    p_enqueue(group);
    p_gather32(all, value(r, kind, i, p_iproc()));
    for (int k = 0; k < 4; k++)
        if (group >> k & 1 && all[k] != value(r, kind, i, k))
            test_fail(
                "round %d (%d operations before, then %d meetings of PE 0 %s, PE %d of group %#llx held): "
                "from PE %d expected %d, received %d",
                r->number, r->before, r->meetings, r->alone ? "alone" : "with PE 1", r->held,
                (unsigned long long)r->group, k, value(r, kind, i, k), all[k]);
}

enum { BEFORE, TRAP, MEETING, AFTER };

static void leaver(const struct round *r, const int32_t *pid, const int32_t *tid) {
    for (int i = 0; i < r->before; i++)
        meet(r, 1, BEFORE, i);
    while (!is_at(pid, tid, r->held, "arrive", r->number, true))
        test_sleep(0.0001);
    syscall(SYS_tgkill, pid[r->held], tid[r->held], SIGUSR1);
    while (!is_at(pid, tid, r->held, "held", r->number, false))
        test_sleep(0.0001);
    meet(r, r->group, TRAP, 0);
    for (int i = 0; i < r->meetings; i++)
        meet(r, r->alone ? 1 : 3, MEETING, i);
    set_place("gone", r->number);
    meet(r, r->group, AFTER, 0);
}

static void releaser(const struct round *r, const int32_t *pid, const int32_t *tid) {
    while (!is_at(pid, tid, r->held, "held", r->number, false))
        test_sleep(0.0001);
    double until = test_now() + BLOCKED_SECONDS;
    while (!is_at(pid, tid, 0, "gone", r->number, true) && test_now() < until)
        test_sleep(0.0001);
    syscall(SYS_tgkill, pid[r->held], tid[r->held], SIGUSR2);
}

static void play(const struct round *r, const int32_t *pid, const int32_t *tid) {
    int me = p_iproc();
    bool member = r->group >> me & 1;
    p_enqueue(ALL_MASK);
    p_wait();
    if (me == 0) {
        leaver(r, pid, tid);
        return;
    }
    if (me == r->held)
        set_place("arrive", r->number);
    if (member)
        meet(r, r->group, TRAP, 0);
    if (me == 1 && !r->alone)
        for (int i = 0; i < r->meetings; i++)
            meet(r, 3, MEETING, i);
    if (me == 5 - r->held)
        releaser(r, pid, tid);
    if (member)
        meet(r, r->group, AFTER, 0);
}

static int body(void *unused) {
    (void)unused;
    static const struct {
        uint64_t group;
        int held;
    } traps[] = {{5, 2}, {13, 2}, {13, 3}};
    CHECK_INT(4, p_nproc());
    prepare_signals();
    int32_t pid[4], tid[4];
    p_gather32(pid, (int32_t)getpid());
    p_gather32(tid, (int32_t)syscall(SYS_gettid));
    struct round r = {0};
    for (r.before = 0; r.before <= 6; r.before += 3)
        for (int i = 0; i < 3; i++)
            for (r.meetings = 0; r.meetings <= 9; r.meetings++)
                for (int alone = 0; alone <= 1; alone++) {
                    r.number++;
                    r.alone = alone;
                    r.group = traps[i].group;
                    r.held = traps[i].held;
                    play(&r, pid, tid);
                }
    if (p_iproc() == 0)
        printf("trap: %d rounds\n", r.number);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
