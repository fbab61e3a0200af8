#define _GNU_SOURCE
#include "random.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* If several threads walk, communicators are made before, in so many steps: Open MPI 5.0 crashes when two
 * threads make some at once. */
enum { MAX_THREADS = 8, SETTLING = 100 };

struct options options = {.seed = 1, .operations = 300, .threads = 1};

static void describe(const struct plan *p, char *text, size_t size) {
    const struct circle *c = p->circle;
    const char *form = p->large && p->what != Barrier ? "_c" : "";
    size_t used =
        (size_t)snprintf(text, size, "%s%s, %ld x %s%s%s, root %d%s%s, sent as %s, received as %s, on %s {",
                         collective_names[p->what], form, p->elements, p->basic->name,
                         p->operation == OPERATION_COUNT ? "" : ", ", operation_name(p->operation), p->root,
                         p->root_side ? " of the other group" : "", p->in_place ? ", in place" : "",
                         p->send.layout.own ? p->send.layout.kind : "it is",
                         p->receive.layout.own ? p->receive.layout.kind : "it is", c->how);
    for (int side = 0; side <= c->inter; side++)
        for (int i = 0; i < c->size[side] && used + 16 < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%d",
                                     i      ? ","
                                     : side ? " | "
                                            : "",
                                     c->member[side][i]);
    if (used + 4 < size)
        strcpy(text + used, "}: ");
}

void fail(const struct walk *w, const char *format, ...) {
    char text[800], what[800] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (w->plan)
        describe(w->plan, what, sizeof what);
    printf("random: rank %d, step %ld: %s%s\n"
           "random: replay: mpirun -n %d %s --seed %llu --operations %ld --threads %d%s%s%s%s\n",
           w->me, w->step, what, text, w->n, options.program, (unsigned long long)options.seed,
           options.operations, options.threads, options.rank_order ? " --rank-order" : "",
           options.alike ? " --alike" : "", options.two_sided ? " --two-sided" : "",
           options.accelerated ? " --accelerated" : "");
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* The calling thread's, for what MPI tells by its error handler. */
static _Thread_local struct walk *present;

static void on_error(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(*code, text, &length);
    fail(present, "%s", text);
}

/* A pause now and then, so that ranks arrive in any order. */
static void pace(const struct walk *w) {
    struct rng r = rng_step(w, (uint64_t)w->me, PACE);
    int kind = rng_below(&r, 256);
    struct timespec t = {0, 1000 * rng_below(&r, 3000)};
    if (kind == 0)
        nanosleep(&t, NULL);
    else if (kind < 32)
        sched_yield();
}

/* Return how many operations the accelerator counts in this process. */
static uint64_t accelerated(void) {
    static uint64_t (*count)(void);
    if (!count)
        *(void **)&count = dlsym(RTLD_DEFAULT, "unisono_mpi_operations");
    return count ? count() : 0;
}

/* Return that count, if it can be attributed to single calls: with one thread. */
static uint64_t accelerated_so_far(void) {
    return options.threads == 1 ? accelerated() : 0;
}

static void meet(struct walk *w, const struct circle *c) {
    struct plan p;
    plan_draw(&p, w, c);
    w->plan = &p;
    plan_sides(&p);
    check_fill(&p);
    uint64_t before = accelerated_so_far();
    call_collective(&p);
    w->accelerated[p.what] += accelerated_so_far() != before;
    check_compare(&p);
    plan_free(&p);
    w->plan = NULL;
    w->done[p.what]++;
    w->calls++;
}

static void start(struct walk *w, int thread) {
    MPI_Errhandler handler;
    present = w;
    w->seed = options.seed + (uint64_t)thread * UINT64_C(0x100000001);
    MPI_Comm_dup(MPI_COMM_WORLD, &w->base);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(w->base, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_rank(w->base, &w->me);
    MPI_Comm_size(w->base, &w->n);
    comms_start(w);
    beside_start(w);
    for (w->step = -SETTLING; options.threads > 1 && w->step < 0; w->step++)
        comms_step(w);
}

static void walk(struct walk *w) {
    present = w;
    for (w->step = 1; w->step <= options.operations; w->step++) {
        if (options.threads == 1)
            comms_step(w);
        beside_step(w);
        pace(w);
        struct rng r = rng_step(w, 2, STEP);
        const struct circle *c;
        do
            c = &w->circle[rng_below(&r, MAX_COMMS)];
        while (!c->alive);
        if (c->side >= 0)
            meet(w, c);
    }
    beside_complete(w, -1);
}

static void stop(struct walk *w) {
    present = w;
    beside_stop(w);
    comms_stop(w);
}

/* Check, in a long walk, that every collective was called, and accelerated where all sizes should be:
 * MPI_Alltoallw is the host's. */
static void report(const struct walk *w, int thread) {
    const char *sizes = getenv("UNISONO_MPI_TUNE");
    bool every = options.accelerated && sizes && strcmp(sizes, "all") == 0 && options.threads == 1;
    long own[3] = {w->calls, w->errands, w->made}, all[3], done[COLLECTIVE_COUNT], faster[COLLECTIVE_COUNT];
    MPI_Reduce(own, all, 3, MPI_LONG, MPI_SUM, 0, w->base);
    MPI_Reduce(w->done, done, COLLECTIVE_COUNT, MPI_LONG, MPI_SUM, 0, w->base);
    MPI_Reduce(w->accelerated, faster, COLLECTIVE_COUNT, MPI_LONG, MPI_SUM, 0, w->base);
    if (w->me > 0)
        return;
    printf("random: %d ranks, seed %llu, thread %d: %ld steps, %ld calls of collectives, %ld messages "
           "beside, %ld "
           "communicators, all as expected\n",
           w->n, (unsigned long long)options.seed, thread, options.operations, all[0], all[1], w->made);
    for (int i = 0; i < COLLECTIVE_COUNT && options.operations >= 300 && !options.only && w->n > 1; i++)
        if (done[i] == 0)
            fail(w, "%s was never called", collective_names[i]);
        else if (every && i != Alltoallw && faster[i] == 0)
            fail(w, "%s was never accelerated", collective_names[i]);
}

static void *run(void *walk_of_thread) {
    walk(walk_of_thread);
    return NULL;
}

static void usage(FILE *out) {
    fprintf(out,
            "usage: %s [--seed S] [--operations K] [--threads T] [--rank-order] [--alike] [--two-sided] "
            "[--accelerated] "
            "[--only Allreduce] "
            "[--churn K]\n",
            options.program);
}

static long number(const char *text, long low, long high) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 0);
    if (*end || end == text || errno || value < low || value > high) {
        fprintf(stderr, "random: %s is no number from %ld to %ld\n", text, low, high);
        exit(2);
    }
    return value;
}

static void parse(int argc, char **argv) {
    static const struct option rows[] = {
        {"seed", required_argument, NULL, 's'},    {"operations", required_argument, NULL, 'o'},
        {"threads", required_argument, NULL, 't'}, {"churn", required_argument, NULL, 'c'},
        {"only", required_argument, NULL, 'n'},    {"rank-order", no_argument, NULL, 'r'},
        {"alike", no_argument, NULL, 'a'},         {"two-sided", no_argument, NULL, '2'},
        {"accelerated", no_argument, NULL, 'A'},   {0}};
    options.program = argv[0];
    for (int option; (option = getopt_long(argc, argv, "", rows, NULL)) != -1;)
        switch (option) {
        case 's':
            options.seed = (uint64_t)number(optarg, 0, INT64_MAX);
            break;
        case 'o':
            options.operations = number(optarg, 1, INT32_MAX);
            break;
        case 't':
            options.threads = (int)number(optarg, 1, MAX_THREADS);
            break;
        case 'c':
            options.churn = number(optarg, 1, INT32_MAX);
            break;
        case 'n':
            options.only = optarg;
            break;
        case 'r':
            options.rank_order = true;
            break;
        case 'a':
            options.alike = true;
            break;
        case '2':
            options.two_sided = true;
            break;
        case 'A':
            options.accelerated = true;
            break;
        default:
            usage(stderr);
            exit(2);
        }
}

static void run_threads(void) {
    pthread_t thread[MAX_THREADS];
    struct walk *walks = calloc((size_t)options.threads, sizeof *walks);
    if (!walks)
        exit(1);
    for (int t = 0; t < options.threads; t++)
        start(&walks[t], t);
    for (int t = 1; t < options.threads; t++)
        if (pthread_create(&thread[t], NULL, run, &walks[t]) != 0) {
            perror("random: pthread_create");
            exit(1);
        }
    walk(&walks[0]);
    for (int t = 1; t < options.threads; t++)
        pthread_join(thread[t], NULL);
    for (int t = 0; t < options.threads; t++) {
        stop(&walks[t]);
        report(&walks[t], t);
        MPI_Comm_free(&walks[t].base);
    }
    free(walks);
}

/* A run in which nothing was accelerated has shown nothing. */
static bool was_used(int me) {
    uint64_t operations = accelerated();
    if (!operations)
        printf("random: rank %d: nothing was accelerated\n", me);
    else if (me == 0)
        printf("random: rank 0 was in %llu operations of the accelerator\n", (unsigned long long)operations);
    return operations;
}

int main(int argc, char **argv) {
    parse(argc, argv);
    int provided, wanted = options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, me, n;
    if (options.threads > 1)
        MPI_Init_thread(&argc, &argv, wanted, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Query_thread(&provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (provided < wanted || n > MAX_RANKS) {
        if (me == 0)
            printf("random: %s\n", n > MAX_RANKS ? "too many ranks" : "this MPI has no MPI_THREAD_MULTIPLE");
        MPI_Finalize();
        return 77;
    }
    types_start();
    operations_try(me);
    if (options.churn)
        churn(MPI_COMM_WORLD, me, n, options.churn);
    else
        run_threads();
    types_stop();
    bool right = !options.accelerated || was_used(me);
    MPI_Finalize(); /* MPI_Abort may lose the output so far */
    return !right;
}
