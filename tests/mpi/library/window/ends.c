/* Jobs that end in an epoch; the argument says how. Two ranks. */

#include <signal.h>
#include <string.h>
#include <sys/uio.h>

#include "mpi_check.h"

#pragma GCC visibility push(default) /* for the library to call it */

/* Nobody survives a copy to another process. */
ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                          unsigned long theres, unsigned long flags) {
    (void)pid, (void)here, (void)heres, (void)there, (void)theres, (void)flags;
    return raise(SIGKILL);
}

#pragma GCC visibility pop

static int me;
static long *base;
static MPI_Win win;

/* Rank 1 waits for what rank 0 has locked. */
static void wait_for_lock(void) {
    if (me == 0)
        GOOD(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 1)
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
}

static void killed(void) {
    wait_for_lock();
    raise(SIGKILL);
}

static void dead(void) {
    wait_for_lock();
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 dies while it combines elements of rank 1, which goes on combining them. */
static void held(void) {
    static long element;
    const long one = 1;
    MPI_Win own;
    GOOD(MPI_Win_create(&element, sizeof element, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &own));
    GOOD(MPI_Win_lock_all(0, own));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    for (;;)
        MPI_Accumulate(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, own);
}

/* Nobody posts. */
static void alone(void) {
    MPI_Group all, other;
    GOOD(MPI_Win_get_group(win, &all));
    GOOD(MPI_Group_incl(all, 1, (int[]){1}, &other));
    if (me == 0)
        MPI_Win_start(other, 0, win);
    else
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void mismatched(void) {
    if (me == 0)
        MPI_Win_fence(0, win);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

static void outside(void) {
    long number = 5;
    GOOD(MPI_Win_lock_all(0, win));
    MPI_Put(&number, 1, MPI_LONG, 1, 8, 1, MPI_LONG, win);
}

static void unopened(void) {
    long number = 5;
    MPI_Put(&number, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
}

static void inside(void) {
    GOOD(MPI_Win_lock_all(0, win));
    MPI_Win_free(&win);
}

/* Rank 1, on another node, dies when it has been asked for something. */
static void killed_asked(void) {
    long number = 5;
    GOOD(MPI_Win_lock_all(0, win));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 1)
        raise(SIGKILL);
    for (;;) {
        MPI_Put(&number, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        MPI_Win_flush(1, win);
    }
}

/* Rank 0 puts to memory that rank 1, on another node, has not attached. */
static void detached(void) {
    long number = 5;
    MPI_Win own;
    GOOD(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &own));
    GOOD(MPI_Win_lock_all(0, own));
    if (me == 0) {
        MPI_Put(&number, 1, MPI_LONG, 1, 4096, 1, MPI_LONG, own);
        MPI_Win_flush(1, own);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"killed", killed},
                 {"held", held},
                 {"dead", dead},
                 {"alone", alone},
                 {"mismatched", mismatched},
                 {"outside", outside},
                 {"unopened", unopened},
                 {"inside", inside},
                 {"killed_asked", killed_asked},
                 {"detached", detached}};
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &me));
    GOOD(MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    return MPI_Finalize();
}
