/* Receives that are posted, cancelled, probed for and finished: the part of the channel's interface that no
 * face uses yet, driven at random against a serial oracle, on the objects of the library.
 *
 * All PEs take steps together. In each a PE posts, cancels, probes, receives what is there and sends to
 * itself; then everyone sends to one other. A barrier before and after that makes it known what has come, and
 * in which order. */

#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "engine/channel/channel.h"
#include "engine/channel/progress/room.h"
#include "harness.h"
#include "vertex/ops.h"

enum {
    CONTEXTS = 2,
    TAGS = 3,
    MOST = 400,
    OPERATIONS = 8,
    SENT = 6,
    READ = UNO_SIGNATURE_NREAD,
    GUARD = 0xaa
};

struct message {
    struct uno_envelope envelope;
    long number;
    size_t bytes;
};

struct want {
    struct uno_receive receive;
    struct uno_envelope asked;
    bool matched;
    struct message message;
};

/* The records of one PE. */
struct state {
    struct uno_channel *channel;
    int me, n;
    struct rng rng;
    long numbers; /* number of messages to itself */
    struct want *want[MOST];
    int wants; /* in the order in which they were posted */
    struct message kept[MOST];
    int keeps; /* in the order in which they came */
};

/* ---- the oracle -------------------------------------------------------------------------------------- */

static bool fits(const struct uno_envelope *asked, const struct uno_envelope *e) {
    return asked->context == e->context && (asked->source < 0 || asked->source == e->source) &&
           (asked->tag < 0 || asked->tag == e->tag);
}

static void come(struct state *s, const struct message *m) {
    for (int i = 0; i < s->wants; i++)
        if (!s->want[i]->matched && fits(&s->want[i]->asked, &m->envelope)) {
            s->want[i]->matched = true;
            s->want[i]->message = *m;
            return;
        }
    CHECK(s->keeps < MOST);
    s->kept[s->keeps++] = *m;
}

/* Return the index of the message that is received next, or -1. */
static int next_kept(const struct state *s, const struct uno_envelope *asked) {
    for (int i = 0; i < s->keeps; i++)
        if (fits(asked, &s->kept[i].envelope))
            return i;
    return -1;
}

static struct message take_kept(struct state *s, int i) {
    struct message m = s->kept[i];
    memmove(&s->kept[i], &s->kept[i + 1], (size_t)(--s->keeps - i) * sizeof m);
    return m;
}

/* ---- comparison with the oracle
 * ------------------------------------------------------------------------- */

static void check_received(const struct state *s, const struct uno_receive *r, const struct message *m) {
    const unsigned char *data = r->data;
    size_t got = m->bytes < r->room ? m->bytes : r->room;
    CHECK(r->done && !r->posted);
    CHECK_INT(m->envelope.context, r->envelope.context);
    CHECK_INT(m->envelope.source, r->envelope.source);
    CHECK_INT(m->envelope.tag, r->envelope.tag);
    CHECK_INT((long long)m->bytes, (long long)r->bytes);
    content_check(data, got, m->envelope.source, m->number, s->me);
    for (size_t i = got; i <= r->room; i++)
        CHECK_INT(GUARD, data[i]);
}

static struct want *new_want(const struct uno_envelope *asked, size_t room) {
    struct want *w = calloc(1, sizeof *w);
    CHECK(w && (w->receive.data = malloc(room + 1)));
    memset(w->receive.data, GUARD, room + 1);
    w->receive.envelope = w->asked = *asked;
    w->receive.room = room;
    return w;
}

static void drop(struct want *w) {
    free(w->receive.data);
    free(w);
}

static void remove_want(struct state *s, int i) {
    drop(s->want[i]);
    memmove(&s->want[i], &s->want[i + 1], (size_t)(--s->wants - i) * sizeof *s->want);
}

/* Check that every message that has come is where the oracle says. */
static void check_all(struct state *s) {
    for (int i = 0; i < s->wants;) {
        struct want *w = s->want[i];
        if (w->matched) {
            check_received(s, &w->receive, &w->message);
            CHECK(!uno_channel_cancel(s->channel, &w->receive));
            remove_want(s, i);
        } else {
            CHECK(!w->receive.done && w->receive.posted);
            i++;
        }
    }
}

/* ---- what a PE does ---------------------------------------------------------------------------------- */

static size_t random_bytes(struct rng *rng) {
    switch (rng_below(rng, 8)) {
    case 0:
        return 0;
    case 1:
        return 217 + (size_t)rng_below(rng, 3000);
    case 2:
        return (size_t)rng_below(rng, 200000);
    default:
        return (size_t)rng_below(rng, 217);
    }
}

static struct uno_envelope random_asked(struct state *s) {
    struct uno_envelope e = {(uint32_t)rng_below(&s->rng, CONTEXTS), rng_below(&s->rng, s->n),
                             rng_below(&s->rng, TAGS)};
    if (rng_below(&s->rng, 3) == 0)
        e.source = UNO_WILD;
    if (rng_below(&s->rng, 3) == 0)
        e.tag = UNO_WILD;
    return e;
}

static void post(struct state *s) {
    struct uno_envelope asked = random_asked(s);
    if (s->wants == MOST)
        return;
    struct want *w = s->want[s->wants++] = new_want(&asked, random_bytes(&s->rng));
    int i = next_kept(s, &asked);
    if (i >= 0) {
        w->matched = true;
        w->message = take_kept(s, i);
    }
    uno_channel_post(s->channel, &w->receive);
    CHECK_INT(w->matched, w->receive.done);
}

static void cancel(struct state *s) {
    if (!s->wants)
        return;
    int i = rng_below(&s->rng, s->wants);
    struct want *w = s->want[i];
    CHECK_INT(!w->matched, uno_channel_cancel(s->channel, &w->receive));
    if (w->matched)
        return;
    const unsigned char *data = w->receive.data;
    for (size_t b = 0; b <= w->receive.room; b++)
        CHECK_INT(GUARD, data[b]);
    remove_want(s, i);
}

static void probe(struct state *s) {
    struct uno_envelope asked = random_asked(s);
    const struct uno_message *m = uno_channel_probe(s->channel, &asked);
    int i = next_kept(s, &asked);
    CHECK_INT(i >= 0, m != NULL);
    if (!m)
        return;
    CHECK(fits(&s->kept[i].envelope, &m->envelope));
    CHECK_INT((long long)s->kept[i].bytes, (long long)m->bytes);
}

/* Receive a message that has come already. */
static void receive(struct state *s) {
    struct uno_envelope asked = random_asked(s);
    int i = next_kept(s, &asked);
    if (i < 0)
        return;
    struct message m = take_kept(s, i);
    struct want *w = new_want(&asked, random_bytes(&s->rng));
    uno_channel_receive(s->channel, &w->receive, READ);
    check_received(s, &w->receive, &m);
    drop(w);
}

static void send(struct state *s, int to, const struct message *m) {
    unsigned char *data = malloc(m->bytes + 1);
    CHECK(data);
    content_fill(data, m->bytes, s->me, m->number);
    uno_channel_send(s->channel, to, uno_channel_word(m->envelope.context, m->envelope.tag), data, m->bytes,
                     UNO_SIGNATURE_NWRITE);
    free(data);
}

static struct message random_message(struct rng *rng, int source, long number) {
    struct message m = {{(uint32_t)rng_below(rng, CONTEXTS), source, rng_below(rng, TAGS)}, number, 0};
    m.bytes = random_bytes(rng);
    return m;
}

static void send_self(struct state *s) {
    struct message m = random_message(&s->rng, s->me, --s->numbers);
    come(s, &m);
    send(s, s->me, &m);
}

static void do_something(struct state *s) {
    switch (rng_below(&s->rng, 8)) {
    case 0:
        cancel(s);
        return;
    case 1:
        probe(s);
        return;
    case 2:
        receive(s);
        return;
    case 3:
        send_self(s);
        return;
    default:
        post(s);
    }
}

/* Draw the messages that PE k sends in this step: the same in every PE that asks. */
static int sent_by(uint64_t seed, long step, int k, struct message *m) {
    struct rng rng = rng_for(seed, 1, (uint64_t)step, (uint64_t)k);
    int count = rng_below(&rng, SENT + 1);
    for (int i = 0; i < count; i++)
        m[i] = random_message(&rng, k, step * SENT + i);
    if (count && rng_below(&rng, 20) == 0)
        m[0].bytes = 600001; /* both copy, or it goes in many pieces */
    return count;
}

static void take_step(struct state *s, uint64_t seed, long step) {
    struct rng rng = rng_for(seed, 2, (uint64_t)step, 0);
    int away = s->n > 1 ? 1 + rng_below(&rng, s->n - 1) : 0, count;
    struct message m[SENT];
    for (int i = rng_below(&s->rng, OPERATIONS); i > 0; i--)
        do_something(s);
    p_wait();
    if (away) {
        count = sent_by(seed, step, s->me, m);
        for (int i = 0; i < count; i++)
            send(s, (s->me + away) % s->n, &m[i]);
    }
    p_wait();
    while (uno_channel_progress(s->channel))
        ;
    if (away) {
        count = sent_by(seed, step, (s->me + s->n - away) % s->n, m);
        for (int i = 0; i < count; i++)
            come(s, &m[i]);
    }
    check_all(s);
}

/* Take back all requests and receive all messages that are left. */
static void clear(struct state *s) {
    while (s->wants) {
        CHECK(uno_channel_cancel(s->channel, &s->want[0]->receive));
        remove_want(s, 0);
    }
    for (uint32_t context = 0; context < CONTEXTS; context++) {
        struct uno_envelope asked = {context, UNO_WILD, UNO_WILD};
        for (int i; (i = next_kept(s, &asked)) >= 0;) {
            struct message m = take_kept(s, i);
            struct want *w = new_want(&asked, m.bytes);
            uno_channel_receive(s->channel, &w->receive, READ);
            check_received(s, &w->receive, &m);
            drop(w);
        }
        CHECK(!uno_channel_probe(s->channel, &asked));
    }
}

/* ---- receives that are waited for -------------------------------------------------------------------- */

/* Wait for receives from the other PEs in any order, and from any PE after those that are posted. */
static void finish_all(struct state *s) {
    enum { EACH = 20 };
    struct want *w[EACH], *last;
    int to = (s->me + 1) % s->n, from = (s->me + s->n - 1) % s->n;
    struct uno_envelope any = {0, UNO_WILD, UNO_WILD};
    struct message m = {.envelope = {0, from, 0}};
    for (int i = 0; i < EACH; i++) {
        struct uno_envelope asked = {0, i % 2 ? from : UNO_WILD, i % 3 ? i : UNO_WILD};
        w[i] = new_want(i % 3 ? &asked : &any, 70000);
        uno_channel_post(s->channel, &w[i]->receive);
        CHECK(!w[i]->receive.done);
    }
    p_wait();
    if (s->me % 2)
        test_sleep(0.01);
    for (int i = 0; i <= EACH; i++) {
        m.envelope.tag = m.number = i;
        m.bytes = (size_t)i * 3000;
        send(s, to, &m);
    }
    last = new_want(&any, 70000);
    uno_channel_receive(s->channel, &last->receive, READ);
    for (int i = 0; i < EACH; i++) {
        int j = i * 7 % EACH;
        uno_channel_finish(s->channel, &w[j]->receive, READ);
    }
    for (int i = 0; i <= EACH; i++) {
        struct want *one = i < EACH ? w[i] : last;
        m.envelope = (struct uno_envelope){0, from, i};
        m.number = i;
        m.bytes = (size_t)i * 3000;
        check_received(s, &one->receive, &m);
        drop(one);
    }
    p_wait();
}

/* A receive whose message is coming cannot be taken back. */
static void cancel_coming(struct state *s) {
    int to = (s->me + 1) % s->n, from = (s->me + s->n - 1) % s->n;
    struct message m = {{1, s->me, 2}, 5, 9000001};
    struct uno_envelope asked = {1, from, UNO_WILD};
    struct want *w = new_want(&asked, m.bytes);
    uno_channel_post(s->channel, &w->receive);
    p_wait();
    send(s, to, &m);
    while (w->receive.posted)
        uno_channel_progress(s->channel);
    CHECK(!uno_channel_cancel(s->channel, &w->receive));
    uno_channel_finish(s->channel, &w->receive, READ);
    m.envelope.source = from;
    check_received(s, &w->receive, &m);
    drop(w);
    p_wait();
}

/* Send a long message from each PE to the next one, which waits for it with that room. Returns true if the
 * reader of this PE's message has copied a part of it. */
static bool pass_long(struct state *s, size_t room, int number) {
    enum { BYTES = 300001 };
    int to = (s->me + 1) % s->n, from = (s->me + s->n - 1) % s->n;
    const struct uno_link *link = &s->channel->link[to];
    struct uno_envelope asked = {1, from, 2};
    struct message m = {{1, s->me, 2}, number, BYTES};
    struct want *w = new_want(&asked, BYTES);
    uint64_t opened = link->opened;
    w->receive.room = room < BYTES ? room : BYTES;
    uno_channel_post(s->channel, &w->receive);
    p_wait();
    if (s->me % 2)
        uno_channel_finish(s->channel, &w->receive, READ);
    send(s, to, &m);
    if (s->me % 2 == 0)
        uno_channel_finish(s->channel, &w->receive, READ);
    m.envelope.source = from;
    check_received(s, &w->receive, &m);
    for (size_t i = w->receive.room; i <= BYTES; i++)
        CHECK_INT(GUARD, ((unsigned char *)w->receive.data)[i]);
    drop(w);
    return link->opened != opened && uno_load64_relaxed(&link->out.ring->share.split) & UNO_SPLIT_JOINED;
}

/* A reader that copies parts of a message, and then has less room, copies nothing beyond it. If other
 * programs keep the processors busy, it may never come in time to copy a part. */
static void cut_off(struct state *s) {
    enum { ROOM = 120000, TIMES = 10, PATIENCE = 3 };
    int number = 0, times = 0;
    for (double end = test_now() + PATIENCE; times < TIMES && p_all(test_now() < end);)
        if (p_any(pass_long(s, SIZE_MAX, number++))) {
            CHECK(!pass_long(s, ROOM, number++));
            times++;
        }
}

/* The mark of a message that is offered comes with it, before it is asked for and after. */
static void offer_marked(struct state *s, bool late) {
    enum { BYTES = 20000, MARK = 0xbeef };
    int to = (s->me + 1) % s->n, from = (s->me + s->n - 1) % s->n;
    struct message m = {{1, s->me, 2}, 9000002, BYTES};
    struct uno_envelope asked = {1, from, 2};
    struct want *w = new_want(&asked, BYTES);
    struct uno_receive answer;
    unsigned char data[BYTES];
    content_fill(data, BYTES, s->me, m.number);
    if (!late)
        uno_channel_post(s->channel, &w->receive);
    p_wait();
    uno_offer_send(&(struct uno_sending){.channel = s->channel,
                                         .k = to,
                                         .word = uno_channel_word(1, 2),
                                         .data = (char *)data,
                                         .bytes = BYTES,
                                         .signature = READ,
                                         .mark = (unsigned)MARK << 16},
                   &answer);
    p_wait();
    if (late)
        uno_channel_post(s->channel, &w->receive);
    uno_channel_finish(s->channel, &w->receive, READ);
    uno_channel_finish(s->channel, &answer, READ);
    m.envelope.source = from;
    check_received(s, &w->receive, &m);
    CHECK_INT(MARK, w->receive.mark);
    drop(w);
    p_wait();
}

/* Check that messages which a PE has still to write are counted as long as there are any, and no longer: by
 * that count the launcher knows a PE that others wait for. */
static void fill_ring(struct state *s) {
    enum { DATUM = 1, END = 2 };
    int to = (s->me + 1) % s->n, from = (s->me + s->n - 1) % s->n;
    const struct uno_pe *pe = s->channel->pe;
    struct uno_receive receive = {.envelope = {1, from, DATUM}};
    while (!pe->queued)
        uno_channel_send(s->channel, to, uno_channel_word(1, DATUM), NULL, 0, READ);
    uno_channel_send(s->channel, to, uno_channel_word(1, END), NULL, 0, READ);
    while (receive.envelope.tag == DATUM) {
        receive.envelope.tag = UNO_WILD;
        uno_channel_receive(s->channel, &receive, READ);
    }
    p_wait();
    uno_channel_flush(s->channel, READ);
    CHECK_INT(0, pe->queued);
    p_wait();
}

static int body(void *unused) {
    uint64_t seed = test_seed();
    struct state *s = calloc(1, sizeof *s);
    (void)unused;
    CHECK(s);
    s->channel = uno_channel_of(uno_self);
    s->me = p_iproc();
    s->n = p_nproc();
    s->rng = rng_for(seed, 3, (uint64_t)s->me, 0);
    for (long step = 0; step < test.operations; step++) {
        take_step(s, seed, step);
        if (step % 97 == 96)
            clear(s);
    }
    clear(s);
    p_wait();
    if (s->n > 1) {
        finish_all(s);
        cancel_coming(s);
        offer_marked(s, false);
        offer_marked(s, true);
        fill_ring(s);
        if (s->channel->pe->spin)
            cut_off(s);
    }
    free(s);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
