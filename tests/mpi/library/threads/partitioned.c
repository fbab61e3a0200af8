/* Partitioned messages: parts told by several threads, other numbers of parts on the other side, types with
 * gaps. */

#include <string.h>

#include "threads.h"

enum { PARTS = 8, ELEMENTS = 600, ROUNDS = 20 };

static MPI_Request sending;

static void tell_some(const struct thread *thread) {
    if (thread->number == 0)
        GOOD(MPI_Pready_range(0, 1, sending));
    else if (thread->number == 1)
        GOOD(MPI_Pready_list(3, (const int[]){7, 2, 4}, sending));
    else
        for (int i = 3; i < 7; i += i == 3 ? 2 : 1)
            GOOD(MPI_Pready(i, sending));
}

static void fill(int *data, int round) {
    for (int i = 0; i < PARTS * ELEMENTS * 2; i++)
        data[i] = i * 7 + round + me;
}

static void check(const int *in, int round, int from, int stride) {
    for (int i = 0; i < PARTS * ELEMENTS; i++)
        CHECK(in[i * stride] == i * stride * 7 + round + from);
}

/* stride: of the elements on both sides. */
static void pass(MPI_Datatype type, int stride, int parts) {
    static int out[PARTS * ELEMENTS * 2], in[PARTS * ELEMENTS * 2];
    MPI_Request receiving;
    MPI_Status status;
    int flag, count, before = (me + n - 1) % n;
    GOOD(
        MPI_Psend_init(out, PARTS, ELEMENTS, type, (me + 1) % n, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &sending));
    GOOD(MPI_Precv_init(in, parts, PARTS * ELEMENTS / parts, type, before, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
                        &receiving));
    for (int round = 0; round < ROUNDS; round++) {
        memset(in, -1, sizeof in);
        fill(out, round);
        GOOD(MPI_Start(&receiving));
        GOOD(MPI_Start(&sending));
        /* no other receive gets it */
        GOOD(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag);
        GOOD(MPI_Test(&sending, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag && MPI_Pready(PARTS, sending) == MPI_ERR_ARG &&
              MPI_Pready(0, receiving) == MPI_ERR_REQUEST);
        let_work(3, tell_some);
        CHECK(MPI_Pready(0, sending) != MPI_SUCCESS);
        for (flag = 0; !flag && round % 2;)
            GOOD(MPI_Parrived(receiving, parts - 1, &flag));
        GOOD(MPI_Wait(&sending, MPI_STATUS_IGNORE));
        GOOD(MPI_Wait(&receiving, &status));
        GOOD(MPI_Get_count(&status, type, &count));
        CHECK(count == PARTS * ELEMENTS && status.MPI_SOURCE == before && status.MPI_TAG == 5);
        check(in, round, before, stride);
    }
    GOOD(MPI_Request_free(&sending));
    GOOD(MPI_Request_free(&receiving));
}

/* Pairs are of the order in which requests were made, whatever the order in which they are started. */
static void out_of_order(void) {
    enum { PAIRS = 3 };
    MPI_Request out[PAIRS], in[PAIRS];
    int sent[PAIRS], got[PAIRS];
    for (int k = 0; k < PAIRS; k++) {
        sent[k] = k;
        GOOD(
            MPI_Psend_init(&sent[k], 1, 1, MPI_INT, (me + 1) % n, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &out[k]));
        GOOD(MPI_Precv_init(&got[k], 1, 1, MPI_INT, (me + n - 1) % n, 6, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &in[k]));
    }
    GOOD(MPI_Startall(PAIRS, in));
    for (int k = PAIRS; k-- > 0;) {
        GOOD(MPI_Start(&out[k]));
        GOOD(MPI_Pready(0, out[k]));
    }
    GOOD(MPI_Waitall(PAIRS, out, MPI_STATUSES_IGNORE));
    GOOD(MPI_Waitall(PAIRS, in, MPI_STATUSES_IGNORE));
    for (int k = 0; k < PAIRS; k++) {
        CHECK(got[k] == k);
        GOOD(MPI_Request_free(&out[k]));
        GOOD(MPI_Request_free(&in[k]));
    }
}

int main(int argc, char **argv) {
    MPI_Datatype gaps;
    begin(&argc, &argv, MPI_THREAD_MULTIPLE);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    pass(MPI_INT, 1, PARTS);
    pass(MPI_INT, 1, 3);
    out_of_order();
    GOOD(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gaps));
    GOOD(MPI_Type_commit(&gaps));
    pass(gaps, 2, 1);
    GOOD(MPI_Type_free(&gaps));
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
