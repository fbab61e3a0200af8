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
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness.h"

/* The time that PE 0 gets to run into its unread post. */
#define BLOCKED_SECONDS 0.010

enum { PES = 4 };

struct round {
    int number;
    int before;     /* operations of PE 0 alone first: they move it on in its ring of posts */
    int meetings;   /* of PE 0 while the member is held */
    bool alone;     /* PE 0 meets nobody, else PE 1 */
    uint64_t group; /* {0,2} or {0,2,3} */
    int held;       /* 2 or 3; the other one lets it go */
};

/* The values that this PE needs. */
static _Thread_local struct {
    int32_t pid[PES], tid[PES];
    struct round round;
} here;

static void set_place(const char *what) {
    char name[32];
    snprintf(name, sizeof name, "%s %d", what, here.round.number); /* of which the kernel takes 15 */
    prctl(PR_SET_NAME, name);
}

/* Return true if PE k is at the place in this round; `asleep`: and if it sleeps there. */
static bool is_at(int k, const char *what, bool asleep) {
    char path[64], text[256], place[32];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)here.pid[k], (int)here.tid[k]);
    snprintf(place, sizeof place, "(%s %d) %s", what, here.round.number, asleep ? "S" : "");
    int fd = open(path, O_RDONLY);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length < 0 ? 0 : length] = 0;
    return strstr(text, place);
}

static void wait_until_at(int k, const char *what, bool asleep) {
    while (!is_at(k, what, asleep))
        test_sleep(0.0001);
}

/* The handler of SIGUSR1: stay here until released. It interrupts the engine's sleep, where any function may
 * be called. */
static void hold(int signal) {
    (void)signal;
    int error = errno;
    set_place("held");
    wait_until_at(5 - here.round.held, "free", false);
    errno = error;
}

/* Return the value of PE k in the i-th operation of a kind. */
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

static void leaver(void) {
    const struct round *r = &here.round;
    for (int i = 0; i < r->before; i++)
        meet(r, 1, BEFORE, i);
    wait_until_at(r->held, "arrive", true);
    syscall(SYS_tgkill, here.pid[r->held], here.tid[r->held], SIGUSR1);
    wait_until_at(r->held, "held", false);
    meet(r, r->group, TRAP, 0);
    for (int i = 0; i < r->meetings; i++)
        meet(r, r->alone ? 1 : 3, MEETING, i);
    set_place("gone");
    meet(r, r->group, AFTER, 0);
}

static void releaser(void) {
    wait_until_at(here.round.held, "held", false);
    double until = test_now() + BLOCKED_SECONDS;
    while (!is_at(0, "gone", true) && test_now() < until)
        test_sleep(0.0001);
    set_place("free");
}

static void play(void) {
    const struct round *r = &here.round;
    int me = p_iproc();
    bool member = r->group >> me & 1;
    p_enqueue(ALL_MASK);
    p_wait();
    if (me == 0) {
        leaver();
        return;
    }
    if (me == r->held)
        set_place("arrive");
    if (member)
        meet(r, r->group, TRAP, 0);
    if (me == 1 && !r->alone)
        for (int i = 0; i < r->meetings; i++)
            meet(r, 3, MEETING, i);
    if (me == 5 - r->held)
        releaser();
    if (member)
        meet(r, r->group, AFTER, 0);
}

static int body(void *unused) {
    (void)unused;
    static const struct {
        uint64_t group;
        int held;
    } traps[] = {{5, 2}, {13, 2}, {13, 3}};
    CHECK_INT(PES, p_nproc());
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = hold}, NULL);
    p_gather32(here.pid, (int32_t)getpid());
    p_gather32(here.tid, (int32_t)syscall(SYS_gettid));
    struct round *r = &here.round;
    for (r->before = 0; r->before <= 6; r->before += 3)
        for (int i = 0; i < 3; i++)
            for (r->meetings = 0; r->meetings <= 9; r->meetings++)
                for (int alone = 0; alone <= 1; alone++) {
                    r->number++;
                    r->alone = alone;
                    r->group = traps[i].group;
                    r->held = traps[i].held;
                    play();
                }
    if (p_iproc() == 0)
        printf("trap: %d rounds\n", r->number);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
