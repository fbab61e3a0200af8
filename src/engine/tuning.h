/* How long PEs look, pause and sleep while they wait: all constants of time of the library, each with its
 * reason. Times are in ns unless another unit is named. A number of looks is a time divided by the time of
 * one look. */

#ifndef UNO_TUNING_H
#define UNO_TUNING_H

enum {
    /* ---- looks ------------------------------------------------------------------------------------------
     */

    /* One look at a word that another PE writes, with a pause after it: the pause is nearly all of it (25 ns
     * on Intel's processors since Skylake; on others less, so that times counted in looks are shorter). */
    UNO_LOOK_NS = 25,
    /* The first looks have no pause: a pause takes about as long as the transfer of a line within one core,
     * so that one at the wrong moment would double it. */
    UNO_EAGER_LOOKS = 6,
    /* A PE that has a processor to itself polls for a post or a message for this time, in a tight loop,
     * before anything else is tried: several operations take less. It looks at the clock, the fault and the
     * other PEs only afterwards. */
    UNO_POLL_NS = 5 * 1000,
    UNO_POLL_LOOKS = UNO_POLL_NS / UNO_LOOK_NS,
    /* The time of a switch to another process, to which the processor could be given instead: 1.1 us, and the
     * first look after it finds cold caches. */
    UNO_SWITCH_NS = 1500,
    UNO_SWITCH_LOOKS = UNO_SWITCH_NS / UNO_LOOK_NS,

    /* ---- one wait: looks, then gives the processor away, then sleeps --------------------------------------
     */

    /* Time between two looks at the clock and at the fault: whatever comes during such a look is seen
     * late. */
    UNO_CLOCK_NS = 1600,
    UNO_CLOCK_LOOKS = UNO_CLOCK_NS / UNO_LOOK_NS,
    /* A PE that has a processor to itself spins for this time. If the PE that it waits for has not come by
     * then, it computes, or a process of another program has its processor. Then this PE gives its own
     * processor away too. */
    UNO_SPIN_NS = 20 * 1000,
    /* The time for which it pays to give the processor away and come back: a constant, and a part for each PE
     * on a processor. It is more than an operation takes in which all PEs sleep, or they would never find
     * back: 2 ms with 32 of them on a processor. It is less than another program keeps a processor that was
     * given away, 3 ms: a PE that sleeps is put before that program when it is woken. */
    UNO_YIELD_NS = 200 * 1000,
    UNO_YIELD_PE_NS = 60 * 1000,
    /* A PE gives its processor away so often between two looks whether too many PEs are on it, since each
     * look reads the processor of all PEs. After a move it stays for this time at least: a move takes some 20
     * us, and the kernel may have reasons to move it back. */
    UNO_SPREAD_YIELDS = 64,
    UNO_SPREAD_NS = 10 * 1000 * 1000,
    /* The longest sleep without a fence: its wake-up can be lost, and then it is a delay of this length. */
    UNO_NAP_NS = 500 * 1000,
    /* The longest sleep: after it the PE looks whether the job has failed. */
    UNO_SLEEP_NS = 100 * 1000 * 1000,
    /* Time between two calls of the program's own function (p_onWait): a call may take as long as another
     * thread of an interpreter keeps its lock, 5 ms. */
    UNO_ASK_NS = 20 * 1000 * 1000,
    /* A PE that waits for something it cannot sleep on looks again after one part in UNO_BLIND_SHARE of the
     * time waited so far, which bounds the relative delay, and within these bounds. A look takes some 10 us
     * with the sleep around it: 1% of a processor at the beginning, and 0.03% after half a second. */
    UNO_BLIND_SHARE = 16,
    UNO_BLIND_LEAST_NS = 1000 * 1000,
    UNO_BLIND_MOST_NS = 30 * 1000 * 1000,

    /* ---- messages ----------------------------------------------------------------------------------------
     */

    /* More than two transfers between cores take, 250 ns each: the time of an answer from a PE that is at
     * work. */
    UNO_ANSWER_NS = 625,
    UNO_ANSWER_LOOKS = UNO_ANSWER_NS / UNO_LOOK_NS,
    /* A PE that has come back to its processor, while no other PE there could go on, keeps it for this time:
     * longer than a switch away and back. Each look reads the state of all PEs on the processor, so the time
     * is more than this. */
    UNO_KEEP_NS = 2500,
    UNO_KEEP_LOOKS = UNO_KEEP_NS / UNO_LOOK_NS,
    /* The time of a call by which the program itself looks, such as ntest, with the program's work until the
     * next one; and the number of such calls in each of the times above. */
    UNO_CALL_NS = 100,
    UNO_ANSWER_CALLS = UNO_ANSWER_NS / UNO_CALL_NS,
    UNO_KEEP_CALLS = UNO_KEEP_NS / UNO_CALL_NS,
    /* The most PEs for which it looks at all of them: with more, the search would take longer than the switch
     * it saves. */
    UNO_KEEP_PES = 64,
    /* Waits that are passed over between two that try whether a message comes within UNO_SWITCH_NS: after one
     * try in vain 1, then 3, 7 and so on up to this, so that the tries cost 2% of the switches. */
    UNO_UNTRIED = 63,
    /* Looks at the ring that is waited for, for each look at all other rings: their messages are less urgent,
     * and a look at an empty ring costs a cache line. */
    UNO_OTHERS = 16,
    /* The time in which a reader that goes on has read another piece of 64 KB. */
    UNO_READER_NS = 10 * 1000,
    UNO_READER_LOOKS = UNO_READER_NS / UNO_LOOK_NS,
    /* The time in which a reader that waits, or copies another message of this length, has seen that a
     * message is opened: a constant, and a look for each so many bytes, which it copies at 10 GB a second. */
    UNO_JOIN_NS = 4 * 1000,
    UNO_JOIN_LOOKS = UNO_JOIN_NS / UNO_LOOK_NS,
    UNO_LOOK_BYTES = UNO_LOOK_NS * 10,
    /* The time in which a reader ends the part of 128 KB that it has begun, if it has a processor: several
     * times as long as the copy at 5 GB a second. */
    UNO_SETTLE_NS = 100 * 1000,
    UNO_SETTLE_LOOKS = UNO_SETTLE_NS / UNO_LOOK_NS,
    /* The time for which a process id is believed to be that of its PE: ids are given in turn, so that none
     * is reused within it. */
    UNO_PID_NS = 10 * 1000 * 1000,

    /* ---- the network between nodes -----------------------------------------------------------------------
     */

    /* The agents tell of a PE or a node that has ended within this time, as they must on one node; only if
     * they have not, a connection that has failed is an error of its own. */
    UNO_FAR_LOST_NS = 2000 * 1000 * 1000,
    /* The time for which a PE of a job on several nodes spins instead of UNO_SPIN_NS: a way there and back
     * takes 10 to 50 us, and another program to which the processor is given keeps it for milliseconds. */
    UNO_FAR_SPIN_NS = 100 * 1000,
    /* Operations from one look at the network to the next for a PE that waits in none of them. A look takes
     * 0.3 us, the shortest operation 10 ns, and so many of them less than a way there and back. */
    UNO_FAR_UNHEARD = 256,
    /* The time in which a reader that waits has told where it wants a long message: twice that of a way there
     * and back between two machines, and of waking it. */
    UNO_PLACE_NS = 200 * 1000,
    /* A PE that has left without a goodbye to this one has sent nothing to it, or what it sent is still on
     * its way, for this time at most: a lost packet is sent again after 0.2 s. */
    UNO_FAR_LEFT_NS = 2000 * 1000 * 1000,

    /* ---- what else a PE does while it waits --------------------------------------------------------------
     */

    /* A host gets one part in so many of the time: a wait costs its poll that much at most. */
    UNO_HOST_SHARE = 20,
    /* Least time between two polls of a host, however short they are: no operation of a host takes less. */
    UNO_HOST_LEAST_NS = 10 * 1000,
    /* A poll that took this long has moved data, and there may be more, which the host does not say. A poll
     * that finds nothing takes up to 30 us after a sleep, when all caches are cold. */
    UNO_HOST_WORKED_NS = 50 * 1000,
    /* Time between two looks whether the awaited process lives, which read a file of the kernel (some 10 us):
     * ten times within the second in which its end must be known. */
    UNO_ALIVE_NS = 100 * 1000 * 1000,

    /* ---- reports: caller.h --------------------------------------------------------------------------------
     */

    /* The longest time until a process that is asked to stop has stopped: it takes some microseconds once it
     * has a processor, unless it is in a system call that cannot be interrupted. */
    UNO_STOP_NS = 250 * 1000 * 1000,
    UNO_STOP_STEP_NS = 50 * 1000,
    /* The time for finding the callers of all PEs of a report, some 5 ms each on a machine with nothing else
     * to do, so that a report of many PEs comes soon. */
    UNO_CALLERS_NS = 2000 * 1000 * 1000,

    /* ---- the beginning -----------------------------------------------------------------------------------
     */

    /* The longest time until the launcher watches a process that is not its child: the program then goes on
     * without. */
    UNO_WATCHED_NS = 1000 * 1000 * 1000,
    /* Time between two looks whether the launcher watches it: about as long as its answer takes. */
    UNO_WATCHED_STEP_NS = 50 * 1000,

    /* ---- jobs in turns (unisono run --gang) --------------------------------------------------------------
     */

    /* The length of a turn. To hand it on costs 0.03 to 0.1 ms, with 4 PEs on 2 processors: turns of 1 ms
     * cost 10%, of 2 ms 5 to 9%, of 5 ms 1 to 3%, and longer ones no less (docs/gang.md). */
    UNO_GANG_TURN_NS = 5 * 1000 * 1000,
    /* After this time a turn should have been handed on: its launcher may be stopped. */
    UNO_GANG_STOPPED_NS = 4 * UNO_GANG_TURN_NS,
    /* Time between two looks of a launcher whether another one is still joining: about as long as joining
     * takes. */
    UNO_GANG_JOIN_NS = 1000 * 1000,
    /* After this time the launcher reports that the other one may be stopped. A busy machine is not as slow
     * as that. */
    UNO_GANG_PATIENCE_S = 10,
};

#endif
