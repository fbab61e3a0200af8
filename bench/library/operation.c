/* One operation of MPI, repeated by all ranks: script/bench-library runs this program under every library.
 * Arguments: the operation, the bytes of a message, how often it is repeated in a turn, turns; and for
 * threads, the level that is asked for (one, funneled, serialized, multiple), and how many threads of each
 * rank repeat it at once, each in a communicator of its own. Rank 0 writes the seconds of one, the least of
 * all turns. Every message carries its number, at both of its ends, and every result is checked. */

#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 64 /* messages on their way in a turn of "rate" */, MOST_THREADS = 8 };

static int me, ranks;
static size_t bytes;

/* The thread's own: */
static _Thread_local MPI_Comm comm;
static _Thread_local uint64_t number; /* of the last message, or operation */
static _Thread_local char *data;

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
    MPI_Send(data, (int)bytes, MPI_BYTE, to, 0, comm);
}

static void receive(int from) {
    MPI_Recv(data, (int)bytes, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE);
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
            MPI_Isend(message, (int)bytes, MPI_BYTE, 1, 0, comm, &request[i]);
        } else {
            MPI_Irecv(message, (int)bytes, MPI_BYTE, 0, 0, comm, &request[i]);
        }
    }
    MPI_Waitall(AT_ONCE, request, MPI_STATUSES_IGNORE);
    for (int i = 0; me == 1 && i < AT_ONCE; i++) {
        number++;
        check(data + (size_t)i * bytes);
    }
    if (me == 0)
        MPI_Recv(NULL, 0, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_BYTE, 0, 1, comm);
}

static void barrier(void) {
    MPI_Barrier(comm);
}

/* The first number and the last one differ from operation to operation. */
static void allreduce(void) {
    int64_t *mine = (int64_t *)(void *)data, *sum = mine + bytes / sizeof *mine;
    size_t last = bytes / sizeof *mine - 1;
    int64_t all = (int64_t)ranks * (ranks + 1) / 2;
    number++;
    mine[0] = mine[last] = (int64_t)number * (me + 1);
    MPI_Allreduce(mine, sum, (int)last + 1, MPI_INT64_T, MPI_SUM, comm);
    sure(sum[0] == (int64_t)number * all && sum[last] == sum[0], "the sum is wrong");
}

static void broadcast(void) {
    number++;
    if (me == 0)
        mark(data);
    MPI_Bcast(data, (int)bytes, MPI_BYTE, 0, comm);
    check(data);
}

static const struct operation {
    const char *name;
    void (*function)(void);
    int each; /* operations that one call is */
} operations[] = {{"latency", latency, 2},
                  {"rate", rate, AT_ONCE},
                  {"barrier", barrier, 1},
                  {"allreduce", allreduce, 1},
                  {"broadcast", broadcast, 1}};

enum { LEVELS = 4 };
static const char *const level_name[LEVELS] = {"one", "funneled", "serialized", "multiple"};
static const int level_number[LEVELS] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                         MPI_THREAD_MULTIPLE};

static const struct operation *operation;
static long repetitions;

/* A thread of this rank, and what its turns go on with. */
struct thread {
    pthread_t id;
    MPI_Comm comm;
    uint64_t number;
    char *data;
};

static void *turn(void *of) {
    struct thread *thread = of;
    comm = thread->comm, number = thread->number, data = thread->data;
    for (long i = 0; i < repetitions; i++)
        operation->function();
    thread->number = number;
    return NULL;
}

/* Returns the seconds of a turn. */
static double time_turn(struct thread *thread, long threads) {
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (long i = 1; i < threads; i++)
        sure(!pthread_create(&thread[i].id, NULL, turn, &thread[i]), "there is no other thread");
    turn(thread);
    for (long i = 1; i < threads; i++)
        pthread_join(thread[i].id, NULL);
    return MPI_Wtime() - began;
}

/* Returns the index of a name; exits with an error where there is none. */
static int find(const char *name, const char *const *names, int count) {
    int i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    if (i == count) {
        fprintf(stderr, "there is no '%s'\n", name);
        exit(2);
    }
    return i;
}

int main(int argc, char **argv) {
    enum { OPERATIONS = sizeof operations / sizeof *operations };
    const char *names[OPERATIONS];
    for (int i = 0; i < OPERATIONS; i++)
        names[i] = operations[i].name;
    if (argc != 5 && argc != 7) {
        fputs("arguments: OPERATION BYTES REPETITIONS TURNS [LEVEL THREADS]\n", stderr);
        return 2;
    }
    operation = &operations[find(argv[1], names, OPERATIONS)];
    bytes = strtoul(argv[2], NULL, 10), repetitions = strtol(argv[3], NULL, 10);
    long turns = strtol(argv[4], NULL, 10), threads = argc > 5 ? strtol(argv[6], NULL, 10) : 1;
    int level = argc > 5 ? level_number[find(argv[5], level_name, LEVELS)] : MPI_THREAD_SINGLE, given;
    MPI_Init_thread(&argc, &argv, level, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    sure(given >= level, "the library does not give the level of threads");
    sure(bytes >= sizeof number && bytes % sizeof number == 0, "bytes are not a multiple of 8");
    sure(threads >= 1 && threads <= MOST_THREADS, "too many threads, or none");
    struct thread thread[MOST_THREADS] = {{.comm = MPI_COMM_WORLD}};
    for (long i = 0; i < threads; i++) {
        if (i)
            MPI_Comm_dup(MPI_COMM_WORLD, &thread[i].comm);
        thread[i].data = calloc(AT_ONCE, bytes);
        sure(thread[i].data != NULL, "out of memory");
    }
    double least = 1e9;
    for (long t = -1; t < turns; t++) { /* the first warms up */
        double each = time_turn(thread, threads) / (double)(threads * repetitions * operation->each);
        least = t >= 0 && each < least ? each : least;
    }
    if (me == 0)
        printf("%.12f\n", least);
    for (long i = 0; i < threads; i++) {
        if (i)
            MPI_Comm_free(&thread[i].comm);
        free(thread[i].data);
    }
    MPI_Finalize();
    return 0;
}
