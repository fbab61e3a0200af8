/* The engine of every side: wait for a turn, make fresh data, time the operations, check every result, reply.
 *
 *     worker SOCKET SIDE N shm|thread PROCESSORS
 *
 * SOCKET is the name of the driver's abstract Unix socket. Started by `unisono bench` alone. */

#define _GNU_SOURCE
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

#include "blocks.h"
#include "field.h"
#include "integral.h"
#include "kinds.h"
#include "messages.h"
#include "permutations.h"
#include "picture.h"
#include "product.h"
#include "sides/side.h"
#include "values.h"

/* The values of the command line; read only once the PEs run. */
static const char *socket_name;
static int side_number;

/* The preparation and the check, by the kind of result. */
static const struct subject {
    void (*prepare)(struct bench_pe *pe, int operations);
    void (*check)(const struct bench_pe *pe, int operations, struct bench_reply *reply);
} subjects[] = {
    [BENCH_NOTHING] = {bench_values_prepare, bench_values_check},
    [BENCH_NUMBER] = {bench_values_prepare, bench_values_check},
    [BENCH_MASK] = {bench_values_prepare, bench_values_check},
    [BENCH_VALUE] = {bench_values_prepare, bench_values_check},
    [BENCH_ARRAY] = {bench_values_prepare, bench_values_check},
    [BENCH_MESSAGE] = {bench_messages_prepare, bench_messages_check},
    [BENCH_BLOCKS] = {bench_blocks_prepare, bench_blocks_check},
    [BENCH_ELEMENTS] = {bench_permutations_prepare, bench_permutations_check},
    [BENCH_PICTURE] = {bench_picture_prepare, bench_picture_check},
    [BENCH_FIELD] = {bench_field_prepare, bench_field_check},
    [BENCH_PRODUCT] = {bench_product_prepare, bench_product_check},
    [BENCH_INTEGRAL] = {bench_integral_prepare, bench_integral_check},
};

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- a turn ------------------------------------------------------------------------------------------ */

/* Add the PE's resource use so far, or subtract it. */
static void use(struct bench_reply *reply, int sign) {
    struct rusage usage;
    struct timespec t;
    getrusage(RUSAGE_THREAD, &usage);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    reply->switches += sign * (usage.ru_nvcsw + usage.ru_nivcsw);
    reply->processor += sign * ((int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
}

/* Return the next `count` operations of the turn, after `done` ones. */
static struct bench_work next(const struct bench_pe *pe, int done, int count) {
    int all = BENCH_WARM_UP + pe->turn.batches * pe->turn.repeat;
    return (struct bench_work){.me = pe->me,
                               .n = pe->n,
                               .count = count,
                               .in = (const char *)pe->in + (size_t)done * pe->in_step,
                               .out = (char *)pe->out + (size_t)done * pe->out_step,
                               .who = pe->who + done,
                               .answer = pe->n > 1 ? 1 : -1,
                               .bytes = pe->turn.bytes,
                               .before = done,
                               .after = all - done - count,
                               .index = pe->index,
                               .field = &pe->field,
                               .product = &pe->product,
                               .part = pe->part};
}

/* Time `batches` times `repeat` operations, after two untimed ones. One look at the clock separates two
 * batches, so that no time is lost between them. */
static void run(struct bench_pe *pe, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    bench_run *run = bench_side.run[turn->op][turn->type];
    int done = 0;
    for (int i = 0; i < BENCH_WARM_UP; i++, done++) {
        struct bench_work work = next(pe, done, 1);
        reply->entered[i] = now();
        run(&work);
        reply->left[i] = now();
    }
    use(reply, -1);
    int64_t before = now();
    for (int b = 0; b < turn->batches; b++, done += turn->repeat) {
        struct bench_work work = next(pe, done, turn->repeat);
        work.answer = pe->n > 1 ? 1 + b % (pe->n - 1) : -1;
        run(&work);
        int64_t after = now();
        pe->ns[b] = (double)(after - before) / turn->repeat;
        before = after;
    }
    use(reply, 1);
}

/* Run a turn in which the other PEs wait for the last PE in every operation. */
static void run_late(struct bench_pe *pe, struct bench_reply *reply) {
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

static void take_turn(struct bench_pe *pe) {
    const struct bench_turn *turn = &pe->turn;
    const struct bench_kind *kind = &bench_kinds[turn->op];
    const struct subject *subject = &subjects[kind->result];
    int operations = BENCH_WARM_UP + turn->batches * turn->repeat;
    struct bench_reply reply = {0};
    subject->prepare(pe, operations);
    if (turn->late) {
        run_late(pe, &reply);
    } else {
        run(pe, &reply);
        subject->check(pe, operations, &reply);
    }
    bool timed = pe->me == 0 || (kind->timing != BENCH_ROOT && kind->timing != BENCH_FIRST);
    reply.batches = timed ? turn->batches : 0;
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

static void say_hello(struct bench_pe *pe) {
    struct bench_hello hello = {.magic = BENCH_HELLO, .side = side_number, .me = pe->me, .n = pe->n};
    bench_side.label(hello.label);
    for (int op = 0; op < BENCH_KINDS; op++)
        for (int type = 0; type < BENCH_TYPE_COUNT; type++)
            if (bench_side.run[op][type])
                hello.support[op][type] =
                    bench_side.equivalent && bench_side.equivalent[op] ? BENCH_EQUIVALENT : BENCH_DIRECT;
    transmit(pe->socket, &hello, sizeof hello);
}

/* Deal the PEs out to the processors, the same way on every side. Turns are too short for the kernel to
 * spread PEs that it woke on one processor, and then a side's time would depend on how many it did. */
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
    struct bench_pe *pe = malloc(sizeof *pe);
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
