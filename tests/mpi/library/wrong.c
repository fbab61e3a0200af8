/* Programs that break a rule; the argument says which. */

#include "mpi_check.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

static int rank, size, number;
static MPI_Datatype type;

static void freed_type(void) {
    GOOD(MPI_Type_contiguous(2, MPI_INT, &type));
    MPI_Datatype kept = type;
    GOOD(MPI_Type_free(&type));
    MPI_Send(&number, 0, kept, 0, 0, MPI_COMM_WORLD);
}

static void uncommitted_type(void) {
    GOOD(MPI_Type_contiguous(2, MPI_INT, &type));
    MPI_Send(&number, 0, type, 0, 0, MPI_COMM_WORLD);
}

static void null_comm(void) {
    MPI_Barrier(MPI_COMM_NULL);
}

static void far_rank(void) {
    MPI_Send(&number, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
}

static void too_long(void) {
    int two[2] = {0};
    MPI_Sendrecv(two, 2, MPI_INT, rank, 0, &number, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wrong_operation(void) {
    float in = 1, out;
    MPI_Allreduce(&in, &out, 1, MPI_FLOAT, MPI_BAND, MPI_COMM_WORLD);
}

static void negative_count(void) {
    int in = 1, out, counts[] = {-1};
    MPI_Reduce_scatter(&in, &out, counts, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

static void negative_block(void) {
    int in = 1, out;
    MPI_Reduce_scatter_block(&in, &out, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void negative_group(void) {
    MPI_Group all, none;
    GOOD(MPI_Comm_group(MPI_COMM_WORLD, &all));
    MPI_Group_incl(all, -1, &rank, &none);
}

static void negative_wait(void) {
    MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE);
}

static void missing(void) {
    MPI_Comm other;
    MPI_Comm_accept("port", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
}

static void done_request(void) {
    MPI_Request request, kept;
    GOOD(MPI_Isend(&number, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request));
    kept = request;
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Wait(&kept, MPI_STATUS_IGNORE);
}

static void other_collective(void) {
    if (rank)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void killed(void) {
    if (rank == 1)
        raise(SIGKILL);
    MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void killed_meeting(void) {
    if (rank == 1)
        raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 meets, and the others wait for a message of it. */
static void hangs_meeting(void) {
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Two ranks on a node meet with at most 96 bytes of each: rank 0 puts one more, and sends. */
static void other_size(void) {
    static char bytes[4096];
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, bytes, rank ? 96 : 97, MPI_BYTE, MPI_COMM_WORLD);
}

static void left(void) {
    if (rank == 1)
        exit(EXIT_SUCCESS);
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void hangs(void) {
    MPI_Request request;
    GOOD(MPI_Irecv(&number, 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD, &request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void alone_synchronous(void) {
    if (rank == 0)
        MPI_Ssend(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void left_synchronous(void) {
    if (rank == 1)
        exit(EXIT_SUCCESS);
    MPI_Ssend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

static void taken_message(void) {
    MPI_Message none = MPI_MESSAGE_NULL;
    MPI_Mrecv(&number, 1, MPI_INT, &none, MPI_STATUS_IGNORE);
}

static void second_buffer(void) {
    GOOD(MPI_Comm_attach_buffer(MPI_COMM_SELF, &number, sizeof number));
    MPI_Comm_attach_buffer(MPI_COMM_SELF, &number, sizeof number);
}

static void not_generalized(void) {
    MPI_Request request;
    GOOD(MPI_Irecv(&number, 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &request));
    MPI_Grequest_complete(request);
}

static void null_operand(void) {
    MPI_Allreduce(NULL, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void null_block(void) {
    MPI_Scatter(&number, 1, MPI_INT, NULL, 1, MPI_INT, 0, MPI_COMM_SELF);
}

static void null_message(void) {
    MPI_Send(NULL, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
}

static void local_in_place(void) {
    MPI_Reduce_local(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM);
}

static void same_place(void) {
    MPI_Allreduce(&number, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void null_requests(void) {
    MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE);
}

static void freed_info(void) {
    MPI_Info info;
    MPI_Comm made;
    GOOD(MPI_Info_create(&info));
    MPI_Info kept = info;
    GOOD(MPI_Info_free(&info));
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, kept, &made);
}

static void aborts(void) {
    MPI_Abort(MPI_COMM_WORLD, 5);
}

static void far_memory(void) {
    MPI_Win win;
    int *memory;
    MPI_Win_allocate_shared(sizeof number, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
}

static void other_type(void) {
    long value = 0, sum;
    if (rank == 0)
        MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void *makes_info(void *unused) {
    MPI_Info info;
    MPI_Info_create(&info);
    return unused;
}

static void other_thread(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, makes_info, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
#define CASE(name)                                                                                           \
    { #name, name }
    CASE(freed_type),       CASE(uncommitted_type), CASE(null_comm),     CASE(far_rank),
    CASE(too_long),         CASE(wrong_operation),  CASE(missing),       CASE(done_request),
    CASE(other_collective), CASE(killed),           CASE(left),          CASE(hangs),
    CASE(aborts),           CASE(null_operand),     CASE(null_block),    CASE(null_message),
    CASE(local_in_place),   CASE(null_requests),    CASE(freed_info),    CASE(negative_count),
    CASE(negative_block),   CASE(negative_group),   CASE(negative_wait), CASE(alone_synchronous),
    CASE(left_synchronous), CASE(taken_message),    CASE(second_buffer), CASE(not_generalized),
    CASE(other_thread),     CASE(same_place),       CASE(far_memory),    CASE(other_type),
    CASE(killed_meeting),   CASE(hangs_meeting),    CASE(other_size),
#undef CASE
};

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "early") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Session session;
    if (argc > 1 && strcmp(argv[1], "session") == 0)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    GOOD(MPI_Finalize());
    if (argc > 1 && strcmp(argv[1], "late") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    return EXIT_SUCCESS;
}
