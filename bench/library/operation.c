/* One operation of MPI, repeated by all ranks: script/bench-library runs this program under every library.
 * Arguments: the operation, the bytes of a message, how often it is repeated in a turn, turns. Rank 0 writes
 * the seconds of one, the least of all turns. Every message carries its number, at both of its ends, and
 * every result is checked. */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 64 }; /* messages on their way in a turn of "rate" */

static int me, ranks;
static size_t bytes;
static uint64_t number; /* of the last message, or operation */
static char *data;

static void sure(int right, const char *what) {
    if (!right) {
        fprintf(stderr, "rank %d: operation %llu: %s\n", me, (unsigned long long)number, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* A message has its number at its beginning and at its end. */
static void mark(char *message) {
    memcpy(message, &number, sizeof number);
    memcpy(message + bytes - sizeof number, &number, sizeof number);
}

static void check(const char *message) {
    sure(!memcmp(message, &number, sizeof number) &&
             !memcmp(message + bytes - sizeof number, &number, sizeof number),
         "a message is not the one that was sent");
}

static void send(int to) {
    mark(data);
    MPI_Send(data, (int)bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive(int from) {
    MPI_Recv(data, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(data);
}

/* Send a message there and back. */
static void latency(void) {
    number++;
    if (me == 0)
        send(1);
    else
        receive(0);
    number++;
    if (me == 0)
        receive(1);
    else
        send(0);
}

/* Many to rank 1, which answers once. */
static void rate(void) {
    MPI_Request request[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        char *message = data + (size_t)i * bytes;
        if (me == 0) {
            number++;
            mark(message);
            MPI_Isend(message, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request[i]);
        } else {
            MPI_Irecv(message, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request[i]);
        }
    }
    MPI_Waitall(AT_ONCE, request, MPI_STATUSES_IGNORE);
    for (int i = 0; me == 1 && i < AT_ONCE; i++) {
        number++;
        check(data + (size_t)i * bytes);
    }
    if (me == 0)
        MPI_Recv(NULL, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduce(void) {
    int64_t mine = (int64_t)++number * (me + 1), sum, expected = (int64_t)number * ranks * (ranks + 1) / 2;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    sure(sum == expected, "the sum is wrong");
}

static const struct {
    const char *name;
    void (*function)(void);
    int each; /* operations that one call is */
} operations[] = {
    {"latency", latency, 2}, {"rate", rate, AT_ONCE}, {"barrier", barrier, 1}, {"allreduce", allreduce, 1}};

int main(int argc, char **argv) {
    size_t which = 0, count = sizeof operations / sizeof operations[0];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    sure(argc == 5, "there are four arguments: the operation, bytes, repetitions, turns");
    while (which < count && strcmp(operations[which].name, argv[1]) != 0)
        which++;
    bytes = strtoul(argv[2], NULL, 10);
    sure(which < count && bytes >= sizeof number, "no such operation, or a message of less than 8 bytes");
    long repetitions = strtol(argv[3], NULL, 10), turns = strtol(argv[4], NULL, 10);
    data = calloc(AT_ONCE, bytes);
    sure(data != NULL, "out of memory");
    double least = 1e9;
    for (long t = -1; t < turns; t++) { /* the first warms up */
        MPI_Barrier(MPI_COMM_WORLD);
        double began = MPI_Wtime();
        for (long i = 0; i < repetitions; i++)
            operations[which].function();
        double each = (MPI_Wtime() - began) / (double)(repetitions * operations[which].each);
        least = t >= 0 && each < least ? each : least;
    }
    if (me == 0)
        printf("%.12f\n", least);
    free(data);
    MPI_Finalize();
    return 0;
}
