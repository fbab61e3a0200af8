/* Two processes, and messages from one to the other and back: ping FROM TO, each an interface or an address,
 * and with NAME: in front one of the network namespace NAME. Each process has a processor of its own, if
 * there are two. Reads lines "SIDE BYTES TURNS" and prints the seconds of one way for each. The answer to a
 * long message has 8 bytes, and belongs to its time. With BYTES 0 both processes send 8 bytes at the same
 * time, and each waits for those of the other: the least that two machines need to meet. */

#define _GNU_SOURCE /* setns, sched_setaffinity */
#include "side.h"

#include "seconds.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct side *const sides[] = {&side_bare, &side_bare_descriptor, &side_unisono};
enum { SIDES = 3, WARM = 20 };

/* The memory that both processes see. */
struct shared {
    volatile int opened[2], order; /* order: counts the lines */
    int side, turns;
    size_t bytes, address_bytes[2][SIDES];
    char address[2][SIDES][UNO_NET_ADDRESS];
};

static const char *enter(char *where) {
    char *colon = strchr(where, ':'), path[256];
    if (!colon)
        return where;
    *colon = 0;
    snprintf(path, sizeof path, "/run/netns/%s", where);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET))
        fail("there is no such network namespace, or it takes root to enter it");
    return colon + 1;
}

/* Stay on the processor of this number, if there is such a one. */
static void stay(int number) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)number, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Fill in data that are new in each turn, or check them. */
static void mark(uint64_t *data, size_t bytes, uint64_t turn, bool checks) {
    for (size_t i = 0; i < bytes / 8; i += 512) {
        if (checks && data[i] != turn + i)
            fail("wrong data have come");
        data[i] = turn + i;
    }
}

static double meet(const struct side *side, void *end, int turns) {
    uint64_t theirs, mine;
    double begin = 0;
    for (int turn = -WARM; turn < turns; turn++) {
        if (turn == 0)
            begin = seconds_now();
        side->expect(end, &theirs, sizeof theirs);
        mark(&mine, sizeof mine, (uint64_t)(turn + WARM), false);
        side->send(end, &mine, sizeof mine);
        side->receive(end);
        mark(&theirs, sizeof theirs, (uint64_t)(turn + WARM), true);
    }
    return (seconds_now() - begin) / turns;
}

static double run(const struct side *side, void *end, int me, size_t bytes, int turns) {
    static uint64_t data[BIG / 8];
    uint64_t answer;
    double begin = 0;
    if (me)
        side->expect(end, data, bytes);
    for (int turn = -WARM; turn < turns; turn++) {
        uint64_t mine = (uint64_t)(turn + WARM) << 20;
        if (turn == 0)
            begin = seconds_now();
        if (me) {
            side->receive(end);
            mark(data, bytes, mine, true);
            if (turn + 1 < turns)
                side->expect(end, data, bytes);
            mark(&answer, sizeof answer, mine + 1, false);
            side->send(end, &answer, sizeof answer);
        } else {
            mark(data, bytes, mine, false);
            side->expect(end, &answer, sizeof answer);
            side->send(end, data, bytes);
            side->receive(end);
            mark(&answer, sizeof answer, mine + 1, true);
        }
    }
    return (seconds_now() - begin) / turns / (bytes == sizeof answer ? 2 : 1);
}

int main(int argc, char **argv) {
    if (argc != 3)
        fail("usage: bench-net FROM TO");
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        fail("there is no memory");
    int me = fork() == 0;
    if (me)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    stay(me);
    const char *interface = enter(argv[1 + me]);
    void *ends[SIDES];
    for (int i = 0; i < SIDES; i++) {
        ends[i] = sides[i]->open(interface);
        s->address_bytes[me][i] = sides[i]->address(ends[i], s->address[me][i]);
    }
    s->opened[me] = 1;
    while (!s->opened[!me])
        usleep(1000);
    for (int i = 0; i < SIDES; i++)
        sides[i]->name_peer(ends[i], s->address[!me][i], s->address_bytes[!me][i]);
    for (int line = 1;; line++) {
        if (!me) {
            if (scanf("%d %zu %d", &s->side, &s->bytes, &s->turns) != 3)
                return 0;
            if (s->bytes > BIG || s->side < 0 || s->side >= SIDES)
                fail("no such side or length");
            s->order = line;
        }
        while (s->order < line)
            usleep(100);
        const struct side *side = sides[s->side];
        double seconds =
            s->bytes ? run(side, ends[s->side], me, s->bytes, s->turns) : meet(side, ends[s->side], s->turns);
        if (!me) {
            printf("%.9f\n", seconds);
            fflush(stdout);
        }
    }
}
