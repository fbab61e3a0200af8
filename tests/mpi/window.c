/* One-sided communication beside accelerated barriers. MPI promises that MPI_Win_test, called again and
 * again, tells that the origins have called MPI_Win_complete, and that their data are there then. mpi4py's
 * test_rma goes by more: once a barrier is behind those calls, the first one tells. Most here must; under
 * MPICH next to none does if the accelerator asks the host but once. */

#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 200 };

int main(int argc, char **argv) {
    int me, ranks, count[2] = {0}, all[2];
    /* Debian's MPICH 4.0 alone puts data into a window at a wrong place unless the window begins at a
     * multiple of 16. */
    _Alignas(16) int memory = 0;
    int *late = &count[0], *wrong = &count[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win win;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Group everyone, others, target;
    MPI_Comm_group(MPI_COMM_WORLD, &everyone);
    for (int i = 1; i <= ROUNDS; i++) {
        int to = i % ranks;
        MPI_Group_excl(everyone, 1, &to, &others);
        MPI_Group_incl(everyone, 1, &to, &target);
        if (me == to) {
            int done;
            MPI_Win_post(others, 0, win);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Win_test(win, &done);
            *late += !done;
            while (!done)
                MPI_Win_test(win, &done);
            *wrong += memory != i;
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Win_start(target, 0, win);
            MPI_Put(&i, 1, MPI_INT, to, 0, 1, MPI_INT, win);
            MPI_Win_complete(win);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Group_free(&others);
        MPI_Group_free(&target);
    }
    MPI_Group_free(&everyone);
    MPI_Allreduce(count, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        printf("%d of %d rounds late, %d wrong\n", all[0], ROUNDS, all[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return all[1] || all[0] > ROUNDS / 2;
}
