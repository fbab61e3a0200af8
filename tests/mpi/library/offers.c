/* Long messages that are offered: sent beside the program while receives are posted, so that their data stay
 * in place until the receiver copies them. The word on the command line chooses whether the kernel permits
 * that, refuses from the beginning, or refuses later. The calls of the library come here first. Every rank
 * sends to and receives from the next one and the one before. With more ranks than processors nothing is
 * offered, and the results must be the same. */

#define _GNU_SOURCE
#include "mpi_check.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WINDOW = 20, LONGEST = 300001, TAG = 7, LATE = 8, GO = 9, ROUNDS = 5 };

static const int lengths[] = {100, 8191, 8192, 16385, 65536, 200000, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static int rank, ranks, next, before;
static long reads_left = -1; /* that go well, of long data; negative: all */
static long reads;           /* of long data, ever */
static long unfinished;      /* sends that were not done when they had begun, as those that are offered */

#pragma GCC visibility push(default) /* for the library to call it */

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                         unsigned long theres, unsigned long flags) {
    if (here->iov_len > sizeof(uint64_t)) {
        reads++;
        if (reads_left == 0) {
            errno = EPERM;
            return -1;
        }
        if (reads_left > 0)
            reads_left--;
    }
    return syscall(SYS_process_vm_readv, pid, here, heres, there, theres, flags);
}

#pragma GCC visibility pop

static unsigned char *out[WINDOW], *in[WINDOW];

static unsigned char value(int from, int message, int i) {
    return (unsigned char)(from * 31 + message * 7 + i * 3 + i / 251);
}

static void fill(unsigned char *data, int message, int bytes) {
    for (int i = 0; i < bytes; i++)
        data[i] = value(rank, message, i);
}

static void check(const unsigned char *data, int message, int bytes) {
    for (int i = 0; i < bytes; i++)
        CHECK(data[i] == value(before, message, i));
    CHECK(data[bytes] == 0xaa);
}

static int length_of(int message, int round) {
    return lengths[(message + round) % LENGTHS];
}

/* Post the receives of a window, or only the first half of them; and its sends. */
static void receive(int from, int to, MPI_Request *request) {
    for (int m = from; m < to; m++) {
        memset(in[m], 0xaa, LONGEST + 1);
        GOOD(MPI_Irecv(in[m], LONGEST, MPI_BYTE, before, TAG + m, MPI_COMM_WORLD, &request[m]));
    }
}

static void send_all(int round, MPI_Request *request) {
    for (int m = 0; m < WINDOW; m++) {
        fill(out[m], m, length_of(m, round));
        GOOD(MPI_Isend(out[m], length_of(m, round), MPI_BYTE, next, TAG + m, MPI_COMM_WORLD, &request[m]));
    }
}

/* Wait for the sends and change their buffers, which is then allowed. */
static void sent(MPI_Request *request) {
    for (int m = 0; m < WINDOW; m++) {
        GOOD(MPI_Wait(&request[m], MPI_STATUS_IGNORE));
        memset(out[m], 0xee, (size_t)LONGEST);
    }
}

static void received(int round, MPI_Request *request) {
    MPI_Status status[WINDOW];
    GOOD(MPI_Waitall(WINDOW, request, status));
    for (int m = 0, bytes; m < WINDOW; m++) {
        GOOD(MPI_Get_count(&status[m], MPI_BYTE, &bytes));
        CHECK(bytes == length_of(m, round));
        CHECK(status[m].MPI_SOURCE == before && status[m].MPI_TAG == TAG + m);
        check(in[m], m, bytes);
    }
}

static void window(int round) {
    MPI_Request sends[WINDOW], receives[WINDOW];
    receive(0, WINDOW, receives);
    send_all(round, sends);
    sent(sends);
    received(round, receives);
}

/* Half of the messages find no receive; their senders wait for them all the same, and then meet. */
static void unexpected(int round) {
    MPI_Request sends[WINDOW], receives[WINDOW];
    receive(0, WINDOW / 2, receives);
    send_all(round, sends);
    sent(sends);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    receive(WINDOW / 2, WINDOW, receives);
    received(round, receives);
}

/* A message that was offered before its receive is posted is copied by a later call, not by the posting: also
 * by MPI_Cancel, which comes too late. */
static void late(int bytes, int cancel) {
    MPI_Request posted, request, receive;
    MPI_Status status;
    int flag;
    GOOD(MPI_Irecv(NULL, 0, MPI_BYTE, before, GO, MPI_COMM_WORLD, &posted));
    fill(out[0], 0, bytes);
    memset(in[0], 0xaa, LONGEST + 1);
    GOOD(MPI_Isend(out[0], bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &request));
    GOOD(MPI_Send(NULL, 0, MPI_BYTE, next, LATE, MPI_COMM_WORLD));
    GOOD(MPI_Recv(NULL, 0, MPI_BYTE, before, LATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    long had = reads;
    GOOD(MPI_Irecv(in[0], bytes, MPI_BYTE, before, TAG, MPI_COMM_WORLD, &receive));
    CHECK(reads == had);
    if (cancel)
        GOOD(MPI_Cancel(&receive));
    GOOD(MPI_Wait(&receive, &status));
    GOOD(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag);
    check(in[0], 0, bytes);
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOOD(MPI_Send(NULL, 0, MPI_BYTE, next, GO, MPI_COMM_WORLD));
    GOOD(MPI_Wait(&posted, MPI_STATUS_IGNORE));
}

/* Messages that are probed for and taken out; one is longer than its receive. */
static void probed(int bytes) {
    MPI_Request posted, request[2];
    MPI_Message message;
    MPI_Status status;
    int counted;
    GOOD(MPI_Irecv(NULL, 0, MPI_BYTE, before, GO, MPI_COMM_WORLD, &posted));
    for (int m = 0; m < 2; m++) {
        fill(out[m], m, bytes);
        memset(in[m], 0xaa, LONGEST + 1);
        GOOD(MPI_Isend(out[m], bytes, MPI_BYTE, next, LATE, MPI_COMM_WORLD, &request[m]));
    }
    GOOD(MPI_Mprobe(before, LATE, MPI_COMM_WORLD, &message, &status));
    GOOD(MPI_Get_count(&status, MPI_BYTE, &counted));
    CHECK(counted == bytes);
    GOOD(MPI_Wait(&request[0], MPI_STATUS_IGNORE)); /* it is taken out, and does not wait to be received */
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    GOOD(MPI_Probe(before, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK(status.MPI_TAG == LATE);
    CHECK(MPI_Recv(in[1], bytes / 2, MPI_BYTE, before, LATE, MPI_COMM_WORLD, &status) == MPI_ERR_TRUNCATE);
    check(in[1], 1, bytes / 2);
    GOOD(MPI_Mrecv(in[0], bytes, MPI_BYTE, &message, &status));
    check(in[0], 0, bytes);
    GOOD(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    GOOD(MPI_Send(NULL, 0, MPI_BYTE, next, GO, MPI_COMM_WORLD));
    GOOD(MPI_Wait(&posted, MPI_STATUS_IGNORE));
}

/* Send and receive at once, in a ring, and again into the same memory. */
static void both(int bytes) {
    MPI_Status status;
    int counted;
    fill(out[0], 0, bytes);
    memset(in[0], 0xaa, LONGEST + 1);
    GOOD(MPI_Sendrecv(out[0], bytes, MPI_BYTE, next, TAG, in[0], LONGEST, MPI_BYTE, before, TAG,
                      MPI_COMM_WORLD, &status));
    GOOD(MPI_Get_count(&status, MPI_BYTE, &counted));
    CHECK(counted == bytes);
    memset(out[0], 0xee, (size_t)bytes);
    check(in[0], 0, bytes);
    fill(in[0], 1, bytes);
    GOOD(MPI_Sendrecv_replace(in[0], bytes, MPI_BYTE, next, TAG, before, TAG, MPI_COMM_WORLD, &status));
    check(in[0], 1, bytes);
}

/* A buffered send is complete although nobody receives, and a freed one still goes on. */
static void buffered(int bytes) {
    MPI_Request posted, request;
    GOOD(MPI_Irecv(NULL, 0, MPI_BYTE, before, GO, MPI_COMM_WORLD, &posted));
    fill(out[0], 0, bytes);
    fill(out[1], 1, bytes);
    GOOD(MPI_Ibsend(out[0], bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &request));
    int flag;
    GOOD(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    CHECK(flag);
    memset(out[0], 0xee, (size_t)bytes);
    GOOD(MPI_Isend(out[1], bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &request));
    GOOD(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    unfinished += !flag;
    GOOD(MPI_Request_free(&request));
    for (int m = 0; m < 2; m++) {
        memset(in[m], 0xaa, LONGEST + 1);
        GOOD(MPI_Recv(in[m], bytes, MPI_BYTE, before, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check(in[m], m, bytes);
    }
    GOOD(MPI_Send(NULL, 0, MPI_BYTE, next, GO, MPI_COMM_WORLD));
    GOOD(MPI_Wait(&posted, MPI_STATUS_IGNORE));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    CHECK(argc == 2);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    for (int m = 0; m < WINDOW; m++)
        CHECK((out[m] = malloc(LONGEST)) && (in[m] = malloc(LONGEST + 1)));
    if (!strcmp(argv[1], "refused"))
        reads_left = 0;
    else if (!strcmp(argv[1], "later"))
        reads_left = 30 + rank;
    for (int round = 0; round < ROUNDS; round++) {
        window(round);
        unexpected(round);
        for (int i = 0; i < LENGTHS; i++) {
            late(lengths[i], round % 2);
            probed(lengths[i]);
            both(lengths[i]);
            buffered(lengths[i]);
        }
    }
    cpu_set_t processors;
    CHECK(!sched_getaffinity(0, sizeof processors, &processors));
    if (!strcmp(argv[1], "allowed") && CPU_COUNT(&processors) >= ranks)
        CHECK(unfinished > 0);
    GOOD(MPI_Finalize());
    return 0;
}
