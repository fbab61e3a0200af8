/* Programs that do not come to their end, by their names, and one with more places, communicators and waits
 * than are recorded apart. */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int me, n;

static void killed(void) {
    if (me == 1)
        raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD); /* killed */
}

static void aborts(void) {
    if (me == 1)
        MPI_Abort(MPI_COMM_WORLD, 5); /* aborts */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void hangs(void) {
    int number;
    MPI_Recv(&number, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* hangs */
}

/* One rank never comes, which is not known from outside. */
static void sleeps(void) {
    if (me == 1)
        sleep(100);
    MPI_Barrier(MPI_COMM_WORLD); /* sleeps */
}

/* A window that there is not is an error of the call, and not of a look at its members. */
static void fence(void) {
    MPI_Win_fence(0, MPI_WIN_NULL);
}

/* Say what is mapped. */
static void maps(void) {
    char text[4096];
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(text, sizeof text, f))
        fputs(text, stdout);
}

/* Each rank in a job of many gives to the next one. */
static void many(void) {
    int number = me;
    for (int i = 0; i < 20; i++)
        MPI_Sendrecv_replace(&number, 1, MPI_INT, (me + 1) % n, 0, (me + n - 1) % n, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
}

#define FOUR(call) call call call call
#define K(call) FOUR(FOUR(FOUR(FOUR(FOUR(call)))))
#define SEND MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
#define RECEIVE MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);

/* 3072 places, each at one address. */
static void places(void) {
    int number = 0;
    for (int i = 0; i < 2; i++) {
        FOUR(FOUR(FOUR(FOUR(FOUR(SEND RECEIVE)))))
        K(MPI_Barrier(MPI_COMM_SELF);)
    }
}

/* 400 communicators that are there at the same time. */
static void communicators(void) {
    static MPI_Comm comm[400];
    for (int i = 0; i < 400; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    for (int i = 0; i < 400; i++)
        MPI_Barrier(comm[i]);
    for (int i = 0; i < 400; i++)
        MPI_Comm_free(&comm[i]);
}

/* Each of 1280 places waits for each of the ranks. */
static void wait_for(int late) {
    struct timespec time = {0, 30000};
    if (me == late)
        nanosleep(&time, NULL);
}
#define WAIT                                                                                                 \
    wait_for(late);                                                                                          \
    MPI_Barrier(MPI_COMM_WORLD);
static void waits(void) {
    for (int late = 0; late < n; late++) {
        K(WAIT)
        FOUR(FOUR(FOUR(FOUR(WAIT))))
    }
}

static const struct {
    const char *name;
    void (*work)(void);
} cases[] = {
    {"maps", maps},     {"killed", killed}, {"aborts", aborts}, {"hangs", hangs},
    {"sleeps", sleeps}, {"many", many},     {"places", places}, {"communicators", communicators},
    {"waits", waits},   {"fence", fence},
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].work();
    return MPI_Finalize();
}
