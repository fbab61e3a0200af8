/* Jobs that end in an epoch; the argument says how. Two ranks. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mpi_check.h"

#pragma GCC visibility push(default) /* for the library to call it */

static bool kills, copies;

/* Nobody survives a copy to another process; or that one is killed before, and gone when it is reached for.
 */
ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                          unsigned long theres, unsigned long flags) {
    if (!kills && !copies)
        return raise(SIGKILL);
    if (kills)
        kill(pid, SIGKILL);
    for (;;) {
        ssize_t copied = syscall(SYS_process_vm_writev, pid, here, heres, there, theres, flags);
        if (!kills || (copied < 0 && errno == ESRCH))
            return copied;
    }
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

/* Rank 0 puts to memory of rank 1, whose process is gone; the launcher tells of that a moment later. */
static void gone(void) {
    static long element;
    MPI_Win own;
    GOOD(MPI_Win_create(&element, sizeof element, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &own));
    GOOD(MPI_Win_lock_all(0, own));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    kills = true;
    while (me == 1)
        pause();
    MPI_Put(&element, 1, MPI_LONG, 1, 0, 1, MPI_LONG, own);
}

/* Rank 0 puts to memory that rank 1 does not have, and hears of that at once, twice. */
static void nowhere(void) {
    long number = 5;
    MPI_Win own;
    GOOD(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &own));
    GOOD(MPI_Win_set_errhandler(own, MPI_ERRORS_RETURN));
    GOOD(MPI_Win_lock_all(0, own));
    copies = true;
    double began = MPI_Wtime();
    for (int i = 0; me == 0 && i < 2; i++)
        CHECK(MPI_Put(&number, 1, MPI_LONG, 1, 4096, 1, MPI_LONG, own) == MPI_ERR_RMA_RANGE);
    CHECK(MPI_Wtime() - began < 0.9);
    GOOD(MPI_Win_unlock_all(own));
    GOOD(MPI_Win_free(&own));
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
                 {"gone", gone},
                 {"nowhere", nowhere},
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
