/* Messages of all kinds, for the truth about their numbers (counts.c). Sizes are other ones at each rank. */

#include <mpi.h>

enum { MANY = 64, LARGE = 1 << 18 };

static int me, n, next, before; /* neighbours in a ring */
static int in[LARGE], out[LARGE];

static void blocking(MPI_Comm comm) {
    static char buffer[1 << 16];
    void *attached;
    int bytes;
    for (int i = 0; i < 5; i++) {
        if (me % 2 == 0)
            MPI_Send(out, me + i, MPI_INT, next, i, comm);
        MPI_Recv(in, 1024, MPI_BYTE, before, i, comm, MPI_STATUS_IGNORE);
        if (me % 2)
            MPI_Send(out, me + i, MPI_DOUBLE, next, i, comm);
    }
    MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(out, 7, MPI_SHORT, next, 0, comm);
    MPI_Recv(in, MANY, MPI_SHORT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&attached, &bytes);
    MPI_Send(out, 9, MPI_INT, MPI_PROC_NULL, 0, comm);
    MPI_Barrier(comm); /* so that nobody has taken what follows for that */
    if (me == 0)
        MPI_Ssend(out, 11, MPI_INT, n - 1, 0, comm);
    if (me == n - 1)
        MPI_Recv(in, MANY, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Irecv(in, MANY, MPI_INT, me, 3, comm, &request);
    MPI_Send_c(out, 5, MPI_INT, me, 3, comm); /* to itself */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

/* The receive has another type and size than the send. */
static void both_ways(MPI_Comm comm) {
    MPI_Status status;
    MPI_Sendrecv(out, me + 2, MPI_DOUBLE, next, 1, in, 4096, MPI_BYTE, before, 1, comm, &status);
    MPI_Sendrecv(out, 3, MPI_INT, me == n - 1 ? MPI_PROC_NULL : me + 1, 2, in, MANY, MPI_INT,
                 me == 0 ? MPI_PROC_NULL : me - 1, 2, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 6, MPI_INT, before, 3, next, 3, comm, MPI_STATUS_IGNORE);
}

static void nonblocking(MPI_Comm comm) {
    MPI_Request request[2 * MANY];
    MPI_Status status[2 * MANY];
    int index, flag, done, indices[2 * MANY];
    for (int way = 0; way < 6; way++) {
        int all = 2 * (way + 2);
        for (int i = 0; i < all / 2; i++)
            MPI_Irecv(in + MANY * i, MANY, MPI_INT, i % 2 ? before : MPI_ANY_SOURCE, way, comm, &request[i]);
        for (int i = 0; i < all / 2; i++)
            (i % 3 ? MPI_Isend : MPI_Issend)(out, i + me, MPI_INT, next, way, comm, &request[all / 2 + i]);
        switch (way) {
        case 0:
            MPI_Waitall(all, request, MPI_STATUSES_IGNORE);
            break;
        case 1:
            for (int i = 0; i < all; i++)
                MPI_Waitany(all, request, &index, status);
            break;
        case 2:
            for (done = 0; done != MPI_UNDEFINED;)
                MPI_Waitsome(all, request, &done, indices, status);
            break;
        case 3:
            for (flag = 0; !flag;)
                MPI_Testall(all, request, &flag, status);
            break;
        case 4:
            for (index = 0; index != MPI_UNDEFINED;)
                do
                    MPI_Testany(all, request, &index, &flag, MPI_STATUS_IGNORE);
                while (!flag);
            break;
        default:
            for (done = 0; done != MPI_UNDEFINED;)
                MPI_Testsome(all, request, &done, indices, MPI_STATUSES_IGNORE);
        }
    }
    MPI_Irecv(in, LARGE, MPI_INT, before, 8, comm, &request[0]);
    MPI_Isend(out, LARGE, MPI_INT, next, 8, comm, &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    for (flag = 0; !flag;)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(in, MANY, MPI_INT, before, 9, comm, &request[0]); /* which nobody sends */
    MPI_Cancel(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Isend(out, 1, MPI_INT, next, 10, comm, &request[0]);
    MPI_Request_free(&request[0]);
    MPI_Recv(in, 1, MPI_INT, before, 10, comm, MPI_STATUS_IGNORE);
}

static void probes(MPI_Comm comm) {
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    int flag = 0;
    MPI_Isend(out, 4 + me, MPI_INT, next, 0, comm, &request);
    MPI_Probe(before, 0, comm, &status);
    MPI_Recv(in, MANY, MPI_INT, before, 0, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(out, 5, MPI_INT, next, 1, comm, &request);
    while (!flag)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, comm, &flag, &status);
    MPI_Recv(in, MANY, MPI_INT, status.MPI_SOURCE, 1, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(out, 6, MPI_INT, next, 2, comm, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, 2, comm, &message, &status);
    MPI_Mrecv(in, MANY, MPI_INT, &message, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(out, 7, MPI_INT, next, 3, comm, &request);
    for (flag = 0; !flag;)
        MPI_Improbe(before, 3, comm, &flag, &message, &status);
    MPI_Request taken;
    MPI_Imrecv(in, MANY, MPI_INT, &message, &taken);
    MPI_Wait(&taken, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Handles of persistent requests that were freed are those of later ones, which have no message. */
static void persistent(MPI_Comm comm) {
    MPI_Request request[8];
    for (int round = 0; round < 3; round++) {
        int to = round == 1 ? MPI_PROC_NULL : next, from = round == 1 ? MPI_PROC_NULL : before;
        MPI_Recv_init(in, MANY, MPI_INT, from, 0, comm, &request[0]);
        MPI_Recv_init(in + MANY, MANY, MPI_INT, from, 1, comm, &request[1]);
        MPI_Send_init(out, 3 + me, MPI_INT, to, 0, comm, &request[2]);
        MPI_Ssend_init(out, 8, MPI_INT, to, 1, comm, &request[3]);
        for (int i = 0; i < 3 + round; i++) {
            MPI_Start(&request[0]);
            MPI_Startall(3, request + 1);
            MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        }
        for (int i = 0; i < 4; i++)
            MPI_Request_free(&request[i]);
        MPI_Isend(out, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
}

/* The handle of a type that was freed is that of a later one of another size. */
static void types(MPI_Comm comm) {
    for (int i = 1; i < 5; i++) {
        MPI_Datatype type;
        MPI_Type_vector(i, 2, 3, i % 2 ? MPI_DOUBLE : MPI_SHORT, &type);
        MPI_Type_commit(&type);
        MPI_Sendrecv(out, 2, type, next, i, in, 2, type, before, i, comm, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
    }
}

/* Each rank takes from any, as many as come to it. */
static void any(MPI_Comm comm) {
    if (me)
        for (int i = 0; i < me; i++)
            MPI_Send(out, i, MPI_INT, 0, i, comm);
    for (int i = 0; !me && i < n * (n - 1) / 2; i++)
        MPI_Recv(in, MANY, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
}

static void ring(MPI_Comm comm, int size) {
    MPI_Comm_rank(comm, &me);
    n = size;
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    blocking(comm);
    both_ways(comm);
    nonblocking(comm);
    probes(comm);
    persistent(comm);
    types(comm);
    any(comm);
}

/* Messages between the ranks below and those from 1 on, whose ranks there are others than in the world. */
static void between(int world, int size) {
    MPI_Comm half, inter;
    int low = world < 1;
    MPI_Comm_split(MPI_COMM_WORLD, low, -world, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size - 1 : 0, 0, &inter);
    if (low)
        for (int i = 0; i < size - 1; i++)
            MPI_Send(out, i + 1, MPI_INT, i, 0, inter);
    else
        MPI_Recv(in, MANY, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    int world, size, part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ring(MPI_COMM_WORLD, size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    ring(comm, size);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &comm); /* in the other order */
    MPI_Comm_size(comm, &part);
    if (part > 1)
        ring(comm, part);
    MPI_Comm_free(&comm);
    between(world, size);
    return MPI_Finalize();
}
