/* places CASE: a program of 4 PEs, of which PE 2 is late in ROUNDS rounds; in `counts` nobody is, and each PE
 * makes numbers of calls that follow from its own number. A comment marks the line at which the others wait,
 * "CASE: waits", and that to which PE 2 comes late, "CASE: late", or both, "CASE". */

#include <exchange.h>
#include <papers.h>
#include <papers/file.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <vertex.h>
#include <vertex/cube.h>

enum { LATE = 2, ROUNDS = 8, N = 4 };

static int me;
static char in[N * 8], out[N * 8];

static void be_late(void) {
    struct timespec time = {0, 20000000};
    if (me == LATE)
        nanosleep(&time, NULL);
}

static void barrier(void) {
    be_late();
    p_wait(); /* barrier */
}

static void reduce(void) {
    be_late();
    p_reduceAdd(1.5); /* reduce */
}

static void narrow(void) {
    be_late();
    p_matchBits8u(3, 4); /* narrow */
}

static void broadcast(void) {
    be_late();
    if (me == LATE)
        p_bcastPut32(7); /* broadcast: late */
    else
        p_bcastGet32(); /* broadcast: waits */
}

/* Those that PE 2 is no member of meet as often, and wait for nobody. */
static void group(void) {
    p_enqueue(me % 2 ? 0xA : 0x5);
    be_late();
    p_any(0); /* group */
    p_enqueue(0xF);
}

static void exchange(void) {
    be_late();
    p_allToAll(in, out, 8); /* exchange */
}

static void sort(void) {
    be_late();
    p_sort(in, N, 8, "u64", 0); /* sort */
}

static void message(void) {
    int node = NANY, type = NANY;
    be_late();
    if (me == LATE)
        nwrite(out, 8, 1, 5); /* message: late */
    if (me == 1)
        nread(in, 8, &node, &type); /* message: waits */
}

static void look(void) {
    int node = NANY, type = 6;
    be_late();
    if (me == LATE)
        nwrite(out, 8, 1, 6); /* look: late */
    if (me != 1)
        return;
    nprobe(&node, NULL); /* look: waits */
    nread(in, 8, &node, &type);
}

static void request(void) {
    int flag;
    if (me != LATE && me != 1)
        return;
    nextend(me ^ 3);
    if (me == 1)
        nrcvreq(in, 8, LATE, &flag);
    p_enqueue(0x6);
    p_wait();
    be_late();
    if (me == LATE)
        nsend(out, 8, 1, &flag); /* request: late */
    nwait(&flag);                /* request: waits */
    nstandard(me ^ 3);
}

static void spread(void) {
    be_late();
    nspread(out, 8, LATE); /* spread */
}

/* Nodes of a subcube have other numbers than PEs. */
static void subcube(void) {
    int node = 0, type = 1;
    nsubcube(1);
    be_late();
    if (me == LATE)
        nwrite(out, 8, 1, 1); /* subcube: late */
    if (me == 3)
        nread(in, 8, &node, &type); /* subcube: waits */
    nsupercube();
}

/* PE k sends k messages of 10 bytes and one of 3 to the next one, and meets the others in groups of each
 * size. */
static void counts(void) {
    int next = (me + 1) % N, before = (me + N - 1) % N;
    for (int i = 0; i < me; i++)
        nwrite(out, 10, next, i);
    nwrite(out, 3, next, 99);
    for (int i = 0; i < before; i++)
        nread(in, 10, &before, &i);
    nread(in, 3, NULL, NULL);
    while (ntest(NULL, NULL) >= 0)
        ;
    for (int n = N; n > me; n--) {
        p_enqueue(((uint64_t)1 << n) - 1);
        p_reduceAdd64(1);
        p_allToAll(in, out, 8);
    }
    p_enqueue((1 << N) - 1);
    p_wait();
}

/* Each PE sends one message of 5 bytes to both neighbours in the cube. */
static void neighbours(void) {
    int sent, came[2];
    for (int d = 0; d < 2; d++) {
        nextend(me ^ 1 << d);
        nrcvreq(in + 5 * d, 5, me ^ 1 << d, &came[d]);
    }
    p_wait();
    nbcast(out, 5, 3, &sent);
    nwait(&sent);
    for (int d = 0; d < 2; d++)
        nwait(&came[d]);
}

/* All wait for a message that nobody sends. */
static void deadlock(void) {
    int node = (me + 1) % N;
    nread(in, 8, &node, NULL); /* deadlock */
}

static int meet(void *argument) {
    (void)argument;
    p_wait();
    return 0;
}

static void *team(void *argument) {
    p_team(N, meet, argument);
    return NULL;
}

/* Threads of another job, beside the PE. */
static void threads(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, team, NULL) || pthread_join(thread, NULL))
        p_error("no thread");
    p_wait();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"barrier", barrier}, {"reduce", reduce},     {"narrow", narrow}, {"broadcast", broadcast},
             {"group", group},     {"exchange", exchange}, {"sort", sort},     {"message", message},
             {"look", look},       {"request", request},   {"spread", spread}, {"subcube", subcube}};

int main(int argc, char **argv) {
    (void)argc;
    p_init();
    me = p_iproc();
    if (strcmp(argv[1], "counts") == 0)
        counts();
    if (strcmp(argv[1], "threads") == 0)
        threads();
    if (strcmp(argv[1], "neighbours") == 0)
        neighbours();
    if (strcmp(argv[1], "deadlock") == 0)
        deadlock();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int i = 0; i < ROUNDS && strcmp(cases[c].name, argv[1]) == 0; i++)
            cases[c].run();
    return p_exit(0);
}
