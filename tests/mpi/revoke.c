/* A communicator that was revoked fails in every collective operation, as it does in the MPI library, and the
 * others are accelerated as before. `revoke none`: where the library is to go on when a process has ended,
 * nothing is accelerated; and nothing is revoked, for Open MPI 5.0 ends by a segmentation fault where the
 * news of it comes after the communicator has been freed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int bad;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("line %d: %s does not hold\n", __LINE__, #condition);                                     \
            bad = 1;                                                                                         \
        }                                                                                                    \
    } while (0)

static uint64_t operations(void) {
    uint64_t (*count)(void);
    *(void **)&count = dlsym(RTLD_DEFAULT, "unisono_mpi_operations");
    return count ? count() : 0;
}

/* used: it was in an operation before. */
static void revoke(int (*function)(MPI_Comm), int used) {
    MPI_Comm comm;
    int mine = 1, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (used)
        CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
    CHECK(function(comm) == MPI_SUCCESS);
    CHECK(MPI_Barrier(comm) != MPI_SUCCESS);
    CHECK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS);
    uint64_t before = operations();
    CHECK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    if (before)
        CHECK(operations() > before);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    int (*function)(MPI_Comm), none = argc > 1 && !strcmp(argv[1], "none");
    MPI_Init(&argc, &argv);
    *(void **)&function = dlsym(RTLD_DEFAULT, "MPIX_Comm_revoke");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK((operations() == 0) == none);
    for (int i = 0; i < 3 && !none; i++) {
        revoke(function, 1);
        revoke(function, 0);
    }
    MPI_Finalize();
    return bad;
}
