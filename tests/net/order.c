/* Streams of packets between all members. */

#include "checks.h"

#include "rng.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 400, SLOTS = 6, KEPT = 8 };

/* Memory of a send that is under way. */
struct slot {
    bool busy;
    char *data;
};

struct streams {
    struct slot slots[SLOTS];
    int busy;
    int sent[MEMBERS], come[MEMBERS];
    struct rng rng;
    void *kept[KEPT];
    int kept_count;
    char *expected;
};

/* Return the length of the k-th packet of a stream. */
static size_t bytes_of(const struct company *company, int from, int to, int k) {
    static const size_t first[] = {1,  2,   3,   7,   8,    9,    16,    63,    64,
                                   65, 128, 129, 255, 4095, 4096, 16384, 16385, 65537};
    const int count = sizeof first / sizeof *first;
    if (k < count)
        return first[k];
    if (k == count)
        return company->wishes.packet;
    struct rng rng = rng_for(company->seed, (uint64_t)from, (uint64_t)to, (uint64_t)k);
    bool is_long = rng_below(&rng, 10) == 0;
    return 1 + (size_t)rng_below(&rng, is_long ? (int)company->wishes.packet : 200);
}

/* Fill in the k-th packet of a stream; its first byte tells its sender. */
static void fill(char *data, size_t bytes, int from, int to, int k) {
    struct rng rng = rng_for(7, (uint64_t)from, (uint64_t)to, (uint64_t)k);
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = rng_next(&rng);
        memcpy(data + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
    data[0] = (char)(from | (k % 64) << 2);
}

static void arrived(struct member *m, const struct uno_net_event *event) {
    struct streams *s = m->state;
    int from = event->data[0] & 3, k = s->come[from]++;
    size_t bytes = bytes_of(m->company, from, m->me, k);
    if (from == m->me || from >= m->company->members || k >= COUNT)
        fail("member %d: a packet from member %d, after %d of them", m->me, from, k);
    if (event->bytes != bytes || (unsigned char)event->data[0] >> 2 != k % 64)
        fail("member %d: packet %d from member %d has %zu bytes and the number %d, and not %zu and %d", m->me,
             k, from, event->bytes, (unsigned char)event->data[0] >> 2, bytes, k % 64);
    CHECK((uintptr_t)event->data % 8 == 0);
    fill(s->expected, bytes, from, m->me, k);
    if (memcmp(event->data, s->expected, bytes))
        fail("member %d: packet %d from member %d has other data", m->me, k, from);
    s->kept[s->kept_count++] = event->packet;
    if (s->kept_count == KEPT || rng_below(&s->rng, 2)) {
        int which = rng_below(&s->rng, s->kept_count);
        m->kind->release(m->net, s->kept[which]);
        s->kept[which] = s->kept[--s->kept_count];
    }
}

static void ended(struct member *m, const struct uno_net_event *event) {
    struct streams *s = m->state;
    struct slot *slot = event->context;
    if (event->what == UNO_NET_FAILED)
        fail("member %d: a send has failed: %s", m->me, event->text);
    CHECK(slot >= s->slots && slot < s->slots + SLOTS && slot->busy);
    slot->busy = false;
    s->busy--;
    memset(slot->data, 0xff, m->company->wishes.packet); /* the memory is ours again */
}

/* Divide a packet into 1 to UNO_NET_PARTS parts. */
static int divide(struct rng *rng, char *data, size_t bytes, struct iovec parts[UNO_NET_PARTS]) {
    int count = 0;
    while (bytes) {
        size_t part = count == UNO_NET_PARTS - 1 ? bytes : 1 + (size_t)rng_below(rng, (int)bytes);
        parts[count++] = (struct iovec){data, part};
        data += part;
        bytes -= part;
    }
    return count;
}

static void send_next(struct member *m, int to) {
    struct streams *s = m->state;
    int k = s->sent[to]++;
    size_t bytes = bytes_of(m->company, m->me, to, k);
    struct iovec parts[UNO_NET_PARTS];
    if (bytes <= m->kind->least(m->net) && rng_below(&s->rng, 4)) {
        char data[4096 + 8];
        CHECK(bytes <= 4096);
        fill(data, bytes, m->me, to, k);
        send_patiently(m, to, parts, divide(&s->rng, data, bytes, parts), NULL);
        memset(data, 0xff, sizeof data);
        return;
    }
    while (s->busy == SLOTS)
        go_on(m);
    struct slot *slot = s->slots;
    while (slot->busy)
        slot++;
    fill(slot->data, bytes, m->me, to, k);
    slot->busy = true;
    s->busy++;
    send_patiently(m, to, parts, divide(&s->rng, slot->data, bytes, parts), slot);
    memset(parts, 0, sizeof parts);
}

static bool has_all(const struct member *m) {
    const struct streams *s = m->state;
    for (int k = 0; k < m->company->members; k++)
        if (k != m->me && s->come[k] < COUNT)
            return false;
    return s->busy == 0;
}

static void body(struct member *m) {
    int members = m->company->members, left = COUNT * (members - 1);
    struct streams *s = calloc(1, sizeof *s);
    CHECK(s);
    s->rng = rng_for(m->company->seed, (uint64_t)m->me, 0, 0);
    s->expected = malloc(m->company->wishes.packet);
    for (int i = 0; i < SLOTS; i++)
        s->slots[i].data = malloc(m->company->wishes.packet);
    m->state = s;
    m->arrived = arrived;
    m->ended = ended;
    for (; left; left--) {
        int to = rng_below(&s->rng, members);
        while (to == m->me || s->sent[to] == COUNT)
            to = (to + 1) % members;
        send_next(m, to);
        if (rng_below(&s->rng, 3) == 0)
            go_on(m);
    }
    while (!has_all(m))
        go_on(m);
    while (s->kept_count)
        m->kind->release(m->net, s->kept[--s->kept_count]);
    meet(m);
    for (double end = now() + 0.02; now() < end;)
        go_on(m); /* another packet would be one too many */
    meet(m);
    for (int i = 0; i < SLOTS; i++)
        free(s->slots[i].data);
    free(s->expected);
    free(s);
}

void check_order(struct company *company) {
    for (company->members = 2; company->members <= MEMBERS; company->members += 2)
        company_run(company, body);
}
