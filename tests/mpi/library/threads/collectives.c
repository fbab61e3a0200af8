/* Threads of a rank that are in collectives of different communicators at the same time, in an order that
 * differs from rank to rank. */

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "threads.h"

enum { ROUNDS = 60, COUNT = 1000 };

static void fill(int *data, int count, int of) {
    for (int i = 0; i < count; i++)
        data[i] = i * 3 + of;
}

static int sum_of(int i, int number) {
    return n * (i * 3 + number) + n * (n - 1) / 2;
}

static void fold(MPI_Comm comm, int number, int round) {
    int count = 1 + round % 5 * COUNT / 4, in[COUNT + 1], out[COUNT + 1], own = me, all[64], before = -1;
    fill(in, count, number + me);
    GOOD(MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm));
    for (int i = 0; i < count; i++)
        CHECK(out[i] == sum_of(i, number));
    GOOD(MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, round % n, comm));
    for (int i = 0; i < count && me == round % n; i++)
        CHECK(out[i] == sum_of(i, number));
    GOOD(MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, comm));
    for (int r = 0; r < n; r++)
        CHECK(all[r] == r);
    GOOD(MPI_Scan(&own, &before, 1, MPI_INT, MPI_SUM, comm));
    CHECK(before == me * (me + 1) / 2);
    GOOD(MPI_Exscan(&own, &before, 1, MPI_INT, MPI_SUM, comm));
    CHECK(!me || before == me * (me - 1) / 2);
}

static void move(MPI_Comm comm, int number, int round) {
    int data[COUNT], from[64], to[64], one;
    memset(data, 0, sizeof data);
    if (me == round % n)
        fill(data, COUNT, number + round);
    GOOD(MPI_Bcast(data, COUNT, MPI_INT, round % n, comm));
    for (int i = 0; i < COUNT; i++)
        CHECK(data[i] == i * 3 + number + round);
    for (int r = 0; r < n; r++)
        from[r] = me * 64 + r;
    GOOD(MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, comm));
    for (int r = 0; r < n; r++)
        CHECK(to[r] == r * 64 + me);
    GOOD(MPI_Gather(&me, 1, MPI_INT, to, 1, MPI_INT, 0, comm));
    GOOD(MPI_Scatter(to, 1, MPI_INT, &one, 1, MPI_INT, 0, comm));
    CHECK(one == me);
    GOOD(MPI_Barrier(comm));
}

static void all_kinds(const struct thread *thread) {
    for (int round = 0; round < ROUNDS; round++) {
        if ((me + thread->number + round) % 7 == 0)
            usleep(300);
        fold(thread->comm, thread->number, round);
        move(thread->comm, thread->number, round);
    }
}

/* ---- in an order that differs ------------------------------------------------------------------------ */

/* Even ranks begin with the collective of one thread, odd ones with that of the other one: each waits until
 * its other thread is in its call. */
static MPI_Comm pair[2];
static pthread_barrier_t meeting;

static void crosswise(const struct thread *thread) {
    bool late = (thread->number + me) % 2;
    for (int i = 0; i < 10; i++) {
        pthread_barrier_wait(&meeting);
        if (late)
            usleep(3000);
        GOOD(MPI_Barrier(pair[thread->number]));
    }
}

/* ---- communicators ----------------------------------------------------------------------------------- */

static void use(MPI_Comm comm, int members) {
    int one = 1, sum = 0, size;
    GOOD(MPI_Comm_size(comm, &size));
    CHECK(size == members);
    GOOD(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == members);
}

static void make(const struct thread *thread) {
    for (int round = 0; round < ROUNDS / 3; round++) {
        MPI_Comm half, copy, some, later;
        MPI_Group all, group;
        MPI_Request request;
        int low = (n + 1) / 2, mine = me < low ? low : n - low;
        int range[] = {me < low ? 0 : low, me < low ? low - 1 : n - 1, 1};
        GOOD(MPI_Comm_split(thread->comm, me < low, me, &half));
        use(half, mine);
        GOOD(MPI_Comm_dup(half, &copy));
        use(copy, mine);
        GOOD(MPI_Comm_group(thread->comm, &all));
        GOOD(MPI_Group_range_incl(all, 1, &range, &group));
        /* several threads make one of the same ranks at a time, told apart by their tags */
        GOOD(MPI_Comm_create_group(MPI_COMM_WORLD, group, thread->number, &some));
        use(some, mine);
        GOOD(MPI_Comm_idup(thread->comm, &later, &request));
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        use(later, n);
        if (n > 1) {
            MPI_Comm inter, merged;
            GOOD(MPI_Intercomm_create(half, 0, thread->comm, me < low ? low : 0, 5, &inter));
            GOOD(MPI_Barrier(inter));
            GOOD(MPI_Intercomm_merge(inter, me < low, &merged));
            use(merged, n);
            GOOD(MPI_Comm_free(&merged));
            GOOD(MPI_Comm_free(&inter));
        }
        GOOD(MPI_Comm_free(&half));
        GOOD(MPI_Comm_free(&copy));
        GOOD(MPI_Comm_free(&some));
        GOOD(MPI_Comm_free(&later));
        GOOD(MPI_Group_free(&all));
        GOOD(MPI_Group_free(&group));
    }
}

/* ---- what the program is called back for ------------------------------------------------------------- */

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    int size;
    GOOD(MPI_Type_size(*type, &size));
    CHECK(size == sizeof(int));
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    int size;
    (void)key, (void)extra;
    GOOD(MPI_Comm_size(comm, &size));
    *(void **)out = (char *)in + size;
    *flag = 1;
    return MPI_SUCCESS;
}

static void fails(MPI_Comm *comm, int *error, ...) {
    int class, size;
    GOOD(MPI_Error_class(*error, &class));
    GOOD(MPI_Comm_size(*comm, &size));
    CHECK(class == MPI_ERR_RANK && size == n);
}

static void called_back(const struct thread *thread) {
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Comm made;
    int key, sum, there;
    void *value;
    GOOD(MPI_Op_create(add, 1, &op));
    GOOD(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    GOOD(MPI_Comm_create_errhandler(fails, &handler));
    GOOD(MPI_Comm_set_errhandler(thread->comm, handler));
    GOOD(MPI_Comm_set_attr(thread->comm, key, (char *)0 + 100));
    for (int i = 0; i < ROUNDS; i++) {
        GOOD(MPI_Allreduce(&me, &sum, 1, MPI_INT, op, thread->comm));
        CHECK(sum == n * (n - 1) / 2);
        CHECK(MPI_Send(&me, 1, MPI_INT, n, 0, thread->comm) == MPI_ERR_RANK);
    }
    GOOD(MPI_Comm_dup(thread->comm, &made));
    GOOD(MPI_Comm_get_attr(made, key, &value, &there));
    CHECK(there && value == (void *)((char *)0 + 100 + n));
    GOOD(MPI_Comm_free(&made));
    GOOD(MPI_Comm_delete_attr(thread->comm, key));
    GOOD(MPI_Comm_free_keyval(&key));
    GOOD(MPI_Errhandler_free(&handler));
    GOOD(MPI_Op_free(&op));
}

int main(int argc, char **argv) {
    begin(&argc, &argv, MPI_THREAD_MULTIPLE);
    CHECK(n <= 64);
    for (int threads = 1; threads <= 4; threads *= 2)
        let_work(threads, all_kinds);
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &pair[0]));
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &pair[1]));
    CHECK(pthread_barrier_init(&meeting, NULL, 2) == 0);
    let_work(2, crosswise);
    GOOD(MPI_Comm_free(&pair[0]));
    GOOD(MPI_Comm_free(&pair[1]));
    let_work(3, make);
    let_work(3, called_back);
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
