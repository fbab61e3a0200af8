/* Properties of the schedules: for every number of leaders up to 300, by following every message, and for
 * some large ones, by the ranges of some leaders. */

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "net/schedule.h"

enum { ALL = 300, OWN = -1, MISSING = -2, MOST_MESSAGES = 32 };

static int log2_up(int n) {
    int log = 0;
    while (1L << log < n)
        log++;
    return log;
}

/* The values that each leader has: by which of its messages that of a rank has come. */
static int has[ALL][ALL];

/* A message as its sender and its receiver see it. */
static void check_pair(enum uno_schedule_way way, int n, int rank, int k) {
    struct uno_schedule mine = uno_schedule_of(way, n, rank);
    struct uno_schedule_message m = uno_schedule_at(&mine, k);
    CHECK(m.to >= 0 && m.to < n && m.to != rank && m.from >= 0 && m.from < n && m.from != rank);
    struct uno_schedule other = uno_schedule_of(way, n, m.to);
    struct uno_schedule_message theirs = uno_schedule_at(&other, k);
    CHECK_INT(rank, theirs.from);
    CHECK_INT(m.sent, theirs.received);
    CHECK_INT(m.count, theirs.count);
    CHECK_INT(m.own, (m.sent + m.count - 1) % n == rank);
    CHECK(m.count >= 1 && m.after >= 0 && m.after <= k);
}

/* Take the values of a message over from its sender, which must have had them in time. */
static void deliver(enum uno_schedule_way way, int n, int rank, int k) {
    struct uno_schedule s = uno_schedule_of(way, n, rank);
    struct uno_schedule_message m = uno_schedule_at(&s, k);
    for (int i = 0; i < m.count; i++) {
        int value = (m.received + i) % n;
        if (has[m.from][value] == MISSING || has[m.from][value] >= m.after)
            test_fail("%s, %d leaders: message %d from %d brings the value of %d, which is not there",
                      uno_schedule_names[way], n, k, m.from, value);
        if (has[rank][value] != MISSING)
            test_fail("%s, %d leaders: the value of %d comes to %d again", uno_schedule_names[way], n, value,
                      rank);
        has[rank][value] = k;
    }
}

/* Follow all messages of all leaders. */
static void follow(enum uno_schedule_way way, int n) {
    int messages = uno_schedule_of(way, n, 0).messages;
    for (int rank = 0; rank < n; rank++)
        for (int value = 0; value < n; value++)
            has[rank][value] = rank == value ? OWN : MISSING;
    for (int k = 0; k < messages; k++)
        for (int rank = 0; rank < n; rank++) {
            check_pair(way, n, rank, k);
            deliver(way, n, rank, k);
        }
    for (int rank = 0; rank < n; rank++)
        for (int value = 0; value < n; value++)
            CHECK(has[rank][value] != MISSING);
}

/* The least numbers: nobody can know of all others after fewer steps, nor by fewer messages in one step. */
static void count(enum uno_schedule_way way, int n) {
    struct uno_schedule s = uno_schedule_of(way, n, n - 1);
    bool direct = way == UNO_SCHEDULE_DIRECT;
    CHECK_INT(direct ? n - 1 : log2_up(n), s.messages);
    CHECK_INT(direct ? n > 1 : log2_up(n), s.steps);
    int values = 0;
    for (int k = 0; k < s.messages; k++) {
        struct uno_schedule_message m = uno_schedule_at(&s, k);
        values += m.count;
        if (direct)
            CHECK_INT(0, m.after); /* one step: no message waits */
    }
    CHECK_INT(n - 1, values);
}

/* Add numbers up by the schedule, one value in each message: what a leader has received, with its own or
 * without. */
static void add_up(int n) {
    uint32_t own[ALL], others[ALL] = {0}, sent[ALL], all = 0;
    struct rng r = rng_for(1, (uint64_t)n, 0, 0);
    for (int rank = 0; rank < n; rank++)
        all += own[rank] = (uint32_t)rng_next(&r);
    for (int k = 0; k < uno_schedule_of(UNO_SCHEDULE_CENSUS, n, 0).messages; k++) {
        for (int rank = 0; rank < n; rank++) {
            struct uno_schedule s = uno_schedule_of(UNO_SCHEDULE_CENSUS, n, rank);
            sent[rank] = others[rank] + (uno_schedule_at(&s, k).own ? own[rank] : 0);
        }
        for (int rank = 0; rank < n; rank++) {
            struct uno_schedule s = uno_schedule_of(UNO_SCHEDULE_CENSUS, n, rank);
            others[rank] += sent[uno_schedule_at(&s, k).from];
        }
    }
    for (int rank = 0; rank < n; rank++)
        CHECK(others[rank] + own[rank] == all);
}

/* Combine sets of ranks, where a leader sends what it has when the message may go out. */
static void unite(int n) {
    static uint64_t set[ALL][MOST_MESSAGES + 1][(ALL + 63) / 64];
    int messages = uno_schedule_of(UNO_SCHEDULE_BRUCK, n, 0).messages, words = (n + 63) / 64;
    memset(set, 0, sizeof set);
    for (int rank = 0; rank < n; rank++)
        set[rank][0][rank / 64] = UINT64_C(1) << rank % 64;
    for (int k = 0; k < messages; k++)
        for (int rank = 0; rank < n; rank++) {
            struct uno_schedule s = uno_schedule_of(UNO_SCHEDULE_BRUCK, n, rank);
            struct uno_schedule_message m = uno_schedule_at(&s, k);
            for (int w = 0; w < words; w++)
                set[rank][k + 1][w] = set[rank][k][w] | set[m.from][m.after][w];
        }
    for (int rank = 0; rank < n; rank++)
        for (int value = 0; value < n; value++)
            CHECK(set[rank][messages][value / 64] >> value % 64 & 1);
}

/* ---- large numbers ------------------------------------------------------------------------------------ */

struct range {
    int back, count; /* its first rank is `back` ranks before the leader */
};

static int by_back(const void *a, const void *b) {
    int x = ((const struct range *)a)->back, y = ((const struct range *)b)->back;
    return (x > y) - (x < y);
}

/* Return true if the ranges, and the leader itself, hold every rank from `back` ranks before it on once. */
static bool is_whole(struct range *ranges, int count, int back) {
    qsort(ranges, (size_t)count, sizeof *ranges, by_back);
    int next = 1;
    for (int i = 0; i < count; i++) {
        if (ranges[i].back - ranges[i].count + 1 != next)
            return false;
        next = ranges[i].back + 1;
    }
    return next > back;
}

static void check_ranges(enum uno_schedule_way way, int n, int rank) {
    struct uno_schedule s = uno_schedule_of(way, n, rank);
    struct range got[MOST_MESSAGES] = {{0}}, before[MOST_MESSAGES];
    for (int k = 0; k < s.messages; k++) {
        struct uno_schedule_message m = uno_schedule_at(&s, k);
        check_pair(way, n, rank, k);
        memcpy(before, got, sizeof got);
        CHECK(is_whole(before, m.after, (rank + n - m.sent) % n));
        got[k] = (struct range){(rank + n - m.received) % n, m.count};
        if (way == UNO_SCHEDULE_CENSUS) { /* all that it has received, and nothing else */
            int received = 0;
            for (int i = 0; i < k; i++)
                received += got[i].count;
            CHECK_INT(received + m.own, m.count);
        }
    }
    CHECK(is_whole(got, s.messages, n - 1));
}

static void large(void) {
    static const int sizes[] = {512,     1000,    1023,  1024,  1025,   4095,    4096,
                                4097,    65535,   65536, 65537, 98304,  98305,   1000000,
                                1048575, 1048576, 99999, 77777, 123456, 1 << 30, (1 << 30) - 1};
    struct rng r = rng_for(2, 0, 0, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (enum uno_schedule_way way = UNO_SCHEDULE_BRUCK; way < UNO_SCHEDULE_WAYS; way++) {
            int n = sizes[i];
            count(way, n);
            check_ranges(way, n, 0);
            check_ranges(way, n, n - 1);
            for (int times = 0; times < 50; times++)
                check_ranges(way, n, rng_below(&r, n));
        }
}

/* ------------------------------------------------------------------------------------------------------ */

static void choice(void) {
    for (int n = 1; n <= ALL; n++) {
        bool few = n <= UNO_SCHEDULE_FEW;
        CHECK_INT(few ? UNO_SCHEDULE_DIRECT : UNO_SCHEDULE_BRUCK, uno_schedule_choose(n, UNO_SCHEDULE_WHOLE));
        CHECK_INT(few ? UNO_SCHEDULE_DIRECT : UNO_SCHEDULE_BRUCK, uno_schedule_choose(n, UNO_SCHEDULE_AGAIN));
        CHECK_INT(few ? UNO_SCHEDULE_DIRECT : UNO_SCHEDULE_CENSUS, uno_schedule_choose(n, UNO_SCHEDULE_ONCE));
    }
}

/* A rest of at most half of what a leader has goes out before the other messages have come. */
static void early(void) {
    static const struct {
        int leaders, after;
    } last[] = {{3, 0}, {4, 1}, {5, 0}, {6, 1}, {7, 2}, {9, 0}, {12, 2}, {13, 3}, {16, 3}, {17, 0}};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        struct uno_schedule s = uno_schedule_of(UNO_SCHEDULE_BRUCK, last[i].leaders, 1);
        CHECK_INT(last[i].after, uno_schedule_at(&s, s.messages - 1).after);
    }
}

static int body(void *unused) {
    (void)unused;
    for (int n = 1; n <= ALL; n++) {
        for (enum uno_schedule_way way = 0; way < UNO_SCHEDULE_WAYS; way++) {
            count(way, n);
            follow(way, n);
        }
        add_up(n);
        unite(n);
    }
    large();
    choice();
    early();
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
