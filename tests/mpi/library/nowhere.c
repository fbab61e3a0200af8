/* Data at no address where that is right: behind MPI_BOTTOM, where a type or a displacement has the address;
 * where there are none; and at ranks that the call does not ask for data. */

#include "mpi_check.h"

#include <string.h>

enum { WORDS = 4 };

static int rank, size;

/* A type of WORDS numbers at that address. */
static MPI_Datatype at(const void *address) {
    MPI_Datatype type;
    MPI_Aint place;
    int length = WORDS;
    GOOD(MPI_Get_address(address, &place));
    GOOD(MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &type));
    GOOD(MPI_Type_commit(&type));
    return type;
}

static void set(int *numbers, int first) {
    for (int i = 0; i < WORDS; i++)
        numbers[i] = first + i;
}

static void check(const int *numbers, int first) {
    for (int i = 0; i < WORDS; i++)
        CHECK(numbers[i] == first + i);
}

static void messages(MPI_Datatype in, int *from, MPI_Datatype out, const int *to) {
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request request[2];
    char packed[64];
    int position = 0;
    set(from, 100 * rank);
    GOOD(MPI_Sendrecv(MPI_BOTTOM, 1, in, right, 0, MPI_BOTTOM, 1, out, left, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    check(to, 100 * left);
    set(from, 200 * rank);
    GOOD(MPI_Irecv(MPI_BOTTOM, 1, out, left, 0, MPI_COMM_WORLD, &request[0]));
    GOOD(MPI_Isend(MPI_BOTTOM, 1, in, right, 0, MPI_COMM_WORLD, &request[1]));
    GOOD(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    check(to, 200 * left);
    set(from, 300 * rank);
    GOOD(MPI_Pack(MPI_BOTTOM, 1, in, packed, sizeof packed, &position, MPI_COMM_WORLD));
    position = 0;
    GOOD(MPI_Unpack(packed, sizeof packed, &position, MPI_BOTTOM, 1, out, MPI_COMM_WORLD));
    check(to, 300 * rank);
}

static void collectives(MPI_Datatype in, int *from, MPI_Datatype out, int *to) {
    int zeros[size], all[size * WORDS];
    MPI_Request request;
    memset(zeros, 0, sizeof zeros);
    set(to, 400 + rank);
    GOOD(MPI_Bcast(MPI_BOTTOM, 1, out, 0, MPI_COMM_WORLD));
    check(to, 400);
    set(from, 500 * rank);
    GOOD(MPI_Allgather(MPI_BOTTOM, 1, in, all, WORDS, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < size; r++)
        check(all + r * WORDS, 500 * r);
    GOOD(MPI_Scatter(all, WORDS, MPI_INT, MPI_BOTTOM, 1, out, 0, MPI_COMM_WORLD));
    check(to, 500 * rank);
    GOOD(MPI_Iscatter(rank ? NULL : all, WORDS, MPI_INT, MPI_BOTTOM, 1, out, 0, MPI_COMM_WORLD, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check(to, 500 * rank);
    /* for no elements every pointer may be null, and a message from MPI_PROC_NULL needs no buffer */
    GOOD(MPI_Allgatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, MPI_COMM_WORLD));
    GOOD(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    GOOD(MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD));
    GOOD(MPI_Send(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    GOOD(MPI_Recv(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    GOOD(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
}

/* Data that go to nobody must lie somewhere if others come into their place. */
static void replaced(void) {
    MPI_Comm own = MPI_COMM_SELF;
    GOOD(MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN));
    CHECK(MPI_Sendrecv_replace(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, 0, 0, own, MPI_STATUS_IGNORE) ==
          MPI_ERR_BUFFER);
    GOOD(MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL));
}

#ifdef MPI_ABI_VERSION
/* Displacements that are addresses, of types that are none. */
static void addresses(int *from, const int *to) {
    MPI_Count counts[size];
    MPI_Aint sends[size], receives[size];
    MPI_Datatype types[size];
    MPI_Request request;
    set(from, 700 + rank);
    for (int r = 0; r < size; r++) {
        counts[r] = r == rank ? WORDS : 0;
        types[r] = MPI_INT;
        GOOD(MPI_Get_address(from, &sends[r]));
        GOOD(MPI_Get_address(to, &receives[r]));
    }
    GOOD(MPI_Alltoallw_c(MPI_BOTTOM, counts, sends, types, MPI_BOTTOM, counts, receives, types,
                         MPI_COMM_WORLD));
    check(to, 700 + rank);
    set(from, 800 + rank);
    GOOD(MPI_Ialltoallw_c(MPI_BOTTOM, counts, sends, types, MPI_BOTTOM, counts, receives, types,
                          MPI_COMM_WORLD, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check(to, 800 + rank);
}
#endif

/* Only some ranks have data. */
static void some_ranks(void) {
    int one = rank + 1, sum = 0, counts[size], places[size], all[size];
    MPI_Request request;
    for (int r = 0; r < size; r++) {
        counts[r] = 1;
        places[r] = r;
    }
    GOOD(MPI_Reduce(&one, rank ? NULL : &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
    CHECK(rank || sum == size * (size + 1) / 2);
    GOOD(MPI_Ireduce(&one, rank ? NULL : &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOOD(MPI_Exscan(&one, rank ? &sum : NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(!rank || sum == rank * (rank + 1) / 2);
    GOOD(MPI_Iexscan(&one, rank ? &sum : NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOOD(MPI_Gather(&one, 1, MPI_INT, rank ? NULL : all, 1, MPI_INT, 0, MPI_COMM_WORLD));
    if (rank)
        GOOD(MPI_Gatherv(&one, 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
    else
        GOOD(
            MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD));
    for (int r = 0; r < size; r++)
        CHECK(rank || all[r] == r + 1);
    for (int r = 0; r < size; r++)
        counts[r] = r == 0;
    all[0] = one;
    GOOD(MPI_Reduce_scatter(all, rank ? NULL : &sum, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(rank || sum == size * (size + 1) / 2);
}

int main(int argc, char **argv) {
    int from[WORDS], to[WORDS];
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    MPI_Datatype in = at(from), out = at(to);
    messages(in, from, out, to);
    collectives(in, from, out, to);
#ifdef MPI_ABI_VERSION
    addresses(from, to);
#endif
    some_ranks();
    replaced();
    GOOD(MPI_Type_free(&in));
    GOOD(MPI_Type_free(&out));
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
