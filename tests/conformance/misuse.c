/* Programs that break a rule, one a row: each must end within a second, with exit status 1 and with a message
 * that names the PEs and their operations. `misuse CASE` breaks the rule; `misuse drive START...` runs all
 * and checks. */

#include "misuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* ---- mismatch: not the same operation, type, bits or group ------------------------------------------- */

static void operations(int me) {
    if (me == 0)
        p_reduceAdd32(1);
    else
        p_wait();
}

static void types(int me) {
    if (me == 0)
        p_reduceAdd32(1);
    else
        p_reduceAdd64(1);
}

static void signs(int me) {
    if (me == 0)
        p_reduceMax16u(1);
    else
        p_reduceMax16(1);
}

static void bits(int me) {
    p_reduceAddBits32u(1, me == 0 ? 5 : 7);
}

static void bits_and_plain(int me) {
    if (me == 0)
        p_gatherBits8u((uint8_t[2]){0}, 1, 3);
    else
        p_gather8u((uint8_t[2]){0}, 1);
}

static void put_and_reduce(int me) {
    if (me == 0)
        p_bcastPutd(1);
    else
        p_reduceAddd(1);
}

static void masks(int me) {
    p_enqueue(me == 0 ? 3 : 7);
    p_wait();
}

/* {0,70} and {0,70,99}: their first 64 bits are the same */
static void wide_masks(int me) {
    uint64_t mask[2] = {1, (uint64_t)1 << 6 | (me == 0 ? 0 : (uint64_t)1 << 35)};
    if (me != 0 && me != 70 && me != 99)
        return;
    p_enqueueWide(mask);
    p_wait();
}

static void after_many(int me) {
    for (int i = 0; i < 300; i++) /* more than a byte counts */
        p_reduceAdd32(i);
    operations(me);
}

static void asleep(int me) {
    if (me == 0)
        test_sleep(0.3);
    operations(me);
}

static void one_of_nine(int me) {
    if (me == 8)
        p_any(1);
    else
        p_wait();
}

/* PE 3 waits for PE 2, which waits for PE 1, which quarrels with PE 0: all must end. */
static void others_wait(int me) {
    static const uint64_t group[] = {3, 3, 6, 12};
    if (me == 0)
        test_sleep(0.3);
    p_enqueue(group[me]);
    operations(me);
}

/* PE 2 waits for PE 3, which is busy: PE 2 must not wait for that to end, since PE 0 and 1 quarrel. */
static void another_is_busy(int me) {
    p_wait(); /* all are there, and can be seen to be in what follows */
    if (me == 3) {
        test_sleep(0.8);
        return;
    }
    p_enqueue(me == 2 ? 12 : 3);
    operations(me);
}

static void nobody_puts(int me) {
    (void)me;
    p_bcastGet32();
}

static void two_put(int me) {
    if (me < 3)
        p_bcastPutBits16u(1, 9);
    else
        p_bcastGetBits16u(9);
}

static void all_but_one_put(int me) {
    if (me < 2)
        p_bcastPutf(1);
    else
        p_bcastGetf();
}

/* ---- a PE that is gone ------------------------------------------------------------------------------- */

static void left(int me) {
    if (me == 0)
        p_wait();
}

static void left_later(int me) {
    p_wait();
    if (me == 1)
        test_sleep(0.3);
    else
        p_reduceAdd32(1);
}

static void left_group(int me) {
    p_enqueue(me == 2 ? 4 : 7);
    if (me < 2)
        p_scanAdd8(1);
}

/* ---- groups ------------------------------------------------------------------------------------------ */

static void without_caller(int me) {
    p_enqueue(me == 0 ? 2 : 3);
    p_wait();
}

static void empty(int me) {
    p_enqueue(me == 1 ? 0 : 3);
    p_wait();
}

static void nonexistent(int me) {
    p_enqueue(me == 0 ? 1 | 1 << 5 : 3);
    p_wait();
}

static void wide_without_caller(int me) {
    uint64_t mask[2] = {~(uint64_t)0, 0};
    if (me == 77)
        p_enqueueWide(mask);
}

static void wide_nonexistent(int me) {
    uint64_t mask[2] = {~(uint64_t)0, ~(uint64_t)0 >> 27};
    if (me == 77)
        p_enqueueWide(mask);
}

static void plain_from_beyond(int me) {
    if (me == 77)
        p_enqueue(~(uint64_t)0);
}

static void plain_waitvec(int me) {
    (void)me;
    p_waitvec(1);
}

static void plain_vote(int me) {
    p_vote(me);
}

static void plain_match(int me) {
    p_matchd(me);
}

static void plain_match_bits(int me) {
    p_matchBits64u((uint64_t)me, 3);
}

/* ---- arguments --------------------------------------------------------------------------------------- */

static void putget_outside(int me) {
    if (me == 2)
        return;
    p_enqueue(11);
    p_putget16(1, me == 0 ? 2 : 0);
}

static void putget_beyond(int me) {
    p_putgetBits8u(1, me == 0 ? 4 : 0, 2);
}

static void vote_beyond(int me) {
    p_vote(me == 0 ? 4 : 0);
}

static void vote_negative(int me) {
    p_voteCount(me == 0 ? -1 : 0);
}

static void no_bits(int me) {
    p_rankBits64u(1, me == 0 ? 0 : 1);
}

static void null_array(int me) {
    double all[2];
    p_gatherd(me == 0 ? NULL : all, 1);
}

/* ---- session ----------------------------------------------------------------------------------------- */

static void init_twice(int me) {
    if (me == 1)
        p_init();
    p_wait();
}

static void after_exit(int me) {
    p_wait();
    if (me) /* whose second p_exit would be an error, too */
        return;
    p_exit(0);
    p_wait();
}

static void init_after_exit(int me) {
    if (me)
        return;
    p_exit(0);
    p_init();
}

static int nothing(void *unused) {
    (void)unused;
    return 0;
}

static void team_inside(int me) {
    if (me == 0)
        p_team(2, nothing, NULL);
    p_wait();
}

static void error(int me) {
    if (me == 2)
        p_error("the reactor is too hot");
    p_wait();
}

static void null_error(int me) {
    if (me == 0)
        p_error(NULL);
    p_wait();
}

/* Handle an error as some programs do: this handler ends at once, the next one returns. */
static void take(const char *message) {
    fprintf(stderr, "unisono: taken: %s\n", message);
    _exit(EXIT_FAILURE);
}

static void taken(int me) {
    p_onError(take);
    operations(me);
}

static void note(const char *message) {
    fprintf(stderr, "unisono: noted: %s\n", message);
}

static void noted(int me) {
    p_onError(note);
    error(me);
}

static void not_taken(int me) {
    p_onError(take);
    p_onError(NULL);
    error(me);
}

/* Look around while waiting, as a program may: this one fails at the third call. */
static void tire(uint64_t ns) {
    static _Thread_local int times;
    static _Thread_local uint64_t before;
    if ((times == 0) != (ns == 0) || ns < before)
        p_error("the times are wrong");
    before = ns;
    if (++times == 3)
        p_error("tired of it");
}

static void tired(int me) {
    p_onWait(tire);
    if (me == 1)
        test_sleep(0.5);
    p_wait(); /* to which PE 0 has come */
    p_wait();
}

static void not_tired(int me) {
    p_onWait(tire);
    p_onWait(NULL);
    if (me == 1) {
        test_sleep(0.5);
        p_error("here at last");
    }
    p_wait();
}

#define MISMATCH(a, did, b, also)                                                                            \
    { "PE " #a " is in " did, "PE " #b " is in " also }
const struct misuse misuses[] = {
    {"operations", 2, operations, 0, MISMATCH(0, "p_reduceAdd32 of group {0-1}", 1, "p_wait of group {0-1}")},
    {"types", 2, types, 0, MISMATCH(0, "p_reduceAdd32 of", 1, "p_reduceAdd64 of")},
    {"signs", 2, signs, 0, MISMATCH(0, "p_reduceMax16u of", 1, "p_reduceMax16 of")},
    {"bits", 2, bits, 0,
     MISMATCH(0, "p_reduceAddBits32u with 5 bits of", 1, "p_reduceAddBits32u with 7 bits of")},
    {"bits-and-plain", 2, bits_and_plain, 0,
     MISMATCH(0, "p_gatherBits8u with 3 bits of", 1, "p_gather8u of")},
    {"put-and-reduce", 2, put_and_reduce, 0, MISMATCH(0, "p_bcastd of", 1, "p_reduceAddd of")},
    {"masks", 3, masks, 0, MISMATCH(0, "p_wait of group {0-1}", 1, "p_wait of group {0-2}")},
    {"wide-masks", 100, wide_masks, 0,
     MISMATCH(0, "p_wait of group {0,70}", 70, "p_wait of group {0,70,99}")},
    {"after-many",
     4,
     after_many,
     20, /* its operations take a time slice each beside programs that use the processors */
     {"PE 0 is in p_reduceAdd32 of group {0-3}", "is in p_wait of group {0-3}"}},
    {"asleep", 4, asleep, 0.3, {"PE 0 is in p_reduceAdd32 of group {0-3}", "is in p_wait of group {0-3}"}},
    {"one-of-nine", 9, one_of_nine, 0, {"PE 8 is in p_any of group {0-8}", "is in p_wait of group {0-8}"}},
    {"others-wait", 4, others_wait, 0.3,
     MISMATCH(0, "p_reduceAdd32 of group {0-1}", 1, "p_wait of group {0-1}")},
    {"another-is-busy",
     4,
     another_is_busy,
     0.8,
     {"is in p_reduceAdd32 of group {0-1}", [SURVIVOR] =
                                                "; this PE was in p_wait of group {2-3}, waiting for PE 3"}},
    {"nobody-puts", 2, nobody_puts, 0, {"p_bcast32: of the group {0-1}, nobody put"}},
    {"three-put", 5, two_put, 0, {"p_bcastBits16u with 9 bits: of the group {0-4}, PEs {0-2} all put"}},
    {"two-put", 3, all_but_one_put, 0, {"p_bcastf: of the group {0-2}, PEs {0-1} all put"}},
    {"left", 2, left, 0, {"PE 0: p_wait of group {0-1} waits for PE 1, which has left"}},
    {"left-later", 2, left_later, 0.3, {"PE 0: p_reduceAdd32 of group {0-1} waits for PE 1, which has left"}},
    {"left-group", 3, left_group, 0, {"p_scanAdd8 of group {0-2} waits for PE 2, which has left"}},
    {"without-caller", 2, without_caller, 0, {"PE 0: p_enqueue: the mask {1} does not name PE 0"}},
    {"empty", 2, empty, 0, {"PE 1: p_enqueue: the mask {} does not name PE 1"}},
    {"nonexistent", 2, nonexistent, 0, {"PE 0: p_enqueue: the mask {0,5} names PE 5", "0 to 1"}},
    {"wide-without-caller",
     100,
     wide_without_caller,
     0,
     {"PE 77: p_enqueueWide: the mask {0-63} does not name PE 77"}},
    {"wide-nonexistent",
     100,
     wide_nonexistent,
     0,
     {"PE 77: p_enqueueWide: the mask {0-100} names PE 100", "0 to 99"}},
    {"plain-from-beyond",
     100,
     plain_from_beyond,
     0,
     {"PE 77: p_enqueue: the mask {0-63} does not name PE 77"}},
    {"plain-waitvec",
     65,
     plain_waitvec,
     0,
     {"p_waitvec: the group has members beyond PE 63; use p_waitvecWide"}},
    {"plain-vote", 65, plain_vote, 0, {"p_vote: the group has members beyond PE 63; use p_voteWide"}},
    {"plain-match", 65, plain_match, 0, {"p_matchd: the group has members beyond PE 63; use p_matchWided"}},
    {"plain-match-bits",
     65,
     plain_match_bits,
     0,
     {"p_matchBits64u: the group has members beyond PE 63; use p_matchWideBits64u"}},
    {"putget-outside",
     4,
     putget_outside,
     0,
     {"PE 0: p_putget16 from PE 2, which is not in the group {0-1,3}"}},
    {"putget-beyond", 4, putget_beyond, 0, {"PE 0: p_putgetBits8u with 2 bits from PE 4: ", "0 to 3"}},
    {"vote-beyond", 4, vote_beyond, 0, {"PE 0: p_vote for PE 4: ", "0 to 3"}},
    {"vote-negative", 2, vote_negative, 0, {"PE 0: p_voteCount for PE -1: ", "0 to 1"}},
    {"no-bits", 2, no_bits, 0, {"PE 0: p_rankBits64u: 0 bits; this type has 1 to 64"}},
    {"null-array", 2, null_array, 0, {"PE 0: p_gatherd: the array is a null pointer"}},
    {"init-twice", 2, init_twice, 0, {"PE 1: p_init: PE 1 has checked in already"}},
    {"after-exit", 2, after_exit, 0, {"unisono: p_wait was called after p_exit"}},
    {"init-after-exit", 2, init_after_exit, 0, {"unisono: p_init was called after p_exit"}},
    {"team-inside", 2, team_inside, 0, {"PE 0: p_team: this thread is PE 0 already"}},
    {"error", 3, error, 0, {"unisono: PE 2: the reactor is too hot\n"}},
    {"taken",
     2,
     taken,
     0,
     {"unisono: taken: PE ", "PE 0 is in p_reduceAdd32 of group {0-1}", "PE 1 is in p_wait of group {0-1}"}},
    {"noted",
     3,
     noted,
     0,
     {"unisono: noted: PE 2: the reactor is too hot\n", "unisono: PE 2: the reactor is too hot\n"}},
    {"not-taken", 3, not_taken, 0, {"unisono: PE 2: the reactor is too hot\n"}},
    {"tired",
     2,
     tired,
     0.5,
     {"unisono: PE 0: tired of it\n", [SURVIVOR] =
                                          "; this PE was in p_wait of group {0-1}, waiting for PE 0"}},
    {"not-tired", 2, not_tired, 0.5, {"unisono: PE 1: here at last\n"}},
    {"null-error", 2, null_error, 0, {"PE 0: p_error: the message is a null pointer"}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;
