/* The engine of every side: wait for a turn, make fresh data, time the operations, check every result, reply.
 *
 *     worker SOCKET SIDE N shm|thread PROCESSORS
 *
 * SOCKET is the name of the driver's abstract Unix socket. Started by `unisono bench` alone. */

#define _GNU_SOURCE
#include "worker.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "local.h"

/* What one PE works with. Inputs and results of a turn lie ready before and stay until after the timed loop.
 */
struct pe {
    int socket, me, n;
    struct bench_turn turn;
    uint64_t in[BENCH_WARM_UP + BENCH_MAX_OPS];
    uint64_t out[BENCH_WARM_UP * BENCH_MAX_PES + BENCH_MAX_VALUES];
    int who[BENCH_WARM_UP + BENCH_MAX_OPS];
    double ns[BENCH_MAX_OPS];
};

/* What the command line said; read only once the PEs run. */
static const char *socket_name;
static int side_number;

static const struct kind {
    const char *name;
    enum bench_timing timing;
    enum bench_result result;
} kinds[BENCH_OPS] = {
#define KIND(name, types, timing, result) {"p_" #name, BENCH_##timing, BENCH_##result},
    BENCH_OPERATIONS(KIND)
#undef KIND
};

static const struct type {
    const char *suffix;
    int size;
} types[BENCH_TYPE_COUNT] = {{"", sizeof(int)},
#define TYPE(suffix, type) {#suffix, sizeof(type)},
                             BENCH_TYPES(TYPE)
#undef TYPE
};

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- data -------------------------------------------------------------------------------------------- */

/* The finalizer of splitmix64. */
static uint64_t mix(uint64_t h) {
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

/* PE k's input to iteration i, as a random number shaped for the operation: such that an AND, an OR and an
 * integer product of a few PEs are not all the same number, and sums and products of floating-point values
 * are exact, so that the order in which a library combines them does not matter. */
static void make_input(const struct bench_turn *turn, int n, int i, int k, void *value) {
    uint64_t h = mix(turn->seed + ((uint64_t)i << 8) + (uint64_t)k), g = mix(h);
    switch (turn->op) {
    case BENCH_OP_any:
        h = h % (uint64_t)(2 * n) == 0;
        break;
    case BENCH_OP_all:
        h = h % (uint64_t)(2 * n) != 0;
        break;
    case BENCH_OP_waitvec:
        h &= 1;
        break;
    case BENCH_OP_vote:
    case BENCH_OP_voteCount:
    case BENCH_OP_match:
    case BENCH_OP_matchCount:
        h %= (uint64_t)n;
        break;
    case BENCH_OP_reduceMul:
    case BENCH_OP_scanMul:
        h |= 1;
        break;
    case BENCH_OP_reduceAnd:
    case BENCH_OP_scanAnd:
        h |= g;
        break;
    case BENCH_OP_reduceOr:
    case BENCH_OP_scanOr:
        h &= g;
    }
    bool product = turn->op == BENCH_OP_reduceMul || turn->op == BENCH_OP_scanMul;
    double real = product ? (h & 2 ? 1 : -1) * (h & 4 ? 2 : 0.5) : (double)(int)(h % 2001) - 1000;
    float single = (float)real;
    int number = (int)h;
    switch (turn->type) {
    case BENCH_TYPE_:
        memcpy(value, &number, sizeof number);
        break;
    case BENCH_TYPE_f:
        memcpy(value, &single, sizeof single);
        break;
    case BENCH_TYPE_d:
        memcpy(value, &real, sizeof real);
        break;
    default: /* little end first: the low bytes are the value */
        memcpy(value, &h, (size_t)types[turn->type].size);
    }
}

static int source(int me, int n, int i) {
    return (me + i + 1) % n;
}

static size_t result_size(const struct bench_turn *turn, int n) {
    switch (kinds[turn->op].result) {
    case BENCH_NUMBER:
        return sizeof(int);
    case BENCH_MASK:
        return sizeof(uint64_t);
    case BENCH_VALUE:
        return (size_t)types[turn->type].size;
    case BENCH_ARRAY:
        return (size_t)(types[turn->type].size * n);
    default:
        return 0;
    }
}

/* ---- the oracle -------------------------------------------------------------------------------------- */

typedef void oracle(const void *values, int me, int n, int who, void *result);

#define ORACLE(name, s, type, result_type)                                                                   \
    static void expect_##name##s(const void *values, int me, int n, int who, void *result) {                 \
        result_type r = local_##name##s(values, me, n, who);                                                 \
        memcpy(result, &r, sizeof r);                                                                        \
    }
#define ORACLES_ALL(s, type) LOCAL_ALL(ORACLE, s, type)
#define ORACLES_INTEGER(s, type) LOCAL_INTEGER(ORACLE, s, type)
BENCH_TYPES(ORACLES_ALL)
BENCH_INTEGERS(ORACLES_INTEGER)

static oracle *const oracles[BENCH_OPS][BENCH_TYPE_COUNT] = {
#define ROW(name, s, type, result_type) [BENCH_OP_##name][BENCH_TYPE_##s] = expect_##name##s,
#define ROWS_ALL(s, type) LOCAL_ALL(ROW, s, type)
#define ROWS_INTEGER(s, type) LOCAL_INTEGER(ROW, s, type)
    BENCH_TYPES(ROWS_ALL) BENCH_INTEGERS(ROWS_INTEGER)};

/* The result that PE `me` must have received, from the inputs of all PEs, which lie one behind the other. */
static void expect(const struct bench_turn *turn, const void *values, int me, int n, int i, void *result) {
    const int *flags = values;
    uint64_t mask = 0;
    int number = 0;
    if (oracles[turn->op][turn->type]) {
        oracles[turn->op][turn->type](values, me, n, source(me, n, i), result);
        return;
    }
    switch (turn->op) {
    case BENCH_OP_waitvec:
        mask = local_waitvec(flags, n);
        break;
    case BENCH_OP_any:
        number = local_waitvec(flags, n) != 0;
        break;
    case BENCH_OP_all:
        number = __builtin_popcountll(local_waitvec(flags, n)) == n;
        break;
    case BENCH_OP_vote:
        mask = local_vote(flags, me, n);
        break;
    case BENCH_OP_voteCount:
        number = __builtin_popcountll(local_vote(flags, me, n));
        break;
    case BENCH_OP_population:
        number = n;
        break;
    case BENCH_OP_enumerate:
        number = me;
        break;
    case BENCH_OP_gather:
    case BENCH_OP_bcast: /* PE 0 puts */
        memcpy(result, values, result_size(turn, n));
        return;
    }
    if (kinds[turn->op].result == BENCH_MASK)
        memcpy(result, &mask, sizeof mask);
    else
        memcpy(result, &number, sizeof number);
}

static void check(const struct pe *pe, int operations, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    size_t in_size = (size_t)types[turn->type].size, out_size = result_size(turn, pe->n);
    for (int i = 0; out_size && i < operations; i++) {
        uint64_t values[BENCH_MAX_PES], expected[BENCH_MAX_PES] = {0};
        for (int k = 0; k < pe->n; k++)
            make_input(turn, pe->n, i, k, (char *)values + (size_t)k * in_size);
        expect(turn, values, pe->me, pe->n, i, expected);
        const char *got = (const char *)pe->out + (size_t)i * out_size;
        if (memcmp(got, expected, out_size) == 0 || reply->wrong++)
            continue;
        uint64_t first = 0;
        memcpy(&first, got, out_size < 8 ? out_size : 8);
        snprintf(reply->text, sizeof reply->text,
                 "%s%s of %d PEs, operation %d: PE %d received 0x%llx instead of 0x%llx%s",
                 kinds[turn->op].name, types[turn->type].suffix, pe->n, i, pe->me, (unsigned long long)first,
                 (unsigned long long)expected[0], out_size > 8 ? " (the first 8 bytes)" : "");
    }
}

/* ---- a turn ------------------------------------------------------------------------------------------ */

/* Add what this PE has used so far, or subtract it. */
static void use(struct bench_reply *reply, int sign) {
    struct rusage usage;
    struct timespec t;
    getrusage(RUSAGE_THREAD, &usage);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    reply->switches += sign * (usage.ru_nvcsw + usage.ru_nivcsw);
    reply->processor += sign * ((int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
}

/* Time `batches` times `repeat` operations, after two that are not timed. One look at the clock separates two
 * batches, so nothing falls between them. */
static void run(struct pe *pe, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    bench_run *run = bench_side.run[turn->op][turn->type];
    size_t in_size = (size_t)types[turn->type].size, out_size = result_size(turn, pe->n);
    struct bench_work work = {.me = pe->me, .n = pe->n, .count = 1, .answer = pe->n > 1 ? 1 : -1};
    int done = 0;
    for (int i = 0; i < BENCH_WARM_UP; i++, done++) {
        work.in = (const char *)pe->in + (size_t)done * in_size;
        work.out = (char *)pe->out + (size_t)done * out_size;
        work.who = pe->who + done;
        reply->entered[i] = now();
        run(&work);
        reply->left[i] = now();
    }
    work.count = turn->repeat;
    use(reply, -1);
    int64_t before = now();
    for (int b = 0; b < turn->batches; b++, done += turn->repeat) {
        work.in = (const char *)pe->in + (size_t)done * in_size;
        work.out = (char *)pe->out + (size_t)done * out_size;
        work.who = pe->who + done;
        work.answer = pe->n > 1 ? 1 + b % (pe->n - 1) : -1;
        run(&work);
        int64_t after = now();
        pe->ns[b] = (double)(after - before) / turn->repeat;
        before = after;
    }
    use(reply, 1);
}

/* The others wait for the last PE in every operation. */
static void run_late(struct pe *pe, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    bool last = pe->me == pe->n - 1;
    struct timespec pause = {.tv_sec = turn->late / 1000000000, .tv_nsec = turn->late % 1000000000};
    struct bench_work work = {.me = pe->me, .n = pe->n, .count = 1, .late = true};
    use(reply, -1);
    for (int b = 0; b < turn->batches; b++) {
        if (last)
            nanosleep(&pause, NULL);
        int64_t entered = now();
        bench_side.run[turn->op][turn->type](&work);
        pe->ns[b] = (double)((last ? entered : now()) - turn->epoch);
    }
    use(reply, 1);
}

static bool receive(int socket, void *data, size_t size) {
    for (size_t at = 0; at < size;) {
        ssize_t got = read(socket, (char *)data + at, size - at);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

static void transmit(int socket, const void *data, size_t size) {
    for (size_t at = 0; at < size;) {
        ssize_t put = send(socket, (const char *)data + at, size - at, MSG_NOSIGNAL);
        if (put <= 0)
            _exit(1); /* the driver has gone */
        at += (size_t)put;
    }
}

static void take_turn(struct pe *pe) {
    const struct bench_turn *turn = &pe->turn;
    int operations = BENCH_WARM_UP + turn->batches * turn->repeat;
    size_t in_size = (size_t)types[turn->type].size;
    for (int i = 0; i < operations; i++) {
        make_input(turn, pe->n, i, pe->me, (char *)pe->in + (size_t)i * in_size);
        pe->who[i] = source(pe->me, pe->n, i);
    }
    /* no result of an earlier turn may pass for one of this */
    memset(pe->out, 0xa5, (size_t)operations * result_size(turn, pe->n));
    struct bench_reply reply = {0};
    if (turn->late) {
        run_late(pe, &reply);
    } else {
        run(pe, &reply);
        check(pe, operations, &reply);
    }
    reply.batches = kinds[turn->op].timing == BENCH_ROOT && pe->me ? 0 : turn->batches;
    transmit(pe->socket, &reply, sizeof reply);
    transmit(pe->socket, pe->ns, (size_t)reply.batches * sizeof *pe->ns);
}

/* ---- a PE's life ------------------------------------------------------------------------------------- */

static int join(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(socket_name);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(address.sun_path + 1, socket_name, length); /* byte 0: the name is abstract, not a file */
    if (s < 0 || connect(s, (struct sockaddr *)&address,
                         (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length))) {
        perror("bench worker: cannot reach unisono bench");
        _exit(1);
    }
    return s;
}

static void say_hello(struct pe *pe) {
    struct bench_hello hello = {.magic = BENCH_HELLO, .side = side_number, .me = pe->me, .n = pe->n};
    bench_side.label(hello.label);
    for (int op = 0; op < BENCH_OPS; op++)
        for (int type = 0; type < BENCH_TYPE_COUNT; type++)
            if (bench_side.run[op][type])
                hello.support[op][type] =
                    bench_side.equivalent && bench_side.equivalent[op] ? BENCH_EQUIVALENT : BENCH_DIRECT;
    transmit(pe->socket, &hello, sizeof hello);
}

/* PEs are dealt out to the processors, on every side alike. Turns are too short for the kernel to spread PEs
 * that it woke on one processor, and then a side's time would depend on how many it did. */
static void bind_to_processor(int me) {
    cpu_set_t allowed, mine;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        return;
    int processor = 0;
    for (int k = -1;; processor++)
        if (CPU_ISSET(processor, &allowed) && ++k == me % CPU_COUNT(&allowed))
            break;
    CPU_ZERO(&mine);
    CPU_SET(processor, &mine);
    sched_setaffinity(0, sizeof mine, &mine);
}

static int body(int me, int n) {
    bind_to_processor(me);
    struct pe *pe = malloc(sizeof *pe);
    if (!pe) {
        fprintf(stderr, "bench worker: out of memory\n");
        _exit(1);
    }
    memset(pe, 0, sizeof *pe); /* every page is there before the first turn */
    pe->me = me;
    pe->n = n;
    pe->socket = join();
    say_hello(pe);
    for (;;) {
        if (!receive(pe->socket, &pe->turn, sizeof pe->turn))
            _exit(0); /* the driver has gone: others may wait for this PE, so no orderly end */
        if (pe->turn.batches == 0)
            break;
        take_turn(pe);
    }
    if (bench_side.end)
        bench_side.end();
    close(pe->socket);
    free(pe);
    return 0;
}

int main(int argc, char **argv) {
    int n = argc == 6 ? atoi(argv[3]) : 0;
    if (n < 1 || n > BENCH_MAX_PES || strlen(argv[1]) >= sizeof((struct sockaddr_un){0}).sun_path) {
        fprintf(stderr, "bench worker: this program is started by `unisono bench`\n");
        return 2;
    }
    socket_name = argv[1];
    side_number = atoi(argv[2]);
    /* A launcher that dies takes its workers along, also those that wait for one another. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return bench_side.start(n, strcmp(argv[4], "thread") == 0, atoi(argv[5]), body);
}
