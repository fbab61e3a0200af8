/* Programs in which rank 2 is late, by their names, and one in which nobody is. A comment marks the line at
 * which the others wait, "NAME: waits", and that to which rank 2 comes late, "NAME: late", or both, "NAME".
 */

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { LATE = 2, ROUNDS = 8, LARGE = 1 << 20 };

static int me, n, turn;
static char in[LARGE], out[LARGE];
#define COMM MPI_COMM_WORLD

static void pass(int ms) {
    struct timespec time = {0, ms * 1000000L};
    nanosleep(&time, NULL);
}

/* Be late if this is the rank for it. */
static void be_late(void) {
    if (me == LATE)
        pass(20);
}

/* ---- messages ---------------------------------------------------------------------------------------- */

static void sender(void) {
    be_late();
    if (me == LATE)
        MPI_Send(out, 8, MPI_BYTE, 1, 0, COMM); /* sender: late */
    if (me == 1)
        MPI_Recv(in, 8, MPI_BYTE, LATE, 0, COMM, MPI_STATUS_IGNORE); /* sender: waits */
}

static void synchronous(void) {
    be_late();
    if (me == LATE)
        MPI_Recv(in, 8, MPI_BYTE, 1, 0, COMM, MPI_STATUS_IGNORE); /* synchronous: late */
    if (me == 1)
        MPI_Ssend(out, 8, MPI_BYTE, LATE, 0, COMM); /* synchronous: waits */
}

static void large(void) {
    MPI_Request request;
    be_late();
    if (me == LATE)
        MPI_Recv(in, LARGE, MPI_BYTE, 1, 0, COMM, MPI_STATUS_IGNORE); /* large: late */
    if (me != 1)
        return;
    MPI_Issend(out, LARGE, MPI_BYTE, LATE, 0, COMM, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* large: waits */
}

static void probe(void) {
    be_late();
    if (me == LATE)
        MPI_Send(out, 8, MPI_BYTE, 1, 7, COMM); /* probe: late */
    if (me != 1)
        return;
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, COMM, &status); /* probe: waits */
    MPI_Recv(in, 8, MPI_BYTE, LATE, 7, COMM, MPI_STATUS_IGNORE);
}

/* Rank 1 waits several times for the late one, and is itself late for two others, which wait once. */
static void chain(void) {
    for (int i = 0; i < 4; i++) {
        be_late();
        if (me == LATE)
            MPI_Send(out, 8, MPI_BYTE, 1, 0, COMM); /* chain: late */
        if (me == 1)
            MPI_Recv(in, 8, MPI_BYTE, LATE, 0, COMM, MPI_STATUS_IGNORE);
    }
    for (int to = 0; to < n && me == 1; to += 3)
        MPI_Send(out, 8, MPI_BYTE, to, 0, COMM);
    if (me == 0 || me == 3)
        MPI_Recv(in, 8, MPI_BYTE, 1, 0, COMM, MPI_STATUS_IGNORE); /* chain: waits */
}

/* Each rank gives to its neighbours and takes from them. */
static void neighbours(void) {
    MPI_Request request[4];
    int side[2] = {(me + 1) % n, (me + n - 1) % n};
    for (int i = 0; i < 2; i++)
        MPI_Irecv(in + 64 * i, 64, MPI_BYTE, side[i], 0, COMM, &request[i]);
    be_late();
    for (int i = 0; i < 2; i++)
        MPI_Isend(out, 64, MPI_BYTE, side[i], 0, COMM, &request[2 + i]); /* neighbours: late */
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);                        /* neighbours: waits */
}

static void waitany(void) {
    MPI_Request request[64];
    int index;
    be_late();
    if (me)
        MPI_Send(out, 8, MPI_BYTE, 0, 0, COMM); /* waitany: late */
    for (int i = 1; !me && i < n; i++)
        MPI_Irecv(in, 8, MPI_BYTE, i, 0, COMM, &request[i - 1]);
    for (int i = 1; !me && i < n; i++)
        MPI_Waitany(n - 1, request, &index, MPI_STATUS_IGNORE); /* waitany: waits */
}

static void waitsome(void) {
    MPI_Request request[64];
    int some, indices[64];
    be_late();
    if (me)
        MPI_Send(out, 8, MPI_BYTE, 0, turn, COMM); /* waitsome: late */
    for (int i = 1; !me && i < n; i++)
        MPI_Irecv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, turn, COMM, &request[i - 1]);
    for (int done = 0; !me && done < n - 1; done += some)
        MPI_Waitsome(n - 1, request, &some, indices, MPI_STATUSES_IGNORE); /* waitsome: waits */
}

static void ring_step(void) {
    int to = (me + 1) % n, from = (me + n - 1) % n;
    MPI_Sendrecv(out, 8, MPI_BYTE, to, 0, in, 8, MPI_BYTE, from, 0, COMM, MPI_STATUS_IGNORE); /* ring */
}

static void ring(void) {
    be_late();
    ring_step();
}

static void persistent(void) {
    static MPI_Request request[2];
    static int made;
    if (!made) {
        made = 1;
        MPI_Recv_init(in, 8, MPI_BYTE, me ^ 1, 0, COMM, &request[0]);
        MPI_Send_init(out, 8, MPI_BYTE, me ^ 1, 0, COMM, &request[1]);
    }
    be_late();
    MPI_Startall(2, request);                     /* persistent: late */
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* persistent: waits */
}

static void any(void) {
    be_late();
    if (me == LATE)
        MPI_Send(out, 8, MPI_BYTE, 1, 0, COMM); /* any: late */
    if (me == 1)
        MPI_Recv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, COMM, MPI_STATUS_IGNORE); /* any: waits */
}

/* All other ranks send, and one of them is late. */
static void senders(void) {
    be_late();
    if (me)
        MPI_Send(out, 8, MPI_BYTE, 0, turn, COMM); /* senders: late */
    for (int i = 1; !me && i < n; i++)
        MPI_Recv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, turn, COMM, MPI_STATUS_IGNORE); /* senders: waits */
}

/* While one waits for a message, one of another tag comes from the same rank. */
static void tags(void) {
    MPI_Request request;
    if (me == LATE) {
        pass(5);
        MPI_Send(out, 8, MPI_BYTE, 1, 1, COMM);
        be_late();
        MPI_Send(out, 8, MPI_BYTE, 1, 2, COMM); /* tags: late */
    }
    if (me != 1)
        return;
    MPI_Irecv(in, 8, MPI_BYTE, LATE, 1, COMM, &request);
    MPI_Recv(in + 8, 8, MPI_BYTE, LATE, 2, COMM, MPI_STATUS_IGNORE); /* tags: waits */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* ---- collectives ------------------------------------------------------------------------------------- */

static void barrier(void) {
    be_late();
    MPI_Barrier(COMM); /* barrier */
}

static void allreduce(void) {
    be_late();
    MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, COMM); /* allreduce */
}

static void reduce(void) {
    be_late();
    MPI_Reduce(out, in, 2, MPI_INT, MPI_SUM, 0, COMM); /* reduce */
}

static void bcast(void) {
    be_late();
    MPI_Bcast(out, 8, MPI_BYTE, LATE, COMM); /* bcast */
}

static void gather(void) {
    be_late();
    MPI_Gather(out, 8, MPI_BYTE, in, 8, MPI_BYTE, 1, COMM); /* gather */
}

static void scatter(void) {
    be_late();
    MPI_Scatter(out, 8, MPI_BYTE, in, 8, MPI_BYTE, LATE, COMM); /* scatter */
}

static void alltoall(void) {
    be_late();
    MPI_Alltoall(out, 8, MPI_BYTE, in, 8, MPI_BYTE, COMM); /* alltoall */
}

static void allgather(void) {
    be_late();
    MPI_Allgather(out, LARGE / 8, MPI_BYTE, in, LARGE / 8, MPI_BYTE, COMM); /* allgather */
}

static void ibarrier(void) {
    MPI_Request request;
    be_late();
    MPI_Ibarrier(COMM, &request);          /* ibarrier: late */
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* ibarrier: waits */
}

/* First one rank is late by a little, then the other one by much: it is the last one that counts. */
static void two(void) {
    if (me == 1)
        pass(10);
    be_late();
    MPI_Barrier(COMM); /* two */
}

/* ---- other communicators ----------------------------------------------------------------------------- */

/* Rank 0 and the late one, which is the first one there. */
static void part(void) {
    static MPI_Comm comm = MPI_COMM_NULL;
    if (comm == MPI_COMM_NULL)
        MPI_Comm_split(COMM, me % 2, -me, &comm);
    be_late();
    MPI_Barrier(comm); /* part */
}

/* Two communicators of the same ranks; in the first one nobody is late. */
static void second(void) {
    static MPI_Comm comm[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    for (int i = 0; i < 2; i++)
        if (comm[i] == MPI_COMM_NULL)
            MPI_Comm_dup(COMM, &comm[i]);
    MPI_Barrier(comm[0]);
    be_late();
    MPI_Barrier(comm[1]); /* second */
}

static MPI_Comm inter(void) {
    static MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm half;
    if (comm != MPI_COMM_NULL)
        return comm;
    MPI_Comm_split(COMM, me / 2, -me, &half);
    MPI_Intercomm_create(half, 0, COMM, me / 2 ? 1 : 3, 0, &comm);
    MPI_Comm_free(&half);
    return comm;
}

static void between(void) {
    MPI_Comm comm = inter();
    be_late();
    MPI_Barrier(comm); /* between */
}

/* The late rank is the second one of its group, and rank 0 that of the other one. */
static void between_sender(void) {
    MPI_Comm comm = inter();
    be_late();
    if (me == LATE)
        MPI_Send(out, 8, MPI_BYTE, 1, 0, comm); /* between_sender: late */
    if (me == 0)
        MPI_Recv(in, 8, MPI_BYTE, 1, 0, comm, MPI_STATUS_IGNORE); /* between_sender: waits */
}

/* ---- windows and files ------------------------------------------------------------------------------- */

static void fence(void) {
    static MPI_Win win;
    if (turn == 0) {
        MPI_Win_create(in, LARGE, 1, MPI_INFO_NULL, COMM, &win);
        MPI_Win_fence(0, win);
    }
    be_late();
    MPI_Win_fence(0, win); /* fence */
    if (turn == ROUNDS - 1)
        MPI_Win_free(&win);
}

static void file(void) {
    static MPI_File data;
    if (turn == 0)
        MPI_File_open(COMM, "late.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &data);
    be_late();
    MPI_File_write_all(data, &me, 1, MPI_INT, MPI_STATUS_IGNORE); /* file */
    if (turn == ROUNDS - 1)
        MPI_File_close(&data);
}

/* ---- more than one is late, or nobody ---------------------------------------------------------------- */

/* Rank 2 delays rank 3, which delays itself once more. That comes round to rank 2 at last. */
static void round_trip(void) {
    for (int step = 0; step < n; step++) {
        if (step == 0 && me == LATE)
            pass(20);
        if (step == 1 && me == 3)
            pass(10);
        ring_step();
    }
}

/* As everywhere else, but all ranks take as long. */
static void balanced(void) {
    MPI_Request request[4];
    int side[2] = {(me + 1) % n, (me + n - 1) % n};
    pass(20);
    MPI_Sendrecv(out, 8, MPI_BYTE, side[0], 0, in, 8, MPI_BYTE, side[1], 0, COMM, MPI_STATUS_IGNORE);
    pass(20);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(in + 64 * i, 64, MPI_BYTE, side[i], 0, COMM, &request[i]);
    for (int i = 0; i < 2; i++)
        MPI_Isend(out, 64, MPI_BYTE, side[i], 0, COMM, &request[2 + i]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    pass(20);
    MPI_Barrier(COMM);
    pass(20);
    MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, COMM);
    pass(20);
    MPI_Bcast(out, 8, MPI_BYTE, 0, COMM);
}

/* The ranks that are not marked by 1 wait for nobody in a round, and take nearly as long behind it, so that
 * they do not wait for the others at the end. */
static const struct {
    const char *name;
    void (*round)(void);
    const char *waits;
} cases[] = {
    {"sender", sender, "0110"},
    {"synchronous", synchronous, "0110"},
    {"large", large, "0110"},
    {"probe", probe, "0110"},
    {"chain", chain, "1111"},
    {"neighbours", neighbours, "1111"},
    {"waitany", waitany, "1010"},
    {"waitsome", waitsome, "1010"},
    {"ring", ring, "1111"},
    {"persistent", persistent, "0011"},
    {"any", any, "0110"},
    {"senders", senders, "1010"},
    {"tags", tags, "0110"},
    {"barrier", barrier, "1111"},
    {"allreduce", allreduce, "1111"},
    {"reduce", reduce, "1010"},
    {"bcast", bcast, "1111"},
    {"gather", gather, "0110"},
    {"scatter", scatter, "1111"},
    {"alltoall", alltoall, "1111"},
    {"allgather", allgather, "1111"},
    {"ibarrier", ibarrier, "1111"},
    {"two", two, "1111"},
    {"part", part, "1010"},
    {"second", second, "1111"},
    {"between", between, "1111"},
    {"between_sender", between_sender, "1010"},
    {"fence", fence, "1111"},
    {"file", file, "1111"},
    {"round_trip", round_trip, "1111"},
    {"balanced", balanced, "1111"},
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(COMM, &me);
    MPI_Comm_size(COMM, &n);
    MPI_Barrier(COMM);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (turn = 0; strcmp(argv[1], cases[i].name) == 0 && turn < ROUNDS; turn++) {
            cases[i].round();
            if (cases[i].waits[me] == '0')
                pass(15);
        }
    return MPI_Finalize();
}
