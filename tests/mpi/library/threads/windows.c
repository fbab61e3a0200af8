/* Two threads of each rank, of which each waits for the lock of another target of one window. */

#include "threads.h"

enum { TIMES = 100, TARGETS = 2 };

static MPI_Win win;

static void count(const struct thread *thread) {
    int to = thread->number % TARGETS;
    for (int i = 0; i < TIMES; i++) {
        long number;
        GOOD(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win));
        GOOD(MPI_Get(&number, 1, MPI_LONG, to, 0, 1, MPI_LONG, win));
        GOOD(MPI_Win_flush(to, win));
        number++;
        GOOD(MPI_Put(&number, 1, MPI_LONG, to, 0, 1, MPI_LONG, win));
        GOOD(MPI_Win_unlock(to, win));
    }
}

int main(int argc, char **argv) {
    long *base;
    begin(&argc, &argv, MPI_THREAD_MULTIPLE);
    CHECK(n >= TARGETS);
    GOOD(MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    *base = 0;
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    let_work(TARGETS, count);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    GOOD(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    CHECK(*base == (me < TARGETS ? (long)TIMES * n : 0));
    GOOD(MPI_Win_unlock(me, win));
    GOOD(MPI_Win_free(&win));
    return MPI_Finalize();
}
