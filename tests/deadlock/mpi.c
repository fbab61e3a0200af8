/* Calls of MPI's functions, as script.h says; after them each rank calls MPI_Finalize. */

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "script.h"

enum { REQUESTS = 16, LARGE = 1 << 20 };

static char data[LARGE], other[LARGE];
static MPI_Comm comm = MPI_COMM_WORLD;
static MPI_Datatype type = MPI_DATATYPE_NULL; /* of what follows, or its own */
static MPI_Request request[REQUESTS];
static int requests;

/* Use the communicator of the ranks of a mask in the calls that follow; 0: all. */
static void group(const long *number) {
    int rank[64], count = 0;
    MPI_Group all, some;
    comm = MPI_COMM_WORLD;
    if (!number[0])
        return;
    for (int i = 0; i < 64; i++)
        if (number[0] >> i & 1)
            rank[count++] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, count, rank, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 0, &comm);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
}

/* to, tag, bytes */
static void send(const long *number) {
    MPI_Send(data, (int)number[2], MPI_BYTE, (int)number[0], (int)number[1], comm);
}

static int source(long number) {
    return number < 0 ? MPI_ANY_SOURCE : (int)number;
}

/* from (-1: any), tag */
static void receive(const long *number) {
    MPI_Recv(data, LARGE, MPI_BYTE, source(number[0]), (int)number[1], comm, MPI_STATUS_IGNORE);
}

/* from, tag, bytes */
static void receive_few(const long *number) {
    MPI_Recv(data, (int)number[2], MPI_BYTE, source(number[0]), (int)number[1], comm, MPI_STATUS_IGNORE);
}

/* from (-1: any), tag (-1: any) */
static void receive_beside(const long *number) {
    int tag = number[1] < 0 ? MPI_ANY_TAG : (int)number[1];
    MPI_Irecv(data, LARGE, MPI_BYTE, source(number[0]), tag, comm, &request[requests++]);
}

/* to, tag, bytes */
static void send_beside(const long *number) {
    MPI_Isend(data, (int)number[2], MPI_BYTE, (int)number[0], (int)number[1], comm, &request[requests++]);
}

static void send_asking_beside(const long *number) {
    MPI_Issend(data, (int)number[2], MPI_BYTE, (int)number[0], (int)number[1], comm, &request[requests++]);
}

static void receive_often(const long *number) {
    MPI_Recv_init(data, LARGE, MPI_BYTE, source(number[0]), (int)number[1], comm, &request[requests]);
    MPI_Start(&request[requests++]);
}

static void wait_for_first(const long *number) {
    (void)number;
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void wait_for_all(const long *number) {
    (void)number;
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
}

static void wait_for_any(const long *number) {
    (void)number;
    int which;
    MPI_Waitany(requests, request, &which, MPI_STATUS_IGNORE);
}

static void probe(const long *number) {
    MPI_Probe(source(number[0]), (int)number[1], comm, MPI_STATUS_IGNORE);
}

/* Look for a message until there is one: from, tag */
static void look(const long *number) {
    for (int found = 0; !found;)
        MPI_Iprobe(source(number[0]), (int)number[1], comm, &found, MPI_STATUS_IGNORE);
}

/* to, from, tag */
static void both(const long *number) {
    MPI_Sendrecv(data, 8, MPI_BYTE, (int)number[0], 0, other, 8, MPI_BYTE, source(number[1]), (int)number[2],
                 comm, MPI_STATUS_IGNORE);
}

static void barrier(const long *number) {
    (void)number;
    MPI_Barrier(comm);
}

static void add(const long *number) {
    int in = 1, out;
    (void)number;
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm);
}

/* Choose a type: one of those listed here, or a structure of an int and a double, in either order, or of two
 * ints. */
static void choose(const long *number) {
    const MPI_Datatype types[] = {MPI_BYTE, MPI_INT, MPI_FLOAT, MPI_DOUBLE, MPI_PACKED, MPI_DOUBLE_INT};
    int length[2] = {1, 1};
    MPI_Aint at[2] = {0, 8};
    MPI_Datatype parts[3][2] = {{MPI_INT, MPI_DOUBLE}, {MPI_DOUBLE, MPI_INT}, {MPI_INT, MPI_INT}};
    type = number[0] < 6 ? types[number[0]] : MPI_DATATYPE_NULL;
    if (number[0] < 6)
        return;
    MPI_Type_create_struct(2, length, at, parts[number[0] - 6], &type);
    MPI_Type_commit(&type);
}

static MPI_Datatype type_or(MPI_Datatype usual) {
    return type == MPI_DATATYPE_NULL ? usual : type;
}

/* root, elements */
static void greatest(const long *number) {
    MPI_Reduce(data, other, (int)number[1], type_or(MPI_INT), MPI_MAX, (int)number[0], comm);
}

static void least(const long *number) {
    MPI_Reduce(data, other, (int)number[1], MPI_INT, MPI_MIN, (int)number[0], comm);
}

static void gather(const long *number) {
    MPI_Gather(data, (int)number[1], type_or(MPI_INT), other, (int)number[1], type_or(MPI_INT),
               (int)number[0], comm);
}

/* root, elements */
static void broadcast(const long *number) {
    MPI_Bcast(data, (int)number[1], type_or(MPI_BYTE), (int)number[0], comm);
}

/* Continue in a copy of the communicator, if the number is not 0. */
static void copy(const long *number) {
    MPI_Comm made;
    MPI_Comm_dup(comm, &made);
    comm = number[0] ? made : comm;
}

/* Continue in the communicator of the ranks of this one that pass the same number, in the opposite order. */
static void split(const long *number) {
    MPI_Comm made;
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split(comm, (int)number[0], -rank, &made);
    comm = made;
}

/* Name the communicator. */
static void name(const long *number) {
    char text[MPI_MAX_OBJECT_NAME];
    snprintf(text, sizeof text, "row %ld", number[0]);
    MPI_Comm_set_name(comm, text);
}

/* Continue in MPI_COMM_WORLD. */
static void all(const long *number) {
    (void)number;
    comm = MPI_COMM_WORLD;
}

/* As broadcast, beside the program: root, elements */
static void broadcast_beside(const long *number) {
    MPI_Ibcast(data, (int)number[1], type_or(MPI_BYTE), (int)number[0], comm, &request[requests++]);
}

static void greatest_beside(const long *number) {
    MPI_Ireduce(data, other, (int)number[1], type_or(MPI_INT), MPI_MAX, (int)number[0], comm,
                &request[requests++]);
}

static void least_beside(const long *number) {
    MPI_Ireduce(data, other, (int)number[1], MPI_INT, MPI_MIN, (int)number[0], comm, &request[requests++]);
}

static void gather_beside(const long *number) {
    MPI_Igather(data, (int)number[1], type_or(MPI_INT), other, (int)number[1], type_or(MPI_INT),
                (int)number[0], comm, &request[requests++]);
}

static void barrier_beside(const long *number) {
    (void)number;
    MPI_Ibarrier(comm, &request[requests++]);
}

static void add_beside(const long *number) {
    static int in = 1, out[REQUESTS];
    (void)number;
    MPI_Iallreduce(&in, &out[requests], 1, MPI_INT, MPI_SUM, comm, &request[requests]);
    requests++;
}

/* A persistent broadcast, started. */
static void broadcast_often(const long *number) {
    MPI_Bcast_init(data, (int)number[1], type_or(MPI_BYTE), (int)number[0], comm, MPI_INFO_NULL,
                   &request[requests]);
    MPI_Start(&request[requests++]);
}

static void barrier_often(const long *number) {
    (void)number;
    MPI_Barrier_init(comm, MPI_INFO_NULL, &request[requests]);
    MPI_Start(&request[requests++]);
}

static void test_all(const long *number) {
    (void)number;
    for (int done = 0; !done;)
        MPI_Testall(requests, request, &done, MPI_STATUSES_IGNORE);
}

/* Begin and complete requests for ever, in communicators that come and go: the two ranks between which */
static void churn(const long *number) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int peer = (int)(rank == number[0] ? number[1] : number[0]);
    for (;;) {
        MPI_Comm made;
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        for (int i = 0, done = 0; i < REQUESTS / 2; i++) {
            MPI_Irecv(other + i, 1, MPI_BYTE, peer, i, made, &request[2 * i]);
            MPI_Isend(data, i % 2 ? 10000 : 1, MPI_BYTE, peer, REQUESTS + i, made, &request[2 * i + 1]);
            MPI_Testall(2 * i + 2, request, &done, MPI_STATUSES_IGNORE);
        }
        for (int i = 0; i < REQUESTS / 2; i++) {
            MPI_Send(data, 1, MPI_BYTE, peer, i, made);
            MPI_Recv(data, LARGE, MPI_BYTE, peer, REQUESTS + i, made, MPI_STATUS_IGNORE);
        }
        MPI_Waitall(REQUESTS, request, MPI_STATUSES_IGNORE);
        MPI_Comm_free(&made);
    }
}

static void *meet(void *unused) {
    MPI_Barrier(comm);
    return unused;
}

/* Call a barrier in a thread that is not the rank's. */
static void other_thread(const long *number) {
    pthread_t thread;
    (void)number;
    pthread_create(&thread, NULL, meet, NULL);
    pthread_join(thread, NULL);
}

static void *send_later(void *number) {
    usleep((useconds_t)((const long *)number)[0] * 1000);
    MPI_Send(NULL, 0, MPI_BYTE, (int)((const long *)number)[1], 0, MPI_COMM_WORLD);
    return NULL;
}

/* Another thread sends after so many milliseconds, to a rank. */
static void later(const long *number) {
    static long kept[2];
    pthread_t thread;
    memcpy(kept, number, sizeof kept);
    pthread_create(&thread, NULL, send_later, kept);
    pthread_detach(thread);
}

static void nap(const long *number) {
    usleep((useconds_t)number[0] * 1000);
}

int main(int argc, char **argv) {
    static const struct script_call calls[] = {{"group", group},
                                               {"send", send},
                                               {"recv", receive},
                                               {"few", receive_few},
                                               {"irecv", receive_beside},
                                               {"isend", send_beside},
                                               {"issend", send_asking_beside},
                                               {"precv", receive_often},
                                               {"iprobe", look},
                                               {"split", split},
                                               {"churn", churn},
                                               {"name", name},
                                               {"all", all},
                                               {"wait", wait_for_first},
                                               {"waitall", wait_for_all},
                                               {"waitany", wait_for_any},
                                               {"testall", test_all},
                                               {"thread", other_thread},
                                               {"ibarrier", barrier_beside},
                                               {"ibcast", broadcast_beside},
                                               {"imax", greatest_beside},
                                               {"imin", least_beside},
                                               {"igather", gather_beside},
                                               {"iadd", add_beside},
                                               {"pbcast", broadcast_often},
                                               {"pbarrier", barrier_often},
                                               {"probe", probe},
                                               {"sendrecv", both},
                                               {"barrier", barrier},
                                               {"add", add},
                                               {"type", choose},
                                               {"max", greatest},
                                               {"min", least},
                                               {"gather", gather},
                                               {"bcast", broadcast},
                                               {"dup", copy},
                                               {"nap", nap},
                                               {"later", later},
                                               {0}};
    int rank, level = getenv("MPI_LEVEL") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank + 1 < argc)
        script_run(calls, argv[rank + 1]);
    return MPI_Finalize();
}
