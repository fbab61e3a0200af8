/* Requests, one by one: tested, looked at, cancelled, freed. With any number of ranks, each to itself. */

#include "mpi_check.h"

#include <string.h>

enum { TAG = 7, COUNT = 3 };

static int rank;
static const int sent[COUNT] = {1, 2, 3};

static void send_to_self(int tag) {
    GOOD(MPI_Send(sent, COUNT, MPI_INT, rank, tag, MPI_COMM_WORLD));
}

static void receive(int *at, int tag, MPI_Request *request) {
    GOOD(MPI_Irecv(at, COUNT, MPI_INT, rank, tag, MPI_COMM_WORLD, request));
}

static void tested(void) {
    MPI_Request request;
    MPI_Status status;
    int numbers[COUNT] = {0}, flag;
    receive(numbers, TAG, &request);
    GOOD(MPI_Test(&request, &flag, &status));
    CHECK(!flag && request != MPI_REQUEST_NULL);
    send_to_self(TAG);
    GOOD(MPI_Test(&request, &flag, &status));
    CHECK(flag && request == MPI_REQUEST_NULL && status.MPI_TAG == TAG && status.MPI_SOURCE == rank);
    CHECK(memcmp(numbers, sent, sizeof sent) == 0);
    GOOD(MPI_Test(&request, &flag, &status)); /* of none */
    CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE);
}

/* The second of two comes. */
static void tested_of_several(void) {
    MPI_Request request[2];
    MPI_Status status;
    int numbers[2][COUNT] = {0}, flag, index;
    for (int i = 0; i < 2; i++)
        receive(numbers[i], TAG + i, &request[i]);
    GOOD(MPI_Testany(2, request, &index, &flag, &status));
    CHECK(!flag && index == MPI_UNDEFINED);
    GOOD(MPI_Testsome(2, request, &flag, &index, &status));
    CHECK(flag == 0);
    send_to_self(TAG + 1);
    GOOD(MPI_Testany(2, request, &index, &flag, &status));
    CHECK(flag && index == 1 && status.MPI_TAG == TAG + 1 && request[1] == MPI_REQUEST_NULL);
    GOOD(MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE));
    CHECK(!flag);
    send_to_self(TAG);
    GOOD(MPI_Testsome(2, request, &flag, &index, &status));
    CHECK(flag == 1 && index == 0 && request[0] == MPI_REQUEST_NULL);
    GOOD(MPI_Testsome(2, request, &flag, &index, &status));
    CHECK(flag == MPI_UNDEFINED);
    CHECK(memcmp(numbers[0], sent, sizeof sent) == 0 && memcmp(numbers[1], sent, sizeof sent) == 0);
}

/* What has come is the program's as soon as it can know, and only once. */
static void looked_at(void) {
    MPI_Datatype wide;
    MPI_Request request;
    MPI_Status status;
    int numbers[2 * COUNT] = {0}, flag;
    GOOD(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &wide));
    GOOD(MPI_Type_commit(&wide));
    GOOD(MPI_Recv_init(numbers, COUNT, wide, rank, TAG, MPI_COMM_WORLD, &request));
    for (int i = 0; i < 2; i++) {
        GOOD(MPI_Start(&request));
        GOOD(MPI_Request_get_status(request, &flag, &status));
        CHECK(!flag);
        send_to_self(TAG);
        GOOD(MPI_Request_get_status(request, &flag, &status));
        CHECK(flag && status.MPI_TAG == TAG && request != MPI_REQUEST_NULL);
        CHECK(numbers[0] == 1 && numbers[2] == 2 && numbers[4] == 3 && numbers[1] == 0);
        numbers[0] = 9;
        GOOD(MPI_Wait(&request, &status));
        CHECK(numbers[0] == 9 && status.MPI_TAG == TAG);
    }
    GOOD(MPI_Request_free(&request));
    GOOD(MPI_Type_free(&wide));
}

static void cancelled(void) {
    MPI_Request request;
    MPI_Status status;
    int numbers[COUNT] = {0}, again[COUNT], flag;
    receive(numbers, TAG, &request);
    GOOD(MPI_Cancel(&request));
    GOOD(MPI_Wait(&request, &status));
    GOOD(MPI_Test_cancelled(&status, &flag));
    CHECK(flag && request == MPI_REQUEST_NULL);
    receive(again, TAG, &request); /* which gets the message */
    send_to_self(TAG);
    GOOD(MPI_Cancel(&request)); /* too late */
    GOOD(MPI_Wait(&request, &status));
    GOOD(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag && numbers[0] == 0 && memcmp(again, sent, sizeof sent) == 0);
}

/* A request goes on without its handle: the message goes to it, not to the receive after it. */
static void freed(void) {
    MPI_Request request;
    int numbers[COUNT] = {0}, again[COUNT];
    receive(numbers, TAG, &request);
    GOOD(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    receive(again, TAG, &request);
    send_to_self(TAG);
    CHECK(memcmp(numbers, sent, sizeof sent) == 0);
    send_to_self(TAG);
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(memcmp(again, sent, sizeof sent) == 0);
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    tested();
    tested_of_several();
    looked_at();
    cancelled();
    freed();
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
