/* Sleep, and the end. */

#include "checks.h"

#include "rng.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 30, LAST = 300 };

static void put_nothing(struct member *m, const struct uno_net_event *event) {
    m->kind->release(m->net, event->packet);
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
