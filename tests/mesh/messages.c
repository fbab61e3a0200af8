/* Messages past the rings, beside those that lie in one, and with ranks that do not wait for each other:
 *
 * - A rank that waits for a message of one other takes in, meanwhile, what a third one asks it for: rank 2
 *   sends rank 0 a synchronous message before it lets rank 1 send the one that rank 0 waits for.
 * - A message with an answer, which lies in the ring first, and a standard one behind it come in order.
 * - Rank 1 sends many more messages than a ring has lines, and gets nothing back.
 *
 * Rank 3 tests all the time, so that the network is never still. */

#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 40, FLOOD = 300, WAITS = 0, SENDS = 1, ASKS = 2, TESTS = 3 };

static void check(int expected, int received) {
    if (expected == received)
        return;
    fprintf(stderr, "expected %d, received %d\n", expected, received);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void receive(int from, int expected) {
    int number = -1;
    MPI_Recv(&number, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(expected, number);
}

static void test(void) {
    MPI_Request request;
    int number = -1, done = 0;
    MPI_Irecv(&number, 1, MPI_INT, WAITS, 0, MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    check(ROUNDS, number);
}

static void wait_for_one(int round) {
    MPI_Request request;
    int number = -1;
    MPI_Irecv(&number, 1, MPI_INT, ASKS, 0, MPI_COMM_WORLD, &request);
    receive(SENDS, round);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(round, number);
}

static void in_order(int rank, int round) {
    int second = round + ROUNDS;
    MPI_Request request;
    if (rank == WAITS) {
        receive(ASKS, round);
        receive(ASKS, second);
    } else if (rank == ASKS) {
        MPI_Issend(&round, 1, MPI_INT, WAITS, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&second, 1, MPI_INT, WAITS, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void flood(int rank) {
    int count = FLOOD;
    if (rank == WAITS)
        MPI_Send(&count, 1, MPI_INT, SENDS, 0, MPI_COMM_WORLD); /* from now on it is asked for messages */
    else if (rank == SENDS)
        receive(WAITS, count);
    for (int i = 0; i < FLOOD; i++)
        if (rank == SENDS)
            MPI_Send(&i, 1, MPI_INT, WAITS, 0, MPI_COMM_WORLD);
        else if (rank == WAITS)
            receive(SENDS, i);
}

static void third(int rank, int round) {
    if (rank == WAITS) {
        wait_for_one(round);
    } else if (rank == SENDS) {
        receive(ASKS, round);
        MPI_Send(&round, 1, MPI_INT, WAITS, 0, MPI_COMM_WORLD);
    } else {
        MPI_Ssend(&round, 1, MPI_INT, WAITS, 0, MPI_COMM_WORLD);
        MPI_Send(&round, 1, MPI_INT, SENDS, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank, ranks, rounds = ROUNDS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(TESTS + 1, ranks);
    for (int round = 0; round < ROUNDS && rank != TESTS; round++) {
        third(rank, round);
        in_order(rank, round);
    }
    flood(rank);
    if (rank == WAITS)
        MPI_Send(&rounds, 1, MPI_INT, TESTS, 0, MPI_COMM_WORLD);
    else if (rank == TESTS)
        test();
    MPI_Finalize();
    return 0;
}
