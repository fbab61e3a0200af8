/* Accesses for which targets on other nodes are asked: much, in order, by requests, and what is not there;
 * locks and elements for which near and far ranks compete; and targets that wait for something else
 * meanwhile. Any number of ranks, on any nodes. */

#include <string.h>

#include "mpi_check.h"

enum { TIMES = 30, LARGE = 200000, STRIDED = 3000, REQUESTS = 20, COMPETED = 4, MUCH = 1000 };

static int me, n;

/* Return a rank that is the farther from this one the later it is asked for. */
static int other(int i) {
    return (me + i) % n;
}

/* ---- much -----------------------------------------------------------------------------------------------
 */

/* Each rank has a part of every rank's memory to itself, longer than what goes in one message. */
static void large(void) {
    int *base, *own = malloc(LARGE * sizeof *own), *got = malloc(LARGE * sizeof *got);
    MPI_Aint bytes = (MPI_Aint)n * LARGE * (MPI_Aint)sizeof(int);
    MPI_Win win;
    GOOD(MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    for (int i = 0; i < LARGE; i++)
        own[i] = i * 7 + me;
    GOOD(MPI_Win_fence(0, win));
    for (int r = 0; r < n; r++)
        GOOD(MPI_Put(own, LARGE, MPI_INT, other(r), me * LARGE, LARGE, MPI_INT, win));
    GOOD(MPI_Win_fence(0, win));
    for (int i = 0; i < n * LARGE; i++)
        CHECK(base[i] == i % LARGE * 7 + i / LARGE);
    for (int r = 0; r < n; r++) {
        memset(got, 0, LARGE * sizeof *got);
        GOOD(MPI_Get(got, LARGE, MPI_INT, other(r), me * LARGE, LARGE, MPI_INT, win));
        GOOD(MPI_Accumulate(own, LARGE, MPI_INT, other(r), other(1) * LARGE, LARGE, MPI_INT, MPI_NO_OP, win));
        GOOD(MPI_Win_fence(0, win));
        CHECK(memcmp(got, own, LARGE * sizeof *got) == 0);
        GOOD(MPI_Accumulate(own, LARGE, MPI_INT, other(r), me * LARGE, LARGE, MPI_INT, MPI_SUM, win));
        GOOD(MPI_Win_fence(0, win));
        GOOD(MPI_Accumulate(own, LARGE, MPI_INT, other(r), me * LARGE, LARGE, MPI_INT, MPI_REPLACE, win));
        GOOD(MPI_Win_fence(0, win));
    }
    GOOD(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    GOOD(MPI_Win_free(&win));
    free(own);
    free(got);
}

/* Every second element, whose places alone are more than goes in one message. */
static void strided(void) {
    static long memory[2 * STRIDED], own[STRIDED], got[STRIDED];
    MPI_Datatype second;
    MPI_Win win;
    GOOD(MPI_Type_vector(STRIDED, 1, 2, MPI_LONG, &second));
    GOOD(MPI_Type_commit(&second));
    GOOD(MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    for (int i = 0; i < STRIDED; i++)
        own[i] = 1000L * i + me;
    GOOD(MPI_Win_fence(0, win));
    GOOD(MPI_Put(own, STRIDED, MPI_LONG, other(1), 0, 1, second, win));
    GOOD(MPI_Win_fence(0, win));
    GOOD(MPI_Get(got, STRIDED, MPI_LONG, other(1), 0, 1, second, win));
    GOOD(MPI_Win_fence(0, win));
    for (int i = 0; i < STRIDED; i++) {
        CHECK(memory[2 * i] == 1000L * i + other(n - 1) && memory[2 * i + 1] == 0);
        CHECK(got[i] == own[i]);
    }
    memset(got, 0, sizeof got);
    GOOD(MPI_Barrier(MPI_COMM_WORLD)); /* until all have looked */
    GOOD(MPI_Get_accumulate(own, STRIDED, MPI_LONG, got, STRIDED, MPI_LONG, other(1), 0, 1, second, MPI_SUM,
                            win));
    GOOD(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    for (int i = 0; i < STRIDED; i++)
        CHECK(got[i] == own[i] && memory[2 * i] == 2 * (1000L * i + other(n - 1)) && memory[2 * i + 1] == 0);
    GOOD(MPI_Win_free(&win));
    GOOD(MPI_Type_free(&second));
}

/* ---- many -----------------------------------------------------------------------------------------------
 */

static void ordered(MPI_Win win) {
    long last = 0;
    GOOD(MPI_Win_lock_all(0, win));
    for (long i = 1; i <= TIMES; i++)
        GOOD(MPI_Accumulate(&i, 1, MPI_LONG, other(1), me, 1, MPI_LONG, MPI_REPLACE, win));
    GOOD(
        MPI_Get_accumulate(NULL, 0, MPI_LONG, &last, 1, MPI_LONG, other(1), me, 1, MPI_LONG, MPI_NO_OP, win));
    GOOD(MPI_Win_flush_local(other(1), win));
    CHECK(last == TIMES);
    GOOD(MPI_Win_unlock_all(win));
}

static void requests(MPI_Win win, long *base) {
    MPI_Request request[REQUESTS], freed;
    long got[REQUESTS], before[REQUESTS], own[REQUESTS], late = 0;
    int flag = 0;
    for (int i = 0; i < n; i++)
        base[i] = 100 * me + i;
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    GOOD(MPI_Win_lock_all(0, win));
    for (int i = 0; i < REQUESTS; i++)
        GOOD(MPI_Rget(&got[i], 1, MPI_LONG, other(i), me, 1, MPI_LONG, win, &request[i]));
    GOOD(MPI_Rget(&late, 1, MPI_LONG, other(1), me, 1, MPI_LONG, win, &freed));
    GOOD(MPI_Request_free(&freed));
    while (!flag)
        GOOD(MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE));
    GOOD(MPI_Waitall(REQUESTS, request, MPI_STATUSES_IGNORE));
    GOOD(MPI_Win_flush(other(1), win));
    CHECK(late == 100 * other(1) + me);
    for (int i = 0; i < REQUESTS; i++) {
        CHECK(got[i] == 100 * other(i) + me);
        own[i] = 1;
        GOOD(MPI_Rget_accumulate(&own[i], 1, MPI_LONG, &before[i], 1, MPI_LONG, other(1), me, 1, MPI_LONG,
                                 MPI_SUM, win, &request[i]));
    }
    GOOD(MPI_Waitall(REQUESTS, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < REQUESTS; i++)
        CHECK(before[i] == 100 * other(1) + me + i);
    GOOD(MPI_Raccumulate(own, 1, MPI_LONG, other(1), me, 1, MPI_LONG, MPI_SUM, win, &request[0]));
    GOOD(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    own[0] = 77;
    GOOD(MPI_Win_flush(other(1), win));
    GOOD(MPI_Rput(own, 1, MPI_LONG, other(1), n + me, 1, MPI_LONG, win, &request[0]));
    GOOD(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    own[0] = 0;
    GOOD(MPI_Win_unlock_all(win));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(base[other(n - 1)] == 100 * me + other(n - 1) + REQUESTS + 1 && base[n + other(n - 1)] == 77);
}

/* ---- what ranks compete for -----------------------------------------------------------------------------
 */

/* Elements of rank 0, which all ranks count on in every way; and two that are changed under locks. */
static void compete(MPI_Win win, const long *base) {
    const long one = 1;
    GOOD(MPI_Win_lock_all(0, win));
    for (int i = 0; i < TIMES; i++) {
        long old = 0, seen = -1, next;
        GOOD(MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win));
        GOOD(MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, win));
        while (seen != old) {
            GOOD(MPI_Win_flush(0, win));
            old = seen < 0 ? old : seen;
            next = old + 1;
            GOOD(MPI_Compare_and_swap(&next, &old, &seen, MPI_LONG, 0, 0, win));
            GOOD(MPI_Win_flush(0, win));
        }
    }
    GOOD(MPI_Win_unlock_all(win));
    for (int i = 0; i < TIMES; i++) {
        long both[2] = {0};
        int alone = (i + me) % 3 == 0;
        GOOD(MPI_Win_lock(alone ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, win));
        GOOD(MPI_Get(&both[0], 1, MPI_LONG, 0, 1, 1, MPI_LONG, win));
        GOOD(MPI_Get(&both[1], 1, MPI_LONG, 0, 2, 1, MPI_LONG, win));
        GOOD(MPI_Win_flush(0, win));
        CHECK(both[0] == both[1]);
        both[0]++;
        if (alone) {
            GOOD(MPI_Put(both, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win));
            GOOD(MPI_Put(both, 1, MPI_LONG, 0, 2, 1, MPI_LONG, win));
        }
        GOOD(MPI_Win_unlock(0, win));
    }
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    if (me == 0) {
        GOOD(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        CHECK(base[0] == 3L * TIMES * n && base[1] == base[2] && base[1] == (long)TIMES / 3 * n);
        GOOD(MPI_Win_unlock(0, win));
    }
}

/* Rank 0 only waits for a message meanwhile. */
static void absent(MPI_Win win, const long *base) {
    if (me == 0) {
        for (int r = 1; r < n; r++)
            GOOD(MPI_Recv(NULL, 0, MPI_INT, r, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int r = 1; r < n; r++)
            CHECK(base[r] == 5 + r);
        return;
    }
    long number = 5 + me;
    GOOD(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    GOOD(MPI_Put(&number, 1, MPI_LONG, 0, me, 1, MPI_LONG, win));
    GOOD(MPI_Win_unlock(0, win));
    GOOD(MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD));
}

/* Windows that are accessed as soon as they are there at the origin. */
static void young(void) {
    for (int i = 0; i < TIMES; i++) {
        long *base, number = i + me;
        MPI_Win win;
        GOOD(MPI_Win_allocate((MPI_Aint)sizeof *base, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
        for (int r = 1; r <= n; r++) {
            GOOD(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other(r), 0, win));
            GOOD(MPI_Put(&number, 1, MPI_LONG, other(r), 0, 1, MPI_LONG, win));
            GOOD(MPI_Win_unlock(other(r), win));
        }
        GOOD(MPI_Barrier(MPI_COMM_WORLD));
        CHECK(*base >= i && *base < i + n);
        GOOD(MPI_Win_free(&win));
    }
}

/* ---- what is not there ----------------------------------------------------------------------------------
 */

/* Return true if this rank shares no memory with that one. */
static int is_far(int rank) {
    MPI_Comm node;
    MPI_Group all, here;
    int there;
    GOOD(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    GOOD(MPI_Comm_group(MPI_COMM_WORLD, &all));
    GOOD(MPI_Comm_group(node, &here));
    GOOD(MPI_Group_translate_ranks(all, 1, &rank, here, &there));
    GOOD(MPI_Group_free(&all));
    GOOD(MPI_Group_free(&here));
    GOOD(MPI_Comm_free(&node));
    return there == MPI_UNDEFINED;
}

static void detached(void) {
    static long own[MUCH + 1], much[MUCH];
    long number = 1, two[2] = {3, 4};
    MPI_Aint at, place;
    MPI_Win win;
    MPI_Request request;
    int to = other(1), far = is_far(to);
    GOOD(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    GOOD(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    GOOD(MPI_Win_attach(win, own, sizeof own[0]));
    GOOD(MPI_Win_attach(win, &own[2], sizeof own[2]));
    GOOD(MPI_Win_attach(win, &own[3], sizeof own[3]));
    GOOD(MPI_Get_address(own, &at));
    GOOD(MPI_Sendrecv(&at, 1, MPI_AINT, other(n - 1), 0, &place, 1, MPI_AINT, to, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    GOOD(MPI_Win_lock_all(0, win));
    GOOD(MPI_Put(&number, 1, MPI_LONG, to, place, 1, MPI_LONG, win));
    GOOD(MPI_Put(two, 2, MPI_LONG, to, place + 16, 2, MPI_LONG, win)); /* to two pieces at once */
    GOOD(MPI_Win_flush(to, win));
    if (far) {
        GOOD(MPI_Put(&number, 1, MPI_LONG, to, place + 8, 1, MPI_LONG, win));
        CHECK(MPI_Win_flush(to, win) == MPI_ERR_RMA_RANGE);
        GOOD(MPI_Win_flush(to, win));
        memset(much, 1, sizeof much); /* more than goes in one message */
        GOOD(MPI_Put(much, MUCH, MPI_LONG, to, place + 8, MUCH, MPI_LONG, win));
        CHECK(MPI_Win_flush(to, win) == MPI_ERR_RMA_RANGE);
        GOOD(MPI_Get(&number, 1, MPI_LONG, to, place + 4, 1, MPI_LONG, win));
        CHECK(MPI_Win_flush_local(to, win) == MPI_ERR_RMA_RANGE && number == 1);
        GOOD(MPI_Rget(&number, 1, MPI_LONG, to, place + 8, 1, MPI_LONG, win, &request));
        CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_ERR_RMA_RANGE);
        GOOD(MPI_Put(&number, 1, MPI_LONG, to, place + 8, 1, MPI_LONG, win));
    }
    CHECK(MPI_Win_unlock_all(win) == (far ? MPI_ERR_RMA_RANGE : MPI_SUCCESS));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(own[0] == 1 && own[1] == 0 && own[2] == 3 && own[3] == 4);
    for (int i = 0; i < 4; i += 1 + !i)
        GOOD(MPI_Win_detach(win, &own[i]));
    GOOD(MPI_Win_free(&win));
}

static void queries(MPI_Win win) {
    for (int r = 0; r < n; r++) {
        MPI_Aint bytes;
        int unit, far = is_far(r);
        void *at;
        GOOD(MPI_Win_shared_query(win, r, &bytes, &unit, &at));
        CHECK(far ? bytes == 0 && !at : bytes > 0 && at);
    }
}

int main(int argc, char **argv) {
    long *base;
    MPI_Win win;
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &me));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &n));
    large();
    strided();
    GOOD(MPI_Win_allocate((2 * n + COMPETED) * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    memset(base, 0, sizeof *base * (size_t)(2 * n + COMPETED));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    compete(win, base);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    ordered(win);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    requests(win, base);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    absent(win, base);
    queries(win);
    GOOD(MPI_Win_free(&win));
    detached();
    young();
    return MPI_Finalize();
}
