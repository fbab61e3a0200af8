/* Unisono's network: short messages in one packet, long ones in packets of 64 KB, which are copied out. */

#include "side.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct end {
    const struct uno_net_kind *kind;
    struct uno_net *net;
    uint64_t peer;
    int sent;    /* sends that are not over */
    char *into;  /* what is received goes here, */
    size_t left; /* and so much is still to come */
};

static void *open_end(const char *interface) {
    struct end *e = calloc(1, sizeof *e);
    char error[UNO_NET_ERROR];
    e->kind = &uno_net_fabric;
    e->net =
        e->kind->open(&(struct uno_net_wishes){.interface = interface, .packet = PIECE, .packets = 1}, error);
    if (!e->net)
        fail(error);
    return e;
}

static size_t address(void *end, char address[UNO_NET_ADDRESS]) {
    struct end *e = end;
    return e->kind->address(e->net, address);
}

static void name_peer(void *end, const char *address, size_t bytes) {
    struct end *e = end;
    if (e->kind->name_peer(e->net, address, bytes, &e->peer))
        fail("a peer cannot be named");
}

static void go_on(struct end *e) {
    struct uno_net_event event;
    if (!e->kind->poll(e->net, &event))
        return;
    if (event.what == UNO_NET_FAILED)
        fail(event.text);
    if (event.what == UNO_NET_DONE) {
        e->sent--;
        return;
    }
    if (event.bytes > e->left)
        fail("a packet is too long");
    memcpy(e->into, event.data, event.bytes);
    e->into += event.bytes;
    e->left -= event.bytes;
    e->kind->release(e->net, event.packet);
}

static void send_all(void *end, const void *data, size_t bytes) {
    struct end *e = end;
    bool copies = bytes <= e->kind->least(e->net);
    for (size_t at = 0; at < bytes; at += PIECE) {
        struct iovec part = {(char *)data + at, bytes - at < PIECE ? bytes - at : PIECE};
        int error;
        while ((error = e->kind->send(e->net, e->peer, &part, 1, copies ? NULL : e)) == -EAGAIN)
            go_on(e);
        if (error)
            fail(strerror(-error));
        e->sent += !copies;
    }
    while (e->sent)
        go_on(e);
}

static void expect(void *end, void *data, size_t bytes) {
    struct end *e = end;
    e->into = data;
    e->left = bytes;
}

static void receive(void *end) {
    struct end *e = end;
    while (e->left)
        go_on(e);
}

const struct side side_unisono = {"unisono", open_end, address, name_peer, send_all, expect, receive};
