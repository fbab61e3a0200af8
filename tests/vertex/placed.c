/* Long messages that are written straight to where their reader wants them, which PEs on several machines do:
 * to a reader that has come first, that comes late, that has less room than there are data, and from both
 * sides at the same time. PE 0 repeats each until it has been done once: a writer may send pieces for some
 * time. In the end nobody can write to any of that memory any more. */

#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "engine/channel/channel.h"
#include "engine/far/far.h"
#include "harness.h"
#include "vertex/ops.h"

enum { CONTEXT = 5, ORDER, DATA, READ = UNO_SIGNATURE_NREAD, GUARD = 0xaa, TRIES = 50, POOL = 300000 };

enum way { WAITS, LATE, SHORT, BOTH, WAYS };
static const size_t bytes_of[WAYS] = {3000001, 3000001, 1000001, 2000001};

static _Thread_local struct uno_channel *channel;
static _Thread_local int me;

/* The network of this PE, and how often it exposes memory and hides it again. */
static _Thread_local const struct uno_net_kind *kind;
static _Thread_local int exposed, hidden;

static int expose(struct uno_net *net, void *memory, size_t bytes, struct uno_net_key *key, void **handle) {
    int error = kind->expose(net, memory, bytes, key, handle);
    exposed += !error;
    return error;
}

static void hide(struct uno_net *net, void *handle) {
    hidden++;
    kind->hide(net, handle);
}

static void send(int tag, const void *data, size_t bytes) {
    uno_channel_send(channel, !me, uno_channel_word(CONTEXT, tag), data, bytes, UNO_SIGNATURE_NWRITE);
}

static struct uno_receive receive(int tag, void *data, size_t room) {
    return (struct uno_receive){.envelope = {CONTEXT, !me, tag}, .data = data, .room = room};
}

static void check(const struct uno_receive *r, size_t bytes, long number) {
    const unsigned char *data = r->data;
    size_t got = bytes < r->room ? bytes : r->room;
    CHECK_INT((long long)bytes, (long long)r->bytes);
    content_check(data, got, !me, number, me);
    for (size_t i = got; i <= bytes; i++)
        CHECK_INT(GUARD, data[i]);
}

static void read_long(enum way way, long number) {
    size_t bytes = bytes_of[way];
    unsigned char *data = malloc(bytes + 1);
    struct uno_receive r = receive(DATA, data, way == SHORT ? bytes / 2 : bytes);
    CHECK(data);
    memset(data, GUARD, bytes + 1);
    const struct uno_link *link = &channel->link[!me];
    if (way == LATE)
        uno_channel_await_message(channel, &r.envelope, READ);
    uno_channel_post(channel, &r);
    while (way == WAITS && link->far && !link->far->exposed && !r.done)
        uno_channel_progress(channel);
    uno_channel_finish(channel, &r, READ);
    check(&r, bytes, number);
    free(data);
}

/* Returns true if the reader has told its place, and so all that had not been sent went there. */
static bool write_long(enum way way, long number) {
    size_t bytes = bytes_of[way];
    unsigned char *data = malloc(bytes), *other = malloc(bytes + 1);
    const struct uno_link *link = &channel->link[!me];
    struct uno_receive r = receive(DATA, other, bytes);
    CHECK(data && other);
    content_fill(data, bytes, me, number);
    memset(other, GUARD, bytes + 1);
    if (way == BOTH)
        uno_channel_post(channel, &r);
    send(DATA, data, bytes);
    bool placed = !link->far || link->far->placed == link->opened;
    memset(data, 0xee, bytes); /* it may be changed */
    if (way == BOTH) {
        uno_channel_finish(channel, &r, READ);
        check(&r, bytes, number);
    }
    free(data);
    free(other);
    return placed;
}

/* The orders of PE 0 to PE 1: which way, and the number of the message. */
static void follow(void) {
    for (;;) {
        long order[2];
        struct uno_receive r = receive(ORDER, order, sizeof order);
        uno_channel_receive(channel, &r, READ);
        if (order[0] == BOTH)
            write_long(BOTH, order[1]);
        else if (order[0] < WAYS)
            read_long((enum way)order[0], order[1]);
        else
            return;
        send(ORDER, order, sizeof order);
    }
}

static bool order(enum way way, long number) {
    long order[2] = {way, number};
    struct uno_receive r = receive(ORDER, order, sizeof order);
    send(ORDER, order, sizeof order);
    bool placed = write_long(way, number);
    uno_channel_receive(channel, &r, READ);
    return placed;
}

static int body(void *unused) {
    struct uno_far *far = uno_self->far;
    struct uno_net_kind counted;
    long number = 0;
    (void)unused;
    channel = uno_channel_of(uno_self);
    me = p_iproc();
    if (far) {
        kind = far->kind;
        counted = *kind;
        counted.expose = expose;
        counted.hide = hide;
        far->kind = &counted;
    }
    channel->pool = POOL; /* so that a writer is not done before its reader comes */
    if (me) {
        follow();
    } else {
        for (enum way way = 0; way < WAYS; way++) {
            int tries = 0;
            while (!order(way, number++))
                if (++tries == TRIES)
                    test_fail("no reader has told the place of a message (way %d)", (int)way);
        }
        send(ORDER, (long[]){WAYS, 0}, 2 * sizeof(long));
    }
    p_wait();
    if (far) {
        CHECK(exposed > 0);
        CHECK_INT(exposed, hidden);
        far->kind = kind;
    }
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
