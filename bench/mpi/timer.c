/* Preloaded before any MPI program, ahead of the accelerator if that is loaded too: every rank appends a line
 * to $BENCH_MPI_TIMES when it calls MPI_Finalize: its rank, the number of ranks, the seconds since MPI_Init
 * returned, those of them spent inside blocking collectives, and how many of those there were. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The times of a rank; the measured programs call MPI from one thread. */
static long started, inside, calls;

static long nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Return the function behind this library: the accelerator's or the host's. */
static void *behind(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "timer: no %s behind it: is the program linked with MPI?\n", name);
        _exit(1);
    }
    return function;
}

/* X(name, parameters, arguments) */
#define COLLECTIVES(X)                                                                                       \
    X(Barrier, (MPI_Comm c), (c))                                                                            \
    X(Bcast, (void *b, int n, MPI_Datatype t, int r, MPI_Comm c), (b, n, t, r, c))                           \
    X(Reduce, (const void *s, void *b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c),                  \
      (s, b, n, t, o, r, c))                                                                                 \
    X(Allreduce, (const void *s, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, b, n, t, o, c))  \
    X(Scan, (const void *s, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, b, n, t, o, c))       \
    X(Exscan, (const void *s, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, b, n, t, o, c))     \
    X(Reduce_scatter_block, (const void *s, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),           \
      (s, b, n, t, o, c))                                                                                    \
    X(Reduce_scatter, (const void *s, void *b, const int *n, MPI_Datatype t, MPI_Op o, MPI_Comm c),          \
      (s, b, n, t, o, c))                                                                                    \
    X(Allgather, (const void *s, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),         \
      (s, n, t, b, m, u, c))                                                                                 \
    X(Allgatherv,                                                                                            \
      (const void *s, int n, MPI_Datatype t, void *b, const int *m, const int *p, MPI_Datatype u,            \
       MPI_Comm c),                                                                                          \
      (s, n, t, b, m, p, u, c))                                                                              \
    X(Gather, (const void *s, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r, MPI_Comm c),     \
      (s, n, t, b, m, u, r, c))                                                                              \
    X(Gatherv,                                                                                               \
      (const void *s, int n, MPI_Datatype t, void *b, const int *m, const int *p, MPI_Datatype u, int r,     \
       MPI_Comm c),                                                                                          \
      (s, n, t, b, m, p, u, r, c))                                                                           \
    X(Scatter, (const void *s, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r, MPI_Comm c),    \
      (s, n, t, b, m, u, r, c))                                                                              \
    X(Scatterv,                                                                                              \
      (const void *s, const int *n, const int *p, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r,     \
       MPI_Comm c),                                                                                          \
      (s, n, p, t, b, m, u, r, c))                                                                           \
    X(Alltoall, (const void *s, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),          \
      (s, n, t, b, m, u, c))                                                                                 \
    X(Alltoallv,                                                                                             \
      (const void *s, const int *n, const int *p, MPI_Datatype t, void *b, const int *m, const int *q,       \
       MPI_Datatype u, MPI_Comm c),                                                                          \
      (s, n, p, t, b, m, q, u, c))

#define WRAP(name, parameters, arguments)                                                                    \
    int MPI_##name parameters {                                                                              \
        static int(*next) parameters;                                                                        \
        if (!next)                                                                                           \
            next = (int(*) parameters)behind("MPI_" #name);                                                  \
        long before = nanoseconds();                                                                         \
        int error = next arguments;                                                                          \
        inside += nanoseconds() - before;                                                                    \
        calls++;                                                                                             \
        return error;                                                                                        \
    }
COLLECTIVES(WRAP)

int MPI_Init(int *argc, char ***argv) {
    int error = ((int (*)(int *, char ***))behind("MPI_Init"))(argc, argv);
    started = nanoseconds();
    return error;
}

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided) {
    int error =
        ((int (*)(int *, char ***, int, int *))behind("MPI_Init_thread"))(argc, argv, wanted, provided);
    started = nanoseconds();
    return error;
}

int MPI_Finalize(void) {
    double total = (double)(nanoseconds() - started) * 1e-9;
    const char *path = getenv("BENCH_MPI_TIMES");
    char line[200];
    int me, ranks, fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int length =
        snprintf(line, sizeof line, "%d %d %.9f %.9f %ld\n", me, ranks, total, (double)inside * 1e-9, calls);
    if (fd < 0 || write(fd, line, (size_t)length) != length)
        fprintf(stderr, "timer: cannot write to BENCH_MPI_TIMES=%s\n", path ? path : "");
    return ((int (*)(void))behind("MPI_Finalize"))();
}
