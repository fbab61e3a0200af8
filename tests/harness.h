/* Helpers of every test program: the start of its PEs, replayable random numbers, reports of failures.
 *
 *     static int body(void *unused) { ... CHECK(p_population() == p_nproc()); return 0; }
 *     int main(int argc, char **argv) { return test_run(argc, argv, body); }
 *
 * The program's PEs are the processes of a launcher (`unisono run -n 4 program`) or, with `--team 4`,
 * threads. Exit status: 0 passed, 1 failed, 77 skipped. */

#ifndef TEST_HARNESS_H
#define TEST_HARNESS_H

#include <papers.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "rng.h"

enum { TEST_PASSED = 0, TEST_FAILED = 1, TEST_SKIPPED = 77, TEST_MAX_PES = 1024, TEST_WORDS = 16 };

/* Under a sanitizer everything is slower, and bounds on time are this many times wider. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { TEST_SLOW = 10 };
#else
enum { TEST_SLOW = 1 };
#endif

/* The settings of the command line; the same for every PE, and constant while PEs run. */
struct test {
    const char *program;
    int team;         /* --team N: PEs are threads; 0 if they are processes */
    uint64_t seed;    /* --seed S */
    bool seed_random; /* --seed time: body must call test_seed */
    long operations;  /* --operations K, times UNISONO_TEST_SHARE of the environment */
    const char *word; /* the one argument that is not an option, or NULL */
};
extern struct test test;

/* Run body as this process's PE, or as a team. Returns the exit status. */
int test_run(int argc, char **argv, int (*body)(void *));

/* The seed that all PEs use: with `--seed time` PE 0 draws one and broadcasts it. Every PE calls it. */
uint64_t test_seed(void);

/* The members of the current group that are on this PE's machine, or what stands for one: PEs have the same
 * parent process there. Every member calls it. */
uint64_t test_near(void);

/* Return true if the current group has members on several machines. Every member calls it. */
bool test_apart(void);

/* Say, by the lowest member, that a part of the test is skipped since they are. */
void test_skips(const char *what);

/* End the job: the test has failed. Without more words than fit in one line of an error message. */
void test_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            test_fail("%s:%d: %s does not hold", __FILE__, __LINE__, #condition);                            \
    } while (0)

#define CHECK_INT(expected, received)                                                                        \
    do {                                                                                                     \
        long long test_e = (expected), test_r = (received);                                                  \
        if (test_e != test_r)                                                                                \
            test_fail("%s:%d: %s: expected %lld, received %lld", __FILE__, __LINE__, #received, test_e,      \
                      test_r);                                                                               \
    } while (0)

/* CLOCK_MONOTONIC in seconds, and a sleep that signals do not shorten. */
double test_now(void);
void test_sleep(double seconds);

#endif
