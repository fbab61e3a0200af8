/* papers.h - synchronized aggregate communication: the PAPERS library.
 *
 * Processing elements (PEs: processes, or threads) run freely until they meet. One operation is one barrier
 * over the current group, and its result is a function of what every member put in. Names and meanings are
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
 * Unless a comment says otherwise, every function below must be called by every PE of the current group, with
 * the same function, type and group; it blocks until all of them have; and no PE returns before every member
 * has called. A program that breaks this rule (PE 0 in p_wait, PE 1 in p_any) ends at once with a message
 * that names both. So does a PE that waits for one that was killed or has left. An error ends the whole job:
 * message on standard error, exit status 1. A message names the PE by its number, counted from 0.
 *
 * Results that the paper leaves open are defined here: integers wrap; floating-point values are combined in
 * PE order, so a result has the same bits in every run.
 *
 * The suffix tells the type (Table 1 of the paper; types.def). In C11 and C++ the name without it picks the
 * function by the type of its argument: p_reduceAdd(x). See papers/generic.h. */

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

/* Check in. Called once, by every PE, before anything else. A program that was started without
 * `unisono run` is one PE, and everything works. Returns 0. */
int p_init(void);

/* Check out; the process goes on without the library. Whoever waits for this PE afterwards ends with an
 * error. Returns e, so that `return p_exit(0);` ends a program. */
int p_exit(int e);

/* Print the message and end the whole job. */
void p_error(const char *message) __attribute__((noreturn));

/* Run function(argument) on n PEs (1 to 1024) that are threads of this process, each with its own number;
 * p_init and p_exit are not called in it. Not for a PE: call it outside p_init and p_exit. Returns the
 * greatest of the n results, once all have returned. */
int p_team(int n, int (*function)(void *), void *argument);

/* This PE's number, 0 to p_nproc() - 1, and the number of PEs in the job. */
int p_iproc(void);
int p_nproc(void);

/* The same, and barrier masks, by the names that the paper's sources use. */
#define IPROC p_iproc()
#define NPROC p_nproc()
#define OUR_MASK ((uint64_t)1 << p_iproc())
#define ALL_MASK (~(uint64_t)0 >> (p_nproc() < 64 ? 64 - p_nproc() : 0))

/* ---- low level -------------------------------------------------------------------------------------------
 * A barrier mask has bit k set where PE k is a member. Disjoint groups work at the same time; groups may
 * overlap, nest and change at every step. The first group is all PEs. */

/* Make mask the current group of this PE. Communicates nothing. The mask must name this PE, and only PEs that
 * exist. */
void p_enqueue(uint64_t mask);

/* Barrier. */
void p_wait(void);

/* The mask of the members whose f is not 0. */
uint64_t p_waitvec(int f);

/* Whether any, or every, member's f is not 0: 1 or 0. */
int p_any(int f);
int p_all(int f);

/* ---- any pattern -----------------------------------------------------------------------------------------
 * p_putget: put d, return the d of PE s, which must be a member (it may be this PE).
 * p_gather: p[k] = d of PE k for every member k; p has p_nproc() entries, others are left alone. */
#define PAPERS_DECLARE(suffix, type, bits)                                                                   \
    type p_putget##suffix(type d, int s);                                                                    \
    void p_gather##suffix(type *p, type d);
PAPERS_ALL(PAPERS_DECLARE)
#undef PAPERS_DECLARE

/* ---- reductions ------------------------------------------------------------------------------------------
 * Every member receives the sum, product, minimum, maximum, bitwise AND or OR of all d, combined in PE order.
 * Min and Max: a NaN wins (the first in PE order), and -0 is less than +0. */
#define PAPERS_DECLARE(suffix, type, bits)                                                                   \
    type p_reduceAdd##suffix(type d);                                                                        \
    type p_reduceMul##suffix(type d);                                                                        \
    type p_reduceMin##suffix(type d);                                                                        \
    type p_reduceMax##suffix(type d);
PAPERS_ALL(PAPERS_DECLARE)
#undef PAPERS_DECLARE

#define PAPERS_DECLARE(suffix, type, bits)                                                                   \
    type p_reduceAnd##suffix(type d);                                                                        \
    type p_reduceOr##suffix(type d);
PAPERS_INTEGER(PAPERS_DECLARE)
#undef PAPERS_DECLARE

/* ---- broadcast -------------------------------------------------------------------------------------------
 * One member calls p_bcastPut, all others p_bcastGet. None or several that put: an error that names them. */
#define PAPERS_DECLARE(suffix, type, bits)                                                                   \
    void p_bcastPut##suffix(type d);                                                                         \
    type p_bcastGet##suffix(void);
PAPERS_ALL(PAPERS_DECLARE)
#undef PAPERS_DECLARE

/* ---- scans -----------------------------------------------------------------------------------------------
 * As the reductions, over the members up to and including this PE. p_rank: how many members come before this
 * PE when all are ordered by d, equal values (-0 and +0 too) by PE number, NaN after every number. */
#define PAPERS_DECLARE(suffix, type, bits)                                                                   \
    type p_scanAdd##suffix(type d);                                                                          \
    type p_scanMul##suffix(type d);                                                                          \
    type p_scanMin##suffix(type d);                                                                          \
    type p_scanMax##suffix(type d);                                                                          \
    int p_rank##suffix(type d);
PAPERS_ALL(PAPERS_DECLARE)
#undef PAPERS_DECLARE

#define PAPERS_DECLARE(suffix, type, bits)                                                                   \
    type p_scanAnd##suffix(type d);                                                                          \
    type p_scanOr##suffix(type d);
PAPERS_INTEGER(PAPERS_DECLARE)
#undef PAPERS_DECLARE

/* ---- group properties ------------------------------------------------------------------------------------
 * Local to this PE: no communication. The number of members; the number of members before this PE; the lowest
 * member; some member (today the lowest, the same at every member). */
int p_population(void);
int p_enumerate(void);
int p_selectFirst(void);
int p_selectOne(void);

/* ---- scheduling ------------------------------------------------------------------------------------------
 * p_vote: each member votes for PE v (0 to p_nproc() - 1); the mask of the members that voted for this PE.
 * p_match: the mask of the members whose v equals this PE's (its own bit included; NaN equals NaN, -0 equals
 * +0).
 * The Count forms return how many. */
uint64_t p_vote(int v);
int p_voteCount(int v);
#define PAPERS_DECLARE(suffix, type, bits)                                                                   \
    uint64_t p_match##suffix(type v);                                                                        \
    int p_matchCount##suffix(type v);
PAPERS_ALL(PAPERS_DECLARE)
#undef PAPERS_DECLARE

/* ---- narrow forms ----------------------------------------------------------------------------------------
 * The same on the low `bits` bits of d: results are modulo 2^bits. All members must pass the same bits, from
 * 1 to the width of the type; anything else is an error. */
#define PAPERS_DECLARE(suffix, type, width)                                                                  \
    type p_putgetBits##suffix(type d, int s, int bits);                                                      \
    void p_gatherBits##suffix(type *p, type d, int bits);                                                    \
    type p_reduceAddBits##suffix(type d, int bits);                                                          \
    type p_reduceMulBits##suffix(type d, int bits);                                                          \
    type p_reduceMinBits##suffix(type d, int bits);                                                          \
    type p_reduceMaxBits##suffix(type d, int bits);                                                          \
    type p_reduceAndBits##suffix(type d, int bits);                                                          \
    type p_reduceOrBits##suffix(type d, int bits);                                                           \
    void p_bcastPutBits##suffix(type d, int bits);                                                           \
    type p_bcastGetBits##suffix(int bits);                                                                   \
    type p_scanAddBits##suffix(type d, int bits);                                                            \
    type p_scanMulBits##suffix(type d, int bits);                                                            \
    type p_scanMinBits##suffix(type d, int bits);                                                            \
    type p_scanMaxBits##suffix(type d, int bits);                                                            \
    type p_scanAndBits##suffix(type d, int bits);                                                            \
    type p_scanOrBits##suffix(type d, int bits);                                                             \
    int p_rankBits##suffix(type d, int bits);                                                                \
    uint64_t p_matchBits##suffix(type v, int bits);                                                          \
    int p_matchCountBits##suffix(type v, int bits);
PAPERS_UNSIGNED(PAPERS_DECLARE)
#undef PAPERS_DECLARE

/* ---- wide masks ------------------------------------------------------------------------------------------
 * A job may have up to 1,024 PEs, and a plain mask names the first 64. The functions that take or return a
 * mask have a form with an array: PE k is bit k % 64 of word k / 64, and there are (p_nproc() + 63) / 64
 * words. Both forms of p_enqueue make groups that every other function works on; a plain p_waitvec, p_vote
 * or p_match in a group with a member beyond 63 is an error. */
void p_enqueueWide(const uint64_t *mask);
void p_waitvecWide(uint64_t *mask, int f);
void p_voteWide(uint64_t *mask, int v);
#define PAPERS_DECLARE(suffix, type, bits) void p_matchWide##suffix(uint64_t *mask, type v);
PAPERS_ALL(PAPERS_DECLARE)
#undef PAPERS_DECLARE
#define PAPERS_DECLARE(suffix, type, width) void p_matchWideBits##suffix(uint64_t *mask, type v, int bits);
PAPERS_UNSIGNED(PAPERS_DECLARE)
#undef PAPERS_DECLARE

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include <papers/generic.h>

#endif
