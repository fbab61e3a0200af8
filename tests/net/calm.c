/* Reads, sleep, and the end. */

#include "checks.h"

#include "rng.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 1 << 20, READS = 60, AT_ONCE = 5, ROUNDS = 30, LAST = 300 };

static void put_nothing(struct member *m, const struct uno_net_event *event) {
    m->kind->release(m->net, event->packet);
}

/* ---- reads -------------------------------------------------------------------------------------------- */

struct reading {
    int of;
    size_t at, bytes;
    unsigned char *into;
    bool busy;
};

struct reads {
    struct uno_net_key keys[MEMBERS];
    int keys_count, busy, failed;
    struct reading readings[AT_ONCE];
};

static unsigned char byte_of(int member, size_t i) {
    return (unsigned char)(i * 31 + (i >> 8) * 17 + (size_t)member * 91);
}

static void key_arrived(struct member *m, const struct uno_net_event *event) {
    struct reads *r = m->state;
    struct {
        uint64_t from;
        struct uno_net_key key;
    } packet;
    CHECK(event->bytes == sizeof packet);
    memcpy(&packet, event->data, sizeof packet);
    r->keys[packet.from] = packet.key;
    r->keys_count++;
    m->kind->release(m->net, event->packet);
}

static void read_ended(struct member *m, const struct uno_net_event *event) {
    struct reads *r = m->state;
    struct reading *reading = event->context;
    if (event->what == UNO_NET_FAILED)
        fail("member %d: a read has failed: %s", m->me, event->text);
    for (size_t i = 0; i < reading->bytes; i++)
        if (reading->into[i] != byte_of(reading->of, reading->at + i))
            fail("member %d: byte %zu of a read from %zu of member %d is %d, and not %d", m->me, i,
                 reading->at, reading->of, reading->into[i], byte_of(reading->of, reading->at + i));
    CHECK(reading->into[reading->bytes] == 0x5a);
    free(reading->into);
    reading->busy = false;
    r->busy--;
}

static void read_some(struct member *m, struct rng *rng) {
    struct reads *r = m->state;
    while (r->busy == AT_ONCE)
        go_on(m);
    struct reading *reading = r->readings;
    while (reading->busy)
        reading++;
    reading->of = (m->me + 1 + rng_below(rng, m->company->members - 1)) % m->company->members;
    reading->bytes = 1 + (size_t)rng_below(rng, rng_below(rng, 3) ? 5000 : READ_BYTES);
    reading->at = (size_t)rng_below(rng, READ_BYTES - (int)reading->bytes + 1);
    reading->into = malloc(reading->bytes + 1);
    CHECK(reading->into);
    memset(reading->into, 0x5a, reading->bytes + 1);
    reading->busy = true;
    r->busy++;
    int error;
    while ((error = m->kind->read(m->net, m->peer[reading->of], &r->keys[reading->of], reading->at,
                                  reading->into, reading->bytes, reading)) == -EAGAIN)
        go_on(m);
    CHECK(error == 0);
}

static void read_body(struct member *m) {
    struct reads r = {0};
    struct rng rng = rng_for(m->company->seed, (uint64_t)m->me, 1, 0);
    unsigned char *memory = malloc(READ_BYTES);
    void *exposed;
    struct {
        uint64_t from;
        struct uno_net_key key;
    } packet = {.from = (uint64_t)m->me};
    m->state = &r;
    m->arrived = key_arrived;
    m->ended = read_ended;
    CHECK(memory);
    for (size_t i = 0; i < READ_BYTES; i++)
        memory[i] = byte_of(m->me, i);
    int error = m->kind->expose(m->net, memory, READ_BYTES, &packet.key, &exposed);
    if (error)
        fail("member %d cannot expose memory: %s", m->me, strerror(-error));
    for (int k = 0; k < m->company->members; k++)
        if (k != m->me)
            send_patiently(m, k, &(struct iovec){&packet, sizeof packet}, 1, NULL);
    while (r.keys_count < m->company->members - 1)
        go_on(m);
    for (int i = 0; i < READS; i++)
        read_some(m, &rng);
    while (r.busy)
        go_on(m);
    meet(m);
    m->kind->hide(m->net, exposed);
    free(memory);
}

void check_reads(struct company *company) {
    company->members = MEMBERS;
    company_run(company, read_body);
}

/* ---- sleep -------------------------------------------------------------------------------------------- */

/* A member's sleep: how often it woke, and how many packets have come. */
struct sleeper {
    int wakes, come;
};

static void count(struct member *m, const struct uno_net_event *event) {
    struct sleeper *s = m->state;
    s->come++;
    m->kind->release(m->net, event->packet);
}

static void sleep_until(struct member *m, int come) {
    struct sleeper *s = m->state;
    while (s->come < come) {
        if (go_on(m) || !m->kind->may_sleep(m->net))
            continue;
        struct pollfd fd = {.fd = m->kind->descriptor(m->net), .events = POLLIN};
        if (poll(&fd, 1, 10000) != 1)
            fail("member %d was not woken, after %d packets", m->me, s->come);
        s->wakes++;
    }
}

static void sleep_body(struct member *m) {
    struct sleeper s = {0};
    struct rng rng = rng_for(m->company->seed, 2, 0, 0);
    uint64_t word = 1;
    struct iovec packet = {&word, sizeof word};
    m->state = &s;
    m->arrived = count;
    for (int i = 0; i < ROUNDS; i++) {
        if (m->me) {
            pause_for(1e-3 * rng_below(&rng, 20)); /* also none, so that the packet may be there already */
            send_patiently(m, 0, &packet, 1, NULL);
        }
        sleep_until(m, i + 1);
        if (!m->me)
            send_patiently(m, 1, &packet, 1, NULL);
    }
    if (s.wakes > 20 * ROUNDS)
        fail("member %d woke %d times for %d packets", m->me, s.wakes, ROUNDS);
    meet(m);
}

void check_sleep(struct company *company) {
    company->members = 2;
    company_run(company, sleep_body);
}

/* ---- the end ------------------------------------------------------------------------------------------ */

static void count_in_order(struct member *m, const struct uno_net_event *event) {
    int *come = m->state;
    uint32_t number;
    memcpy(&number, event->data, sizeof number);
    if ((int)number != *come)
        fail("packet %d came, and not packet %d", (int)number, *come);
    ++*come;
    m->kind->release(m->net, event->packet);
}

static void end_nothing(struct member *m, const struct uno_net_event *event) {
    if (event->what == UNO_NET_FAILED)
        fail("member %d: a send has failed: %s", m->me, event->text);
}

/* Member 0 sends more than the system keeps, and closes its endpoint at once; the other one takes its time.
 */
static void close_body(struct member *m) {
    static uint32_t numbers[LAST][16000]; /* member 0 alone uses it */
    int come = 0;
    m->state = &come;
    m->ended = end_nothing;
    m->arrived = m->me ? count_in_order : put_nothing;
    if (m->me) {
        pause_for(0.2);
        while (come < LAST)
            if (!go_on(m))
                pause_for(1e-4);
    } else {
        for (uint32_t i = 0; i < LAST; i++) {
            numbers[i][0] = i;
            bool is_long = i % 3 == 0;
            struct iovec packet = {numbers[i], is_long ? sizeof numbers[i] : 8};
            send_patiently(m, 1, &packet, 1, is_long ? numbers[i] : NULL);
        }
        leave(m);
    }
    meet(m);
}

void check_close(struct company *company) {
    company->members = 2;
    company_run(company, close_body);
}
