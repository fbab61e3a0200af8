#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct test test = {.seed = 1, .operations = 1000};

static _Noreturn void usage(const char *program) {
    fprintf(stderr, "usage: %s [--team N] [--seed S|time] [--operations K] [word]\n", program);
    exit(TEST_FAILED);
}

static double share(void) {
    const char *text = getenv("UNISONO_TEST_SHARE");
    return text ? atof(text) : 1;
}

static void parse(int argc, char **argv) {
    test.program = argv[0];
    for (int i = 1; i < argc; i++) {
        bool option = strncmp(argv[i], "--", 2) == 0;
        const char *value = option && i + 1 < argc ? argv[i + 1] : NULL;
        if (!option && !test.word)
            test.word = argv[i];
        else if (!value)
            usage(argv[0]);
        else if (strcmp(argv[i], "--team") == 0)
            test.team = atoi(argv[++i]);
        else if (strcmp(argv[i], "--operations") == 0)
            test.operations = (long)(atof(argv[++i]) * share());
        else if (strcmp(argv[i], "--seed") == 0 && !(test.seed_random = strcmp(argv[++i], "time") == 0))
            test.seed = strtoull(argv[i], NULL, 0);
        else if (!test.seed_random)
            usage(argv[0]);
    }
}

int test_run(int argc, char **argv, int (*body)(void *)) {
    parse(argc, argv);
    if (test.team)
        return p_team(test.team, body, NULL);
    p_init();
    return p_exit(body(NULL));
}

uint64_t test_seed(void) {
    if (!test.seed_random)
        return test.seed;
    if (p_iproc() > 0)
        return p_bcastGet64u();
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t seed = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
    p_bcastPut64u(seed);
    return seed;
}

/* Return the members whose processes have this one's parent, or another one. UNISONO_TEST_APART: each PE
 * counts as if it had a parent of its own, since it shares no memory with others on its machine. */
static uint64_t members(bool near) {
    uint32_t own = (uint32_t)(getenv("UNISONO_TEST_APART") ? getpid() : getppid()),
             parent[TEST_MAX_PES] = {0};
    uint64_t mask = 0;
    p_gather32u(parent, own);
    for (int k = 0; k < p_nproc() && k < 64; k++)
        if (parent[k])
            mask |= (uint64_t)((parent[k] == own) == near) << k;
    return mask;
}

uint64_t test_near(void) {
    return members(true);
}

bool test_apart(void) {
    return members(false) != 0;
}

void test_skips(const char *what) {
    if (p_enumerate() == 0)
        printf("skipped: %s, for the members of a group are on several machines\n", what);
}

void test_fail(const char *format, ...) {
    char text[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    p_error(text);
}

double test_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void test_sleep(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&t, &t))
        ;
}
