/* Schedules of an exchange between N leaders, one of each node, after which every leader has what all others
 * brought: to whom a leader sends, from whom it receives, and whose values go in each message. Nothing here
 * sends. A leader is named by its rank among the N, from 0. All schedules look the same from every rank, so
 * that the message that a leader receives as its k-th is the k-th of its sender.
 *
 * direct: each sends its own value to each other one: N - 1 messages, none of which waits for another.
 *
 * bruck: in step k a leader sends to the one 2^k ranks ahead the values of the last 2^k ranks, which are
 * those that it has; in the last step only what is still missing there (Bruck, Ho, Kipnis, Upfal, Weathersby,
 * 1997). Every value arrives once. ceil(log2 N) messages, the least with which N leaders can learn of each
 * other if each sends one at a time.
 *
 * census: the same number of messages, in each of which the values are those that the leader has received
 * until then, all together, with its own or without (Bar-Noy, Kipnis, Schieber, 1993). So a leader sends the
 * sum of them as one value, and each value is counted once for every N. With bruck that is so for powers of 2
 * alone, where both are the same. */

#ifndef UNO_SCHEDULE_H
#define UNO_SCHEDULE_H

#include <stdbool.h>

enum uno_schedule_way { UNO_SCHEDULE_DIRECT, UNO_SCHEDULE_BRUCK, UNO_SCHEDULE_CENSUS, UNO_SCHEDULE_WAYS };

/* The names of the ways. */
extern const char *const uno_schedule_names[UNO_SCHEDULE_WAYS];

/* The treatment of the values of several leaders on their way. */
enum uno_schedule_values {
    UNO_SCHEDULE_WHOLE, /* nothing: each travels by itself, as reals do, which are combined in the order of
                           the PEs */
    UNO_SCHEDULE_AGAIN, /* they are combined, and one may count again: and, or, least, greatest; no values */
    UNO_SCHEDULE_ONCE,  /* they are combined, in any order, and each counts once: sums of integers */
};

/* Up to so many leaders exchange directly. The figure is that of `unisono model schedule` for the network
 * that it calculates with unless told otherwise. */
#ifndef UNO_SCHEDULE_FEW
#define UNO_SCHEDULE_FEW 15
#endif

/* The schedule of one leader. */
struct uno_schedule {
    enum uno_schedule_way way;
    int leaders, rank;
    int messages; /* that it sends, and as many that it receives */
    int steps;    /* rounds, in which all leaders send one message each; direct has one round of all */
};

/* Message k that a leader sends, and the one that it receives as its k-th. The values that go in it are those
 * of `count` ranks, modulo the number of leaders. */
struct uno_schedule_message {
    int to, from;
    int count;
    int sent;     /* the first rank whose value is sent, */
    int received; /* and received */
    int after;    /* it can be sent when the messages before this one have been received */
    bool own;     /* the last of the ranks is the sender */
};

/* Return the way that is chosen for so many leaders, 1 or more. */
enum uno_schedule_way uno_schedule_choose(int leaders, enum uno_schedule_values values);

/* Return the schedule of a leader. leaders: 1 to 2^30. */
struct uno_schedule uno_schedule_of(enum uno_schedule_way way, int leaders, int rank);

/* Return its message k, from 0. */
struct uno_schedule_message uno_schedule_at(const struct uno_schedule *schedule, int k);

#endif
