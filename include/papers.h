/* papers.h - synchronized aggregate communication: the PAPERS library.
 *
 * Processing elements (PEs: processes, or threads) run freely until they meet. One operation is one barrier
 * over the current group, and its result is a function of the values of all members. Names and meanings are
 * those of H. G. Dietz, T. M. Chung and T. I. Mattox, "A Parallel Processing Support Library Based On
 * Synchronized Aggregate Communication", Purdue University, 1995.
 *
 *     int main(void)
 *     {
 *         p_init();
 *         int32_t sum = p_reduceAdd32(p_iproc());
 *         if (p_iproc() == 0)
 *             printf("%d PEs, sum of their numbers %d\n", p_nproc(), (int)sum);
 *         return p_exit(0);
 *     }
 *
 *     cc hello.c $(pkg-config --cflags --libs unisono) && unisono run -n 4 ./a.out
 *
 * Unless a comment says otherwise, every PE of the current group must call a function below, with the same
 * type and group; the call blocks until all of them have called, and no PE returns before every member has
 * called. A program that breaks this rule (PE 0 in p_wait, PE 1 in p_any) ends at once with a message that
 * names both. So does a program in which a PE waits for one that was killed or has left. An error ends the
 * whole job: message on standard error, exit status 1. A message names the PE by its number, counted from 0.
 *
 * Results that the paper leaves open are defined here: integers wrap; floating-point values are combined in
 * PE order, so a result has the same bits in every run.
 *
 * The suffix tells the type (Table 1 of the paper; papers/types.def). In C11 and C++ the name without it
 * picks the function by the type of its argument: p_reduceAdd(x). See papers/generic.h. */

#ifndef PAPERS_H
#define PAPERS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The paper's type names, for source that uses them (Table 1). */
typedef unsigned int uint1;
typedef int8_t int8;
typedef uint8_t uint8;
typedef int16_t int16;
typedef uint16_t uint16;
typedef int32_t int32;
typedef uint32_t uint32;
typedef int64_t int64;
typedef uint64_t uint64;
typedef float f32;
typedef double f64;

#include <papers/types.def>

/* ---- session ---------------------------------------------------------------------------------------------
 * None of these synchronizes. */

/* Check in. Every PE calls this once, before any other function of the library. A program that was started
 * without `unisono run` is a job of one PE, and everything works. Returns 0. */
int p_init(void);

/* Check out; the process goes on without the library. A PE that waits for this one afterwards ends with an
 * error. Returns e, so that `return p_exit(0);` ends a program. */
int p_exit(int e);

/* Print the message with this PE's number, and end the whole job with exit status 1. Any PE may call this at
 * any time. */
void p_error(const char *message) __attribute__((noreturn));

/* Make this PE call function(message) when an error would end it, instead of printing the message: for
 * languages with exceptions. The function must not return: it leaves by longjmp, or ends the thread or
 * process. The job has failed: other PEs end, or call their own functions, when they come to wait for this
 * one, and this PE must call no function of the library any more. If the function returns, or on a second
 * error, the job ends as it does without a function. NULL: no function. */
void p_onError(void (*function)(const char *message));

/* Make this PE call function(ns) while it waits; ns is how long it has waited so far. This is for languages
 * whose interpreter has a lock, or runs signal handlers at a time of its own. The function is called with 0
 * when a wait begins to take longer than some microseconds, then once the wait has taken 20 ms, and at least
 * every 100 ms after that; a signal ends a sleep, so the next call may come sooner. It may do anything but
 * call the library; of the library it may call p_error alone. NULL: no function. */
void p_onWait(void (*function)(uint64_t ns));

/* Raise a parallel interrupt. It is for all PEs of the job, whatever their groups, except those that have
 * left. Each PE takes part in the operation that it is in or, at the latest, in the first that it begins
 * afterwards: it waits there until all other PEs take part, and then calls its handler (p_onInterrupt) before
 * that operation returns. Interrupts that several PEs raise before all take part are one interrupt; a later
 * one is another, and none is lost. The call itself does not wait. An interrupt is a barrier of all PEs: a PE
 * that calls no further operation, and does not leave, keeps the others waiting. */
void p_interrupt(void);

/* Make this PE call handler(cause) in every interrupt from now on; cause is a mask, wide (below), of the PEs
 * that raised it. The handler runs within an operation, so it must not call one, which would be an error, and
 * must not wait; it may call p_interrupt, p_iproc and p_nproc. NULL: the PE takes part and calls nothing, as
 * before the first call. */
void p_onInterrupt(void (*handler)(const uint64_t *cause));

/* Run function(argument) on n PEs (1 to 16384) that are threads of this process, each with its own number.
 * The function does not call p_init and p_exit. Only a thread that is no PE may call this, before p_init or
 * after p_exit. Returns the greatest of the n results, once all have returned. */
int p_team(int n, int (*function)(void *), void *argument);

/* Return this PE's number, 0 to p_nproc() - 1; and the number of PEs in the job. Local: they do not
 * communicate. */
int p_iproc(void);
int p_nproc(void);

/* The paper's names for these numbers, and for barrier masks of this PE and of all PEs. */
#define IPROC p_iproc()
#define NPROC p_nproc()
#define OUR_MASK ((uint64_t)1 << p_iproc())
#define ALL_MASK (~(uint64_t)0 >> (p_nproc() < 64 ? 64 - p_nproc() : 0))

/* ---- low level -------------------------------------------------------------------------------------------
 * A barrier mask has bit k set where PE k is a member. Disjoint groups work at the same time; groups may
 * overlap, nest and change at every step. The first group is all PEs. */

/* Make mask the current group of this PE. Local: it does not communicate. The mask must contain this PE, and
 * only PEs that exist. */
void p_enqueue(uint64_t mask);

/* A barrier: wait until every member of the group has called it. */
void p_wait(void);

/* Return the mask of the members whose f is not 0. */
uint64_t p_waitvec(int f);

/* Return 1 if any (p_any) or every (p_all) member's f is not 0, otherwise 0. */
int p_any(int f);
int p_all(int f);

/* ---- functions on data -----------------------------------------------------------------------------------
 * From here on T stands for a suffix, and `type` for its C type: type p_reduceAddT(type d) is
 * int32_t p_reduceAdd32(int32_t d), double p_reduceAddd(double d), and so on. */

/* ---- any pattern -----------------------------------------------------------------------------------------
 *
 *     type p_putgetT(type d, int s)        return the d of PE s, a member (it may be this PE)
 *     void p_gatherT(type *p, type d)      p[k] = d of PE k for every member k; p has p_nproc() entries,
 *                                          others are left alone */

/* ---- reductions ------------------------------------------------------------------------------------------
 * Every member receives the same function of all d, combined in PE order.
 *
 *     type p_reduceAddT(type d)            sum
 *     type p_reduceMulT(type d)            product
 *     type p_reduceMinT(type d)            minimum: a NaN wins (the first in PE order), -0 is less than +0
 *     type p_reduceMaxT(type d)            maximum, by the same rules
 *     type p_reduceAndT(type d)            bitwise AND; integer types only
 *     type p_reduceOrT(type d)             bitwise OR; integer types only */

/* ---- broadcast -------------------------------------------------------------------------------------------
 * One member calls Put, all others call Get and receive its d. If none or several put, it is an error that
 * names them.
 *
 *     void p_bcastPutT(type d)
 *     type p_bcastGetT(void) */

/* ---- scans -----------------------------------------------------------------------------------------------
 * As the reductions, over the members up to and including this PE.
 *
 *     type p_scanAddT(type d)              and p_scanMulT, p_scanMinT, p_scanMaxT
 *     type p_scanAndT(type d)              and p_scanOrT; integer types only
 *     int p_rankT(type d)                  how many members come before this PE when all are ordered by d,
 *                                          equal values (-0 and +0 too) by PE number, NaN after every number
 */

/* ---- group properties ------------------------------------------------------------------------------------
 * Local to this PE: they do not communicate. They return the number of members; the number of members before
 * this PE; the lowest member; some member, the same at every member (today the lowest). */
int p_population(void);
int p_enumerate(void);
int p_selectFirst(void);
int p_selectOne(void);

/* ---- scheduling ------------------------------------------------------------------------------------------
 * Each member votes for PE v (0 to p_nproc() - 1). They return the mask of the members that voted for this
 * PE; and the number of those members. */
uint64_t p_vote(int v);
int p_voteCount(int v);

/* Find the members whose d equals this PE's (this PE included; NaN equals NaN, -0 equals +0).
 *
 *     uint64_t p_matchT(type d)            return their mask
 *     int p_matchCountT(type d)            return their number */

/* ---- narrow forms ----------------------------------------------------------------------------------------
 * Every function on data has a Bits form for the unsigned types, with one more parameter at the end:
 *
 *     type p_reduceAddBitsT(type d, int bits)
 *
 * It works on the low `bits` bits of d: results are modulo 2^bits. All members must pass the same bits, from
 * 1 to the width of the type; anything else is an error. */

/* ---- wide masks ------------------------------------------------------------------------------------------
 * A job may have up to 16,384 PEs, and a plain mask names the first 64. The functions that take or return a
 * mask have a form with an array: PE k is bit k % 64 of word k / 64, and there are (p_nproc() + 63) / 64
 * words. Both forms of p_enqueue make groups that every other function works on; a plain p_waitvec, p_vote
 * or p_match in a group with a member beyond 63 is an error.
 *
 *     void p_matchWideT(uint64_t *mask, type d) */
void p_enqueueWide(const uint64_t *mask);
void p_waitvecWide(uint64_t *mask, int f);
void p_voteWide(uint64_t *mask, int v);

/* ---- the declarations of the functions on data ------------------------------------------------------- */
#include <papers/functions.def>

#define PAPERS_DECLARE(result, name, suffix, parameters, arguments) result name##suffix parameters;
#define PAPERS_PLAIN(name, shape, combine, type, suffix) PAPERS_##shape(PAPERS_DECLARE, name, type, suffix)
#define PAPERS_NARROW(name, shape, combine, type, suffix)                                                    \
    PAPERS_##shape##_BITS(PAPERS_DECLARE, name, type, suffix)

#define PAPERS_ROW(suffix, type, width) PAPERS_FUNCTIONS_ALL(PAPERS_PLAIN, type, suffix)
PAPERS_ALL(PAPERS_ROW)
#undef PAPERS_ROW
#define PAPERS_ROW(suffix, type, width) PAPERS_FUNCTIONS_INTEGER(PAPERS_PLAIN, type, suffix)
PAPERS_INTEGER(PAPERS_ROW)
#undef PAPERS_ROW
#define PAPERS_ROW(suffix, type, width)                                                                      \
    PAPERS_FUNCTIONS_ALL(PAPERS_NARROW, type, suffix)                                                        \
    PAPERS_FUNCTIONS_INTEGER(PAPERS_NARROW, type, suffix)
PAPERS_UNSIGNED(PAPERS_ROW)
#undef PAPERS_ROW
#undef PAPERS_DECLARE
#undef PAPERS_PLAIN
#undef PAPERS_NARROW

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include <papers/generic.h>

#endif
