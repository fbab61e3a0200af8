/* A synchronous send is complete when a receive of its message has begun, and not before, even if the message
 * has come, was probed for, or was taken out. With two ranks. */

#include "mpi_check.h"

#include <string.h>

enum { TAG = 7, GO = 8, OTHER = 9, LONGEST = 1 << 20, MANY = 1000 };

static int rank, peer;
static char data[LONGEST], got[LONGEST];
static const int lengths[] = {0, 8, 200, 5000, 200000, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Tell the other rank that this one has got so far. */
static void tell(void) {
    GOOD(MPI_Send(NULL, 0, MPI_BYTE, peer, GO, MPI_COMM_WORLD));
}

static void await(void) {
    GOOD(MPI_Recv(NULL, 0, MPI_BYTE, peer, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static int is_done(MPI_Request *request) {
    int flag;
    GOOD(MPI_Test(request, &flag, MPI_STATUS_IGNORE));
    return flag;
}

static void send_one(int bytes, int tag, MPI_Request *request) {
    memset(data, bytes % 101 + 1, (size_t)bytes);
    GOOD(MPI_Issend(data, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, request));
}

/* Check the first part of the received bytes. */
static void check_part(int count, int bytes, const MPI_Status *status) {
    int counted;
    GOOD(MPI_Get_count(status, MPI_BYTE, &counted));
    CHECK(counted == count);
    for (int i = 0; i < count; i++)
        CHECK(got[i] == bytes % 101 + 1);
}

static void check_one(int bytes, const MPI_Status *status) {
    check_part(bytes, bytes, status);
}

/* Begin a send that cannot be complete before the other rank has gone on. */
static void send_too_early(int bytes) {
    MPI_Request request;
    send_one(bytes, TAG, &request);
    await();
    CHECK(!is_done(&request));
    tell();
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* The message has come, and no receive has begun. */
static void probed(int bytes) {
    MPI_Status status;
    if (rank == 0) {
        send_too_early(bytes);
    } else {
        GOOD(MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status));
        tell();
        await();
        GOOD(MPI_Recv(got, LONGEST, MPI_BYTE, peer, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        check_one(bytes, &status);
    }
}

/* The message has been taken out, and no receive has begun. */
static void taken_out(int bytes) {
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        send_too_early(bytes);
    } else {
        GOOD(MPI_Mprobe(peer, TAG, MPI_COMM_WORLD, &message, &status));
        tell();
        await();
        GOOD(MPI_Imrecv(got, LONGEST, MPI_BYTE, &message, &request));
        CHECK(message == MPI_MESSAGE_NULL);
        GOOD(MPI_Wait(&request, &status));
        check_one(bytes, &status);
    }
}

/* Its receive has begun, and the program does not wait for that. */
static void posted(int bytes) {
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        await();
        send_one(bytes, TAG, &request);
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        tell();
    } else {
        GOOD(MPI_Irecv(got, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request));
        tell();
        await();
        GOOD(MPI_Wait(&request, &status));
        check_one(bytes, &status);
    }
}

/* A receive that was cancelled before the message came has not begun; one that is too short has. */
static void cancelled(int bytes) {
    MPI_Request request;
    MPI_Status status;
    int error;
    if (rank == 0) {
        await();
        send_too_early(bytes);
    } else {
        GOOD(MPI_Irecv(got, LONGEST, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
        GOOD(MPI_Cancel(&request));
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        tell();
        GOOD(MPI_Probe(peer, TAG, MPI_COMM_WORLD, &status));
        tell();
        await();
        GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        error = MPI_Recv(got, bytes / 2, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &status);
        CHECK(error == (bytes ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
        GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
        check_part(bytes / 2, bytes, &status);
    }
}

/* Messages are received in another order than they were sent. */
static void crossing(void) {
    MPI_Request request[MANY];
    char byte = 0;
    if (rank == 0) {
        for (int i = 0; i < MANY; i++)
            GOOD(MPI_Issend(&byte, 1, MPI_BYTE, peer, OTHER + i, MPI_COMM_WORLD, &request[i]));
        await(); /* the last one has been received */
        GOOD(MPI_Wait(&request[MANY - 1], MPI_STATUS_IGNORE));
        for (int i = 0; i < MANY - 1; i++)
            CHECK(!is_done(&request[i]));
        tell();
        GOOD(MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE));
    } else {
        for (int i = MANY - 1; i >= 0; i--) {
            GOOD(MPI_Recv(&byte, 1, MPI_BYTE, peer, OTHER + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            if (i == MANY - 1) {
                tell();
                await();
            }
        }
    }
}

/* Both ranks send, and then receive. */
static void both_ways(int bytes) {
    MPI_Request request, receive;
    MPI_Status status;
    send_one(bytes, TAG, &request);
    GOOD(MPI_Recv(got, LONGEST, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &status));
    check_one(bytes, &status);
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOOD(MPI_Irecv(got, LONGEST, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &receive));
    GOOD(MPI_Ssend(data, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
    GOOD(MPI_Wait(&receive, &status));
    check_one(bytes, &status);
}

static void to_self(int bytes) {
    MPI_Request request, receive;
    MPI_Message message;
    MPI_Status status;
    int flag, other = peer;
    peer = rank;
    send_one(bytes, TAG, &request);
    CHECK(!is_done(&request));
    GOOD(MPI_Improbe(rank, TAG, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK(flag && !is_done(&request));
    GOOD(MPI_Mrecv(got, LONGEST, MPI_BYTE, &message, &status));
    CHECK(is_done(&request));
    check_one(bytes, &status);
    GOOD(MPI_Irecv(got, LONGEST, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, &receive));
    GOOD(MPI_Ssend(data, bytes, MPI_BYTE, rank, TAG, MPI_COMM_WORLD));
    GOOD(MPI_Wait(&receive, &status));
    check_one(bytes, &status);
    peer = other;
}

static void persistent(int bytes) {
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        GOOD(MPI_Ssend_init(data, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
        memset(data, bytes % 101 + 1, (size_t)bytes);
        for (int i = 0; i < 3; i++) {
            GOOD(MPI_Start(&request));
            await();
            CHECK(!is_done(&request));
            tell();
            GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        GOOD(MPI_Request_free(&request));
        return;
    }
    for (int i = 0; i < 3; i++) {
        GOOD(MPI_Probe(peer, TAG, MPI_COMM_WORLD, &status));
        tell();
        await();
        GOOD(MPI_Recv(got, LONGEST, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &status));
        check_one(bytes, &status);
    }
}

/* A freed request goes on, to the end of the program. */
static void freed(void) {
    MPI_Request request;
    send_one(8, OTHER, &request);
    GOOD(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    GOOD(MPI_Recv(got, LONGEST, MPI_BYTE, peer, OTHER, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* Messages to MPI_PROC_NULL, and messages that nobody receives. */
static void to_nobody(void) {
    MPI_Request request;
    MPI_Message message;
    GOOD(MPI_Ssend(data, 8, MPI_BYTE, MPI_PROC_NULL, TAG, MPI_COMM_WORLD));
    GOOD(MPI_Issend(data, 8, MPI_BYTE, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &request));
    CHECK(is_done(&request));
    GOOD(MPI_Send(data, 100000, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
    GOOD(MPI_Mprobe(peer, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    peer = 1 - rank;
    for (int i = 0; i < LENGTHS; i++) {
        probed(lengths[i]);
        taken_out(lengths[i]);
        posted(lengths[i]);
        cancelled(lengths[i]);
        both_ways(lengths[i]);
        to_self(lengths[i]);
        persistent(lengths[i]);
    }
    crossing();
    to_nobody();
    freed();
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
