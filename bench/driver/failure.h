/* unisono bench: how a run ends early. */

#ifndef BENCH_DRIVER_FAILURE_H
#define BENCH_DRIVER_FAILURE_H

/* SIGINT, SIGTERM or UNO_GUARD_GONE came: the number, or 0. */
extern volatile int bench_interrupted;

/* Note those signals in bench_interrupted from now on. */
void bench_catch_signals(void);

/* This process is a part of the measurement: when it is interrupted, another one says so. */
void bench_fail_quietly(void);

/* The command, with which messages begin: "unisono bench vertex". */
extern const char *bench_name;

/* Print one line "NAME: ..." and end, after the functions registered for the end; exit status 1, or 128 + the
 * number of the signal that interrupted. */
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The command line is wrong: print one line; exit status 2. */
_Noreturn void bench_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
