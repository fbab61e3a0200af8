/* Requests, one by one: tested, looked at, cancelled, freed. With any number of ranks, most of which send to
 * themselves only. */

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

/* The second of two messages comes first. */
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

/* The program has the received data as soon as it can know that they have come, and only once. */
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

/* Several requests are looked at, and stay. */
static void looked_at_several(void) {
    MPI_Request request[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status[3];
    int numbers[2][COUNT] = {0}, flag, index, indices[3], done;
    GOOD(MPI_Request_get_status_any(3, request, &index, &flag, status));
    CHECK(flag && index == MPI_UNDEFINED && status[0].MPI_SOURCE == MPI_ANY_SOURCE);
    GOOD(MPI_Request_get_status_some(3, request, &done, indices, status));
    CHECK(done == MPI_UNDEFINED);
    GOOD(MPI_Request_get_status_all(3, request, &flag, status));
    CHECK(flag && status[2].MPI_TAG == MPI_ANY_TAG);
    receive(numbers[0], TAG, &request[0]);
    receive(numbers[1], TAG + 1, &request[2]);
    GOOD(MPI_Request_get_status_any(3, request, &index, &flag, status));
    CHECK(!flag && index == MPI_UNDEFINED);
    GOOD(MPI_Request_get_status_some(3, request, &done, indices, status));
    CHECK(done == 0);
    send_to_self(TAG + 1);
    for (int again = 0; again < 2; again++) {
        GOOD(MPI_Request_get_status_any(3, request, &index, &flag, status));
        CHECK(flag && index == 2 && status[0].MPI_TAG == TAG + 1);
        GOOD(MPI_Request_get_status_some(3, request, &done, indices, status));
        CHECK(done == 1 && indices[0] == 2 && status[0].MPI_TAG == TAG + 1);
        GOOD(MPI_Request_get_status_all(3, request, &flag, status));
        CHECK(!flag && request[2] != MPI_REQUEST_NULL);
    }
    send_to_self(TAG);
    GOOD(MPI_Request_get_status_all(3, request, &flag, status));
    CHECK(flag && status[0].MPI_TAG == TAG && status[1].MPI_TAG == MPI_ANY_TAG &&
          status[2].MPI_TAG == TAG + 1);
    GOOD(MPI_Waitall(3, request, status));
    CHECK(memcmp(numbers[0], sent, sizeof sent) == 0 && memcmp(numbers[1], sent, sizeof sent) == 0);
}

/* Send and receive by one request, also in the same place, and with data that have gaps. */
static void both(void) {
    MPI_Datatype wide;
    MPI_Request request;
    MPI_Status status;
    int numbers[2 * COUNT] = {0}, gaps[2 * COUNT] = {4, 0, 5, 0, 6, 0};
    GOOD(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &wide));
    GOOD(MPI_Type_commit(&wide));
    GOOD(MPI_Isendrecv(sent, COUNT, MPI_INT, rank, TAG, numbers, COUNT, wide, rank, TAG, MPI_COMM_WORLD,
                       &request));
    GOOD(MPI_Wait(&request, &status));
    CHECK(status.MPI_SOURCE == rank && status.MPI_TAG == TAG);
    CHECK(numbers[0] == 1 && numbers[1] == 0 && numbers[2] == 2 && numbers[4] == 3);
    GOOD(MPI_Send(numbers, COUNT, wide, rank, TAG, MPI_COMM_WORLD));
    GOOD(MPI_Isendrecv_replace(gaps, COUNT, wide, rank, TAG + 1, rank, TAG, MPI_COMM_WORLD, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(gaps[0] == 1 && gaps[2] == 2 && gaps[4] == 3);
    GOOD(MPI_Recv(numbers, COUNT, wide, rank, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(numbers[0] == 4 && numbers[2] == 5 && numbers[4] == 6);
    GOOD(MPI_Type_free(&wide));
}

/* ---- generalized requests ------------------------------------------------------------------------------ */

static struct { int asked, freed, cancels, complete; } calls;

static int query(void *state, MPI_Status *status) {
    CHECK(state == &calls);
    calls.asked++;
    GOOD(MPI_Status_set_elements(status, MPI_INT, 5));
    GOOD(MPI_Status_set_cancelled(status, calls.cancels));
    status->MPI_TAG = TAG;
    return calls.complete == 9 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int end_state(void *state) {
    CHECK(state == &calls);
    calls.freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete) {
    CHECK(state == &calls);
    calls.cancels++;
    calls.complete = complete;
    return MPI_SUCCESS;
}

static void generalized(void) {
    MPI_Request request, kept, pair[2];
    MPI_Status status;
    int flag, count;
    GOOD(MPI_Grequest_start(query, end_state, cancel, &calls, &request));
    GOOD(MPI_Test(&request, &flag, &status));
    CHECK(!flag && calls.asked == 0);
    GOOD(MPI_Grequest_complete(request));
    GOOD(MPI_Request_get_status(request, &flag, &status));
    GOOD(MPI_Get_count(&status, MPI_INT, &count));
    CHECK(flag && count == 5 && status.MPI_TAG == TAG && calls.asked == 1 && calls.freed == 0);
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL && calls.asked == 2 && calls.freed == 1);

    GOOD(MPI_Grequest_start(query, end_state, cancel, &calls, &request));
    GOOD(MPI_Cancel(&request));
    CHECK(calls.cancels == 1 && !calls.complete);
    GOOD(MPI_Grequest_complete(request));
    GOOD(MPI_Cancel(&request));
    CHECK(calls.cancels == 2 && calls.complete);
    GOOD(MPI_Wait(&request, &status));
    GOOD(MPI_Test_cancelled(&status, &flag));
    CHECK(flag && calls.freed == 2);

    /* given up before it is complete */
    GOOD(MPI_Grequest_start(query, end_state, cancel, &calls, &request));
    kept = request;
    GOOD(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL && calls.freed == 2);
    GOOD(MPI_Grequest_complete(kept));
    CHECK(calls.freed == 3);

    /* its error is that of the wait; beside a message */
    calls.complete = 9;
    GOOD(MPI_Grequest_start(query, end_state, cancel, &calls, &pair[0]));
    GOOD(MPI_Isend(sent, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &pair[1]));
    GOOD(MPI_Grequest_complete(pair[0]));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE) == MPI_ERR_IN_STATUS);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    CHECK(calls.freed == 4 && pair[0] == MPI_REQUEST_NULL && pair[1] == MPI_REQUEST_NULL);
}

/* A message is too long: its communicator's error handler is called, which the call does not name. */
static void too_long(void) {
    MPI_Comm comm;
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    int number;
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    GOOD(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int way = 0; way < 3; way++) {
        GOOD(MPI_Send(sent, COUNT, MPI_INT, rank, TAG, comm));
        if (way < 2)
            GOOD(MPI_Irecv(&number, 1, MPI_INT, rank, TAG, comm, &request));
        if (way == 0)
            CHECK(MPI_Wait(&request, &status) == MPI_ERR_TRUNCATE);
        else if (way == 1)
            CHECK(MPI_Waitall(1, &request, &status) == MPI_ERR_IN_STATUS &&
                  status.MPI_ERROR == MPI_ERR_TRUNCATE);
        else
            GOOD(MPI_Mprobe(rank, TAG, comm, &message, &status));
        if (way == 2)
            CHECK(MPI_Mrecv(&number, 1, MPI_INT, &message, &status) == MPI_ERR_TRUNCATE);
    }
    GOOD(MPI_Comm_free(&comm));
}

/* The second receive is posted when both messages have come, and the first receive was posted before them. */
static void in_order(void) {
    MPI_Request request[2];
    int numbers[2] = {0}, size, one = 1, two = 2;
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (size < 2 || rank > 1)
        return;
    if (rank == 0) {
        GOOD(MPI_Recv(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        GOOD(MPI_Send(&one, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD));
        GOOD(MPI_Send(&two, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD));
        return;
    }
    GOOD(MPI_Irecv(&numbers[0], 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request[0]));
    GOOD(MPI_Send(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD));
    for (double began = MPI_Wtime(); MPI_Wtime() - began < 0.02;)
        ; /* they come, and nobody takes them in */
    GOOD(MPI_Irecv(&numbers[1], 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &request[1]));
    GOOD(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    CHECK(numbers[0] == 1 && numbers[1] == 2);
}

/* Messages to MPI_PROC_NULL and from it have no type. */
static void of_nobody(void) {
    MPI_Request request;
    MPI_Status status;
    GOOD(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, TAG, MPI_COMM_WORLD));
    GOOD(MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &request));
    GOOD(MPI_Wait(&request, &status));
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
}

/* ---- buffers ------------------------------------------------------------------------------------------- */

static void buffers(void) {
    MPI_Request request;
    MPI_Comm comm;
    char one[100], other[200];
    void *at;
    int bytes, got[COUNT];
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    GOOD(MPI_Buffer_attach(one, sizeof one));
    GOOD(MPI_Comm_attach_buffer(comm, other, sizeof other));
    GOOD(MPI_Bsend(sent, COUNT, MPI_INT, rank, TAG, comm));
    GOOD(MPI_Comm_flush_buffer(comm));
    GOOD(MPI_Comm_iflush_buffer(comm, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOOD(MPI_Buffer_iflush(&request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOOD(MPI_Comm_detach_buffer(comm, &at, &bytes));
    CHECK(at == other && bytes == sizeof other);
    GOOD(MPI_Buffer_detach(&at, &bytes));
    CHECK(at == one && bytes == sizeof one);
    GOOD(MPI_Recv(got, COUNT, MPI_INT, rank, TAG, comm, MPI_STATUS_IGNORE));
    CHECK(memcmp(got, sent, sizeof sent) == 0);
    GOOD(MPI_Comm_free(&comm));
}

/* ---- collectives --------------------------------------------------------------------------------------- */

/* An erroneous collective is reported, and the program goes on. */
static void of_collectives(void) {
    MPI_Request request, same;
    MPI_Status status;
    int flag = 0, size;
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (rank > 0) /* not before rank 0 has asked for what cannot be */
        GOOD(MPI_Recv(&flag, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &status));
    GOOD(MPI_Ibcast(&flag, 1, MPI_INT, size - 1, MPI_COMM_WORLD, &request));
    same = request;
    if (rank == 0 && size > 1) {
        CHECK(MPI_Cancel(&request) == MPI_ERR_REQUEST);
        CHECK(MPI_Request_free(&request) == MPI_ERR_REQUEST && request == same);
        GOOD(MPI_Request_get_status(request, &flag, &status));
        CHECK(!flag);
    }
    for (int r = 1; rank == 0 && r < size; r++)
        GOOD(MPI_Send(&size, 1, MPI_INT, r, TAG, MPI_COMM_WORLD));
    GOOD(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL && status.MPI_SOURCE == MPI_ANY_SOURCE);
    GOOD(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    GOOD(MPI_Test(&request, &flag, &status));
    CHECK(flag);
    GOOD(MPI_Start(&request));
    CHECK(MPI_Start(&request) == MPI_ERR_REQUEST);
    GOOD(MPI_Wait(&request, &status));
    CHECK(request != MPI_REQUEST_NULL);
    GOOD(MPI_Request_free(&request));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    tested();
    tested_of_several();
    looked_at();
    looked_at_several();
    both();
    generalized();
    too_long();
    in_order();
    of_nobody();
    buffers();
    cancelled();
    freed();
    of_collectives();
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
