#include "schedule.h"

const char *const uno_schedule_names[UNO_SCHEDULE_WAYS] = {"direct", "bruck", "census"};

/* ceil(log2 n). */
static int log2_up(int n) {
    return n > 1 ? 32 - __builtin_clz((unsigned)n - 1) : 0;
}

enum uno_schedule_way uno_schedule_choose(int leaders, enum uno_schedule_values values) {
    if (leaders <= UNO_SCHEDULE_FEW)
        return UNO_SCHEDULE_DIRECT;
    return values == UNO_SCHEDULE_ONCE ? UNO_SCHEDULE_CENSUS : UNO_SCHEDULE_BRUCK;
}

struct uno_schedule uno_schedule_of(enum uno_schedule_way way, int leaders, int rank) {
    bool direct = way == UNO_SCHEDULE_DIRECT;
    int messages = direct ? leaders - 1 : log2_up(leaders);
    return (struct uno_schedule){
        .way = way,
        .leaders = leaders,
        .rank = rank,
        .messages = messages,
        .steps = direct ? leaders > 1 : messages,
    };
}

/* How far ahead message k goes, and what it carries. */
struct hop {
    int distance, count, after;
    bool own;
};

static struct hop bruck(const struct uno_schedule *s, int k) {
    int distance = 1 << k, rest = s->leaders - distance;
    int count = rest < distance ? rest : distance;
    /* The last ranks arrived first: for `count` of them the first log2_up(count) messages are enough, so that
     * a short rest goes out early. */
    return (struct hop){distance, count, log2_up(count), true};
}

/* The values that a leader has received grow from nothing to the values of all others, N - 1, whose bits
 * decide: in each step their number doubles, and where the next bit is 1, the sender's own value comes with
 * them. */
static struct hop census(const struct uno_schedule *s, int k) {
    int left = s->messages - k, others = s->leaders - 1;
    int had = (int)((unsigned)others >> left), next = (int)((unsigned)others >> (left - 1));
    return (struct hop){next - had, next - had, k, next & 1};
}

struct uno_schedule_message uno_schedule_at(const struct uno_schedule *s, int k) {
    struct hop hop = s->way == UNO_SCHEDULE_DIRECT  ? (struct hop){k + 1, 1, 0, true}
                     : s->way == UNO_SCHEDULE_BRUCK ? bruck(s, k)
                                                    : census(s, k);
    int n = s->leaders, from = (s->rank + n - hop.distance) % n;
    int back = hop.own ? hop.count - 1 : hop.count; /* from the sender to the first rank of them */
    return (struct uno_schedule_message){
        .to = (s->rank + hop.distance) % n,
        .from = from,
        .count = hop.count,
        .sent = (s->rank + n - back) % n,
        .received = (from + n - back) % n,
        .after = hop.after,
        .own = hop.own,
    };
}
