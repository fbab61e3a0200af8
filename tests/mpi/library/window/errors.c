/* Errors of windows: each call that breaks a rule returns an error of its class, to the window's own error
 * handler. Two ranks. */

#include <string.h>

#include "mpi_check.h"

enum { NUMBERS = 8 };

static int me, handled, code;
static MPI_Win win, seen;
static int *base;
static const int one = 1;
static int number;

static void handler(MPI_Win *window, int *error, ...) {
    seen = *window;
    code = *error;
    handled++;
}

/* The call fails with an error of that class, of which the window's handler is told. */
#define FAILS(class, call)                                                                                   \
    do {                                                                                                     \
        int before_ = handled;                                                                               \
        CHECK((call) == MPI_ERR_##class);                                                                    \
        CHECK(handled == before_ + 1 && seen == win && code == MPI_ERR_##class);                             \
    } while (0)

static void closed(void) {
    FAILS(RMA_SYNC, MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    FAILS(RMA_SYNC, MPI_Get(&number, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    FAILS(RMA_SYNC, MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    FAILS(RMA_SYNC, MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 0, MPI_SUM, win));
    FAILS(RMA_SYNC, MPI_Compare_and_swap(&one, &one, &number, MPI_INT, 0, 0, win));
    FAILS(RMA_SYNC, MPI_Win_flush(0, win));
    FAILS(RMA_SYNC, MPI_Win_flush_all(win));
    FAILS(RMA_SYNC, MPI_Win_flush_local(0, win));
    FAILS(RMA_SYNC, MPI_Win_sync(win));
    FAILS(RMA_SYNC, MPI_Win_unlock(0, win));
    FAILS(RMA_SYNC, MPI_Win_unlock_all(win));
    FAILS(RMA_SYNC, MPI_Win_complete(win));
    FAILS(RMA_SYNC, MPI_Win_wait(win));
    FAILS(RMA_SYNC, MPI_Win_test(win, &number));
    GOOD(MPI_Put(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win)); /* to nobody, at any time */
}

static void locked(void) {
    GOOD(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    FAILS(RMA_SYNC, MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win)); /* which is not locked */
    FAILS(RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    FAILS(RMA_SYNC, MPI_Win_lock_all(0, win));
    FAILS(RMA_SYNC, MPI_Win_fence(0, win));
    FAILS(RMA_SYNC, MPI_Win_unlock(1, win));
    FAILS(RMA_SYNC, MPI_Win_unlock_all(win));
    FAILS(RMA_SYNC, MPI_Win_flush(1, win));
    FAILS(RMA_SYNC, MPI_Win_free(&win));
    GOOD(MPI_Win_unlock(0, win));
    FAILS(LOCKTYPE, MPI_Win_lock(0, 0, 0, win));
    FAILS(ASSERT, MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOPUT, win));
    FAILS(ASSERT, MPI_Win_lock_all(12345, win));
    FAILS(ASSERT, MPI_Win_fence(MPI_MODE_NOCHECK, win));
    FAILS(RANK, MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win));
}

static void ranges(void) {
    MPI_Datatype back;
    GOOD(MPI_Type_vector(2, 1, -2, MPI_INT, &back)); /* begins behind its end */
    GOOD(MPI_Type_commit(&back));
    GOOD(MPI_Win_lock_all(0, win));
    GOOD(MPI_Put(&one, 1, MPI_INT, 1, NUMBERS - 1, 1, MPI_INT, win));
    FAILS(RMA_RANGE, MPI_Put(&one, 1, MPI_INT, 1, NUMBERS, 1, MPI_INT, win));
    FAILS(RMA_RANGE, MPI_Put(&one, 1, MPI_INT, 1, -1, 1, MPI_INT, win));
    FAILS(RMA_RANGE, MPI_Get(base, NUMBERS, MPI_INT, 1, 1, NUMBERS, MPI_INT, win));
    FAILS(RMA_RANGE, MPI_Get(base, NUMBERS, MPI_INT, 1, (MPI_Aint)1 << 62, NUMBERS, MPI_INT, win));
    FAILS(RMA_RANGE, MPI_Accumulate(&one, 1, MPI_INT, 1, NUMBERS, 1, MPI_INT, MPI_SUM, win));
    FAILS(RMA_RANGE, MPI_Fetch_and_op(&one, &number, MPI_INT, 1, NUMBERS, MPI_SUM, win));
    FAILS(RMA_RANGE, MPI_Compare_and_swap(&one, &one, &number, MPI_INT, 1, NUMBERS, win));
    FAILS(RMA_RANGE, MPI_Get(base, 2, MPI_INT, 1, 1, 1, back, win));
    GOOD(MPI_Get(&base[0], 2, MPI_INT, 1, 2, 1, back, win));
    FAILS(RMA_RANGE, MPI_Get(base, 2, MPI_INT, 1, NUMBERS, 1, back, win));
    FAILS(TRUNCATE, MPI_Put(base, 2, MPI_INT, 1, 0, 1, MPI_INT, win));
    FAILS(TRUNCATE, MPI_Get(base, 1, MPI_INT, 1, 0, 2, MPI_INT, win));
    FAILS(OP, MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_MAXLOC, win));
    FAILS(TYPE, MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_FLOAT, MPI_SUM, win));
    FAILS(TYPE, MPI_Compare_and_swap(&one, &one, &number, MPI_FLOAT, 1, 0, win));
    GOOD(MPI_Win_unlock_all(win));
    GOOD(MPI_Type_free(&back));
}

static void flavors(void) {
    static int own[NUMBERS], flag;
    FAILS(RMA_FLAVOR, MPI_Win_attach(win, own, sizeof own));
    FAILS(RMA_FLAVOR, MPI_Win_detach(win, own));
    FAILS(KEYVAL, MPI_Win_get_attr(win, 12345, &base, &flag));
}

static void creation(void) {
    MPI_Win none;
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Win_create(base, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &none) == MPI_ERR_SIZE);
    CHECK(MPI_Win_create(NULL, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &none) == MPI_ERR_BASE);
    CHECK(MPI_Win_allocate(8, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &none) == MPI_ERR_DISP);
    int *kept = base;
    CHECK(MPI_Win_allocate((MPI_Aint)1 << 60, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &none) ==
          MPI_ERR_NO_MEM);
    CHECK(base == kept && none == MPI_WIN_NULL);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

static void dynamic(void) {
    static int own[NUMBERS];
    GOOD(MPI_Win_attach(win, own, sizeof own));
    FAILS(RMA_ATTACH, MPI_Win_attach(win, own + 1, sizeof(int)));
    FAILS(RMA_ATTACH, MPI_Win_detach(win, own + 1));
    MPI_Aint at;
    GOOD(MPI_Get_address(own, &at));
    GOOD(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    GOOD(MPI_Put(&one, 1, MPI_INT, me, at, 1, MPI_INT, win));
    FAILS(RMA_RANGE, MPI_Put(&one, 1, MPI_INT, me, at + (MPI_Aint)sizeof own, 1, MPI_INT, win));
    FAILS(RMA_RANGE, MPI_Put(&one, 1, MPI_INT, me, 0, 1, MPI_INT, win));
    GOOD(MPI_Win_unlock(me, win));
    GOOD(MPI_Win_detach(win, own));
    int *other, unit;
    MPI_Aint size;
    FAILS(RMA_FLAVOR, MPI_Win_shared_query(win, 0, &size, &unit, &other));
}

int main(int argc, char **argv) {
    MPI_Errhandler errhandler;
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &me));
    GOOD(MPI_Win_create_errhandler(handler, &errhandler));
    GOOD(MPI_Win_allocate(NUMBERS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    GOOD(MPI_Win_set_errhandler(win, errhandler));
    closed();
    locked();
    ranges();
    flavors();
    GOOD(MPI_Win_free(&win));
    creation();
    GOOD(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    GOOD(MPI_Win_set_errhandler(win, errhandler));
    dynamic();
    GOOD(MPI_Win_free(&win));
    GOOD(MPI_Errhandler_free(&errhandler));
    return MPI_Finalize();
}
