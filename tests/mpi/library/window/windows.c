/* windows [TIMES] [refused]: windows of every flavor; epochs of every kind, and what is put, got and combined
 * in them. Any number of ranks. */

#include "refuse.h"

#include <stdlib.h>
#include <string.h>

#include "mpi_check.h"

enum { NUMBERS = 64, MANY = 20, LARGE = 5003 };

static MPI_Comm here; /* the ranks of the window: all, or for shared memory those of this node */
static int me, n, times = 300;
static long own[NUMBERS];

/* A window of NUMBERS numbers a rank, which are 0. */
static MPI_Win make(int flavor, long **base) {
    MPI_Win win;
    memset(own, 0, sizeof own);
    *base = own;
    if (flavor == MPI_WIN_FLAVOR_ALLOCATE)
        GOOD(MPI_Win_allocate(sizeof own, sizeof(long), MPI_INFO_NULL, here, base, &win));
    else if (flavor == MPI_WIN_FLAVOR_SHARED)
        GOOD(MPI_Win_allocate_shared(sizeof own, sizeof(long), MPI_INFO_NULL, here, base, &win));
    else
        GOOD(MPI_Win_create(own, sizeof own, sizeof(long), MPI_INFO_NULL, here, &win));
    return win;
}

static long sum_of(long part) {
    long sum;
    GOOD(MPI_Allreduce(&part, &sum, 1, MPI_LONG, MPI_SUM, here));
    return sum;
}

static void fences(MPI_Win win, const long *base) {
    long number = me + 100, got = 0, ones[MANY];
    for (int i = 0; i < MANY; i++)
        ones[i] = 1;
    GOOD(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    for (int r = 0; r < n; r++)
        GOOD(MPI_Put(&number, 1, MPI_LONG, r, me, 1, MPI_LONG, win));
    GOOD(MPI_Win_fence(0, win));
    for (int r = 0; r < n; r++)
        CHECK(base[r] == 100 + r);
    GOOD(MPI_Get(&got, 1, MPI_LONG, (me + 1) % n, me, 1, MPI_LONG, win));
    GOOD(MPI_Win_fence(0, win));
    CHECK(got == number);
    for (int i = 0; i < times; i++) { /* one by one, and many at once, the same numbers */
        GOOD(MPI_Accumulate(ones, 1, MPI_LONG, i % n, 30, 1, MPI_LONG, MPI_SUM, win));
        GOOD(MPI_Accumulate(ones, MANY, MPI_LONG, i % n, 30, MANY, MPI_LONG, MPI_SUM, win));
    }
    GOOD(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CHECK(sum_of(base[30]) == 2L * times * n && sum_of(base[30 + MANY - 1]) == (long)times * n);
}

static void locks(MPI_Win win, const long *base) {
    const long one = 1;
    for (int i = 0; i < times; i++) {
        long number, before;
        GOOD(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        GOOD(MPI_Get(&number, 1, MPI_LONG, 0, 50, 1, MPI_LONG, win));
        GOOD(MPI_Win_flush(0, win));
        number++;
        GOOD(MPI_Put(&number, 1, MPI_LONG, 0, 50, 1, MPI_LONG, win));
        GOOD(MPI_Win_unlock(0, win));
        GOOD(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        GOOD(MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 51, MPI_SUM, win));
        GOOD(MPI_Win_unlock(0, win));
        CHECK(before >= i && before < (long)times * n);
        GOOD(MPI_Win_lock_all(0, win));
        do { /* as a lock of the program's own */
            const long nobody = 0, mine = me + 1;
            GOOD(MPI_Compare_and_swap(&mine, &nobody, &before, MPI_LONG, 0, 52, win));
            GOOD(MPI_Win_flush(0, win));
        } while (before);
        GOOD(MPI_Get(&number, 1, MPI_LONG, 0, 53, 1, MPI_LONG, win));
        GOOD(MPI_Win_flush(0, win));
        number++;
        GOOD(MPI_Put(&number, 1, MPI_LONG, 0, 53, 1, MPI_LONG, win));
        GOOD(MPI_Win_flush(0, win));
        const long free = 0;
        GOOD(MPI_Fetch_and_op(&free, &before, MPI_LONG, 0, 52, MPI_REPLACE, win));
        GOOD(MPI_Win_flush_local(0, win));
        CHECK(before == me + 1);
        GOOD(MPI_Win_unlock_all(win));
    }
    GOOD(MPI_Barrier(here));
    if (me == 0) {
        GOOD(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        CHECK(base[50] == (long)times * n && base[51] == (long)times * n && base[53] == (long)times * n);
        GOOD(MPI_Win_unlock(0, win));
    }
}

/* All ranks combine more numbers with those of rank 0 than are combined at a time, and get what they were. */
static void large(int flavor) {
    static long memory[LARGE], numbers[LARGE], before[LARGE];
    long *base = memory;
    MPI_Win win;
    if (flavor == MPI_WIN_FLAVOR_CREATE)
        GOOD(MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, here, &win));
    else
        GOOD(MPI_Win_allocate(sizeof memory, sizeof(long), MPI_INFO_NULL, here, &base, &win));
    memset(base, 0, sizeof memory);
    for (int i = 0; i < LARGE; i++)
        numbers[i] = i + 1;
    GOOD(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    for (int i = 0; i < MANY; i++)
        GOOD(MPI_Accumulate(numbers, LARGE, MPI_LONG, 0, 0, LARGE, MPI_LONG, MPI_SUM, win));
    GOOD(MPI_Win_fence(0, win));
    GOOD(MPI_Get_accumulate(numbers, LARGE, MPI_LONG, before, LARGE, MPI_LONG, 0, 0, LARGE, MPI_LONG, MPI_SUM,
                            win));
    GOOD(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    for (int i = 0; i < LARGE; i++) {
        CHECK(me || base[i] == (long)(MANY + 1) * n * (i + 1));
        CHECK(before[i] % (i + 1) == 0 && before[i] >= (long)MANY * n * (i + 1) &&
              before[i] < (long)(MANY + 1) * n * (i + 1));
    }
    GOOD(MPI_Win_free(&win));
}

/* Each rank gives its numbers to the next one, and to nobody else. */
static void posts(MPI_Win win, const long *base) {
    int next = (me + 1) % n, last = (me + n - 1) % n, flag;
    MPI_Group all, to, from;
    GOOD(MPI_Win_get_group(win, &all));
    GOOD(MPI_Group_incl(all, 1, &next, &to));
    GOOD(MPI_Group_incl(all, 1, &last, &from));
    for (int i = 0; i < times; i++) {
        long number = 1000 * i + me;
        GOOD(MPI_Win_post(from, 0, win));
        GOOD(MPI_Win_start(to, 0, win));
        GOOD(MPI_Put(&number, 1, MPI_LONG, next, 60, 1, MPI_LONG, win));
        GOOD(MPI_Win_complete(win));
        if (i % 2)
            GOOD(MPI_Win_wait(win));
        else
            do
                GOOD(MPI_Win_test(win, &flag));
            while (!flag);
        CHECK(base[60] == 1000 * i + last);
    }
    GOOD(MPI_Group_free(&all));
    GOOD(MPI_Group_free(&to));
    GOOD(MPI_Group_free(&from));
}

static void attributes(MPI_Win win, int flavor, const long *base) {
    void *at;
    MPI_Aint *size;
    int *number, flag;
    GOOD(MPI_Win_get_attr(win, MPI_WIN_BASE, &at, &flag));
    CHECK(flag && at == base);
    GOOD(MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag));
    CHECK(flag && *size == sizeof own);
    GOOD(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &number, &flag));
    CHECK(flag && *number == sizeof(long));
    GOOD(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &number, &flag));
    CHECK(flag && *number == flavor);
    GOOD(MPI_Win_get_attr(win, MPI_WIN_MODEL, &number, &flag));
    CHECK(flag && *number == MPI_WIN_UNIFIED);
}

static void shared(MPI_Win win, long *base) {
    MPI_Aint size;
    int unit;
    long *at;
    GOOD(MPI_Win_lock_all(0, win));
    base[0] = 7 + me;
    GOOD(MPI_Win_sync(win));
    GOOD(MPI_Barrier(here));
    GOOD(MPI_Win_sync(win));
    for (int r = 0; r < n; r++) {
        GOOD(MPI_Win_shared_query(win, r, &size, &unit, &at));
        CHECK(size == sizeof own && unit == sizeof(long) && at[0] == 7 + r &&
              at == base + (r - me) * NUMBERS);
    }
    GOOD(MPI_Win_unlock_all(win));
}

int main(int argc, char **argv) {
    static const int flavors[] = {MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED, MPI_WIN_FLAVOR_CREATE};
    refused = argc > 1 && strcmp(argv[argc - 1], "refused") == 0;
    times = argc > 1 && strtol(argv[1], NULL, 10) > 0 ? (int)strtol(argv[1], NULL, 10) : times;
    GOOD(MPI_Init(&argc, &argv));
    MPI_Comm node;
    GOOD(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    for (int i = 0; i < 3; i++) {
        long *base;
        here = flavors[i] == MPI_WIN_FLAVOR_SHARED ? node : MPI_COMM_WORLD;
        GOOD(MPI_Comm_rank(here, &me));
        GOOD(MPI_Comm_size(here, &n));
        MPI_Win win = make(flavors[i], &base);
        attributes(win, flavors[i], base);
        fences(win, base);
        locks(win, base);
        posts(win, base);
        if (flavors[i] == MPI_WIN_FLAVOR_SHARED)
            shared(win, base);
        GOOD(MPI_Win_free(&win));
        CHECK(win == MPI_WIN_NULL);
        large(flavors[i]);
    }
    GOOD(MPI_Comm_size(node, &n));
    GOOD(MPI_Comm_free(&node));
    CHECK(refused ? !copies : n == 1 || copies);
    return MPI_Finalize();
}
