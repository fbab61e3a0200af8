/* mpi4py's test_rma goes by what MPI does not promise: once a barrier is behind the origins'
 * MPI_Win_complete, the first MPI_Win_test of the target tells that they have. Under MPICH alone it mostly
 * does. */

#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 200 };

int main(int argc, char **argv) {
    int me, ranks, late = 0, all, memory = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win win;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Group everyone, others, target;
    MPI_Comm_group(MPI_COMM_WORLD, &everyone);
    for (int i = 0; i < ROUNDS; i++) {
        int to = i % ranks;
        MPI_Group_excl(everyone, 1, &to, &others);
        MPI_Group_incl(everyone, 1, &to, &target);
        if (me == to) {
            int done;
            MPI_Win_post(others, 0, win);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Win_test(win, &done);
            late += !done;
            if (!done)
                MPI_Win_wait(win);
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
    MPI_Allreduce(&late, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        printf("%d of %d rounds late\n", all, ROUNDS);
    MPI_Win_free(&win);
    MPI_Finalize();
    return all ? 1 : 0;
}
