/* Many communicators, one after the other and at once: the library must free everything that it keeps for
 * each. */

#include <stdio.h>

#include "random.h"

enum { ALIVE = 300 };

/* The sum of the members' numbers, and who comes first. */
static void use(MPI_Comm comm, int me, int n, int step, int first) {
    int own = me * 7 + step, sum = -1, from = me, want = 0;
    for (int k = step % n; k < n; k += 1)
        want += k * 7 + step;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&from, 1, MPI_INT, 0, comm);
    if (sum != want || from != first) {
        printf("random: rank %d, communicator %d: expected the sum %d and the first rank %d, received %d and "
               "%d\n",
               me, step, want, first, sum, from);
        fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* The ranks from step % n on. */
static MPI_Comm make(MPI_Comm base, int me, int n, int step) {
    MPI_Comm comm;
    if (step % n == 0)
        MPI_Comm_dup(base, &comm);
    else
        MPI_Comm_split(base, me >= step % n ? 0 : MPI_UNDEFINED, 0, &comm);
    return comm;
}

void churn(MPI_Comm base, int me, int n, long count) {
    MPI_Comm alive[ALIVE];
    for (int step = 0; step < count; step++) {
        MPI_Comm *comm = &alive[step % ALIVE];
        if (step >= ALIVE && *comm != MPI_COMM_NULL)
            MPI_Comm_free(comm);
        *comm = make(base, me, n, step);
        int older = step - step % 7;
        if (*comm != MPI_COMM_NULL)
            use(*comm, me, n, step, step % n);
        if (alive[older % ALIVE] != MPI_COMM_NULL)
            use(alive[older % ALIVE], me, n, older, older % n);
    }
    for (int i = 0; i < ALIVE && i < count; i++)
        if (alive[i] != MPI_COMM_NULL)
            MPI_Comm_free(&alive[i]);
    if (me == 0)
        printf("random: %d ranks: %ld communicators made, used and freed, %d at once\n", n, count,
               count < ALIVE ? (int)count : ALIVE);
}
