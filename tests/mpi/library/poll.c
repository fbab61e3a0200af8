/* Programs that look for a message again and again instead of waiting for it, in every way that MPI has,
 * where two ranks share one processor: each look in vain must let the other rank run. Otherwise a rank looks
 * for as long as the kernel leaves it the processor, tens of thousands of times for a message. What is
 * counted is looks, not time. Arguments: the program unisono; with "ranks" instead, it is a rank. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi_check.h"

/* Messages in each way; looks in vain for one, on the average; times that a rank gives its processor away
 * before it sends one, during each of which the other one looks. */
enum { ROUNDS = 100, LOOKS = 50, PAUSES = 10 };

static int iprobe(MPI_Request *request, int *number, int other) {
    int there;
    (void)request;
    MPI_Iprobe(other, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there)
        MPI_Recv(number, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return there;
}

static int improbe(MPI_Request *request, int *number, int other) {
    int there;
    MPI_Message message;
    (void)request;
    MPI_Improbe(other, 0, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
    if (there)
        MPI_Mrecv(number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    return there;
}

#define ASKS(name, call)                                                                                     \
    static int name(MPI_Request *request, int *number, int other) {                                          \
        int done = 0, index = 0;                                                                             \
        (void)number, (void)other, (void)index;                                                              \
        call;                                                                                                \
        return done > 0;                                                                                     \
    }
ASKS(test, MPI_Test(request, &done, MPI_STATUS_IGNORE))
ASKS(testall, MPI_Testall(1, request, &done, MPI_STATUSES_IGNORE))
ASKS(testany, MPI_Testany(1, request, &index, &done, MPI_STATUS_IGNORE))
ASKS(testsome, MPI_Testsome(1, request, &done, &index, MPI_STATUSES_IGNORE))
ASKS(get_status, MPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE))
ASKS(get_status_all, MPI_Request_get_status_all(1, request, &done, MPI_STATUSES_IGNORE))
ASKS(get_status_any, MPI_Request_get_status_any(1, request, &index, &done, MPI_STATUS_IGNORE))
ASKS(get_status_some, MPI_Request_get_status_some(1, request, &done, &index, MPI_STATUSES_IGNORE))

static const struct {
    const char *name;
    int (*look)(MPI_Request *request, int *number, int other);
    bool posts; /* a receive, for which it asks */
} ways[] = {{"MPI_Iprobe", iprobe, false},
            {"MPI_Improbe", improbe, false},
            {"MPI_Test", test, true},
            {"MPI_Testall", testall, true},
            {"MPI_Testany", testany, true},
            {"MPI_Testsome", testsome, true},
            {"MPI_Request_get_status", get_status, true},
            {"MPI_Request_get_status_all", get_status_all, true},
            {"MPI_Request_get_status_any", get_status_any, true},
            {"MPI_Request_get_status_some", get_status_some, true}};

/* The message of that number, by looking. Returns how often it was looked for in vain. */
static long receive(size_t way, int number, int other) {
    MPI_Request request = MPI_REQUEST_NULL;
    int got = -1;
    long vain = 0;
    if (ways[way].posts)
        MPI_Irecv(&got, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    while (!ways[way].look(&request, &got, other))
        vain++;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got == number);
    return vain;
}

static void send(int number, int other) {
    for (int i = 0; i < PAUSES; i++)
        sched_yield();
    MPI_Send(&number, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
}

static int rank_main(void) {
    int me;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        long vain = 0;
        for (int i = 0; i < ROUNDS; i++) {
            if (me == 0)
                send(i, 1);
            vain += receive(way, i, 1 - me);
            if (me == 1)
                send(i, 0);
        }
        if (vain > (long)ROUNDS * LOOKS) {
            fprintf(stderr, "rank %d: %s has looked %ld times in vain for %d messages\n", me, ways[way].name,
                    vain, ROUNDS);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv) {
    cpu_set_t all, one;
    int processor = 0;
    if (argc == 2 && !strcmp(argv[1], "ranks"))
        return rank_main();
    CPU_ZERO(&one);
    if (argc != 2 || sched_getaffinity(0, sizeof all, &all)) {
        fprintf(stderr, "poll: there is one argument, the program unisono\n");
        return 1;
    }
    while (!CPU_ISSET(processor, &all))
        processor++;
    CPU_SET(processor, &one);
    if (sched_setaffinity(0, sizeof one, &one)) {
        perror("poll: sched_setaffinity");
        return 1;
    }
    execl(argv[1], argv[1], "run", "-n", "2", argv[0], "ranks", (char *)NULL);
    perror(argv[1]);
    return 1;
}
