/* How long PEs look, pause and sleep while they wait: all constants of time of the library, each with its
 * reason. In ns, if nothing else is said; what is counted in looks is a time divided by what a look takes. */

#ifndef UNO_TUNING_H
#define UNO_TUNING_H

enum {
    /* ---- looks ------------------------------------------------------------------------------------------
     */

    /* One look at a word that another PE writes, with a pause after it: the pause is nearly all of it (25 ns
     * on Intel's processors since Skylake, less on others, where what is counted in looks is shorter). */
    UNO_LOOK_NS = 25,
    /* Looks without a pause, at the beginning: a pause takes about as long as the transfer of a line within
     * one core, so that one at the wrong moment would double it. */
    UNO_EAGER_LOOKS = 6,
    /* Of a post or a message, in a tight loop before anything else is tried, where PEs have a processor each:
     * several operations take less, and the clock, the fault and the other PEs are looked at after it. */
    UNO_POLL_NS = 5 * 1000,
    UNO_POLL_LOOKS = UNO_POLL_NS / UNO_LOOK_NS,
    /* As long as the switch to another process takes, to which the processor could be given instead: that is
     * 1.1 us, and the first look after it finds cold caches. */
    UNO_SWITCH_NS = 1500,
    UNO_SWITCH_LOOKS = UNO_SWITCH_NS / UNO_LOOK_NS,

    /* ---- one wait: looks, then gives the processor away, then sleeps --------------------------------------
     */

    /* Between two looks at the clock and at whether the job has failed: during each, what has come is not
     * seen. */
    UNO_CLOCK_NS = 1600,
    UNO_CLOCK_LOOKS = UNO_CLOCK_NS / UNO_LOOK_NS,
    /* Where PEs have a processor each: after it the one that is waited for computes, or has no processor
     * since a stranger runs there. Then this one is offered, too. */
    UNO_SPIN_NS = 20 * 1000,
    /* How long it pays to give the processor away and come back: so long, and so long for each PE on a
     * processor. More than an operation takes in which all PEs sleep, or they would never find back: 2 ms
     * with 32 of them on a processor. And less than a stranger keeps a processor that was given away, 3 ms: a
     * PE that sleeps is put before it when it is woken. */
    UNO_YIELD_NS = 200 * 1000,
    UNO_YIELD_PE_NS = 60 * 1000,
    /* A processor is given away so often between two looks whether too many PEs are on it: each look is at
     * all PEs. And so long a PE stays then, at least: to go takes some 20 us, and the kernel may have its
     * reasons. */
    UNO_SPREAD_YIELDS = 64,
    UNO_SPREAD_NS = 10 * 1000 * 1000,
    /* A sleep without a fence, whose wake can be lost: then it is a delay of so long. */
    UNO_NAP_NS = 500 * 1000,
    /* A sleep, at most: then the PE looks whether the job has failed. */
    UNO_SLEEP_NS = 100 * 1000 * 1000,
    /* Between two calls of the program's own function (p_onWait): what it does may take as long as another
     * thread of an interpreter keeps its lock, 5 ms. */
    UNO_ASK_NS = 20 * 1000 * 1000,
    /* What cannot be slept on is looked at as often as costs a delay of one part in so many of the time that
     * it has taken already; and within these bounds: a look takes some 10 us with the sleep around it, that
     * is 1% of a processor at the beginning, and 0.03% after half a second. */
    UNO_BLIND_SHARE = 16,
    UNO_BLIND_LEAST_NS = 1000 * 1000,
    UNO_BLIND_MOST_NS = 30 * 1000 * 1000,

    /* ---- messages ----------------------------------------------------------------------------------------
     */

    /* More than two transfers between cores take, 250 ns each: the answer of a PE that is at work. */
    UNO_ANSWER_NS = 625,
    UNO_ANSWER_LOOKS = UNO_ANSWER_NS / UNO_LOOK_NS,
    /* Of a PE that has come back to its processor while nobody else there could do anything with it: longer
     * than a switch away and back. Each look is at all PEs on the processor, so that it is more than this. */
    UNO_KEEP_NS = 2500,
    UNO_KEEP_LOOKS = UNO_KEEP_NS / UNO_LOOK_NS,
    /* A look of the program itself, as ntest is, with what the program does until the next one; and how
     * many of them last as long as the above. */
    UNO_CALL_NS = 100,
    UNO_ANSWER_CALLS = UNO_ANSWER_NS / UNO_CALL_NS,
    UNO_KEEP_CALLS = UNO_KEEP_NS / UNO_CALL_NS,
    /* PEs, up to which it looks at all: with more, the search would take longer than the switch it saves. */
    UNO_KEEP_PES = 64,
    /* Waits between two that try whether a message comes within UNO_SWITCH_NS: after one try in vain 1, then
     * 3, 7 and so on, and at most so many, so that the tries cost 2% of the switches. */
    UNO_UNTRIED = 63,
    /* Looks at the ring that is waited for, for one at those of all others: what comes there is less urgent,
     * and a ring that is empty costs a line of the cache. */
    UNO_OTHERS = 16,
    /* In which a reader that goes on has read another piece of 64 KB. */
    UNO_READER_NS = 10 * 1000,
    UNO_READER_LOOKS = UNO_READER_NS / UNO_LOOK_NS,
    /* In which a reader that waits, or copies another message of this length, has seen that one is opened: so
     * long, and a look for each so many bytes, which are copied in it at 10 GB a second. */
    UNO_JOIN_NS = 4 * 1000,
    UNO_JOIN_LOOKS = UNO_JOIN_NS / UNO_LOOK_NS,
    UNO_LOOK_BYTES = UNO_LOOK_NS * 10,
    /* In which a reader ends the part of 128 KB that it has begun, if it has a processor: several times what
     * the copy takes, at 5 GB a second. */
    UNO_SETTLE_NS = 100 * 1000,
    UNO_SETTLE_LOOKS = UNO_SETTLE_NS / UNO_LOOK_NS,
    /* For which a process id is believed to be that of its PE: ids are given in turn, so that none comes
     * round within it. */
    UNO_PID_NS = 10 * 1000 * 1000,

    /* ---- what else a PE does while it waits --------------------------------------------------------------
     */

    /* A host is given one part in so many of the time: its poll costs whoever waits that much at most. */
    UNO_HOST_SHARE = 20,
    /* Between two polls of it, at least, however short they are: nothing of a host takes less. */
    UNO_HOST_LEAST_NS = 10 * 1000,
    /* A poll that took so long has moved data, and there may be more: the host does not say. One that finds
     * nothing takes up to 30 us after a sleep, when all caches are cold. */
    UNO_HOST_WORKED_NS = 50 * 1000,
    /* Between two looks whether the awaited process lives, which read a file of the kernel (some 10 us): ten
     * times within the second in which its end is to be known. */
    UNO_ALIVE_NS = 100 * 1000 * 1000,

    /* ---- reports: caller.h --------------------------------------------------------------------------------
     */

    /* Until a process that is asked to stop has stopped: some microseconds once it has a processor, unless it
     * is in a call of the kernel that cannot be ended. */
    UNO_STOP_NS = 250 * 1000 * 1000,
    UNO_STOP_STEP_NS = 50 * 1000,
    /* For all PEs of a report together, of which each takes some 5 ms, so that it comes within a second. */
    UNO_CALLERS_NS = 500 * 1000 * 1000,

    /* ---- the beginning -----------------------------------------------------------------------------------
     */

    /* Until the launcher watches a process that is not its child, at most: the program goes on without. */
    UNO_WATCHED_NS = 1000 * 1000 * 1000,
    /* Between two looks whether it does: about as long as its answer takes. */
    UNO_WATCHED_STEP_NS = 50 * 1000,

    /* ---- jobs in turns (unisono run --gang) --------------------------------------------------------------
     */

    /* A turn. To hand it on costs 0.03 to 0.1 ms, with 4 PEs on 2 processors: turns of 1 ms cost 10%, of 2 ms
     * 5 to 9%, of 5 ms 1 to 3%, and longer ones no less (docs/gang.md). */
    UNO_GANG_TURN_NS = 5 * 1000 * 1000,
    /* A turn that was not handed on by then: its launcher may be stopped. */
    UNO_GANG_STOPPED_NS = 4 * UNO_GANG_TURN_NS,
    /* Between two looks of a launcher whether another one is still joining: that takes about as long. */
    UNO_GANG_JOIN_NS = 1000 * 1000,
    /* After that it says so: the other one may be stopped. A machine that is busy is not as slow as that. */
    UNO_GANG_PATIENCE_S = 10,
};

#endif
