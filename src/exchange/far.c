/* Blocks of a group whose members are on several machines: each block is a message (engine/channel/), also
 * between members on the same machine.
 *
 * All members meet first, so that none returns before all have called, and those who are in different
 * operations are told so. Each asks for all blocks before it sends its own, and takes in what comes while it
 * sends: so nobody waits for another one in a circle, however little room there is on the way. The messages
 * carry no number, for two members go through the exchanges that they share in the same order. */

#include <stdlib.h>

#include "engine/channel/channel.h"
#include "local.h"
#include "transfer.h"

/* The context of these messages, in which programs can send nothing: nodes of a cube have much lower ones,
 * and every communicator has other bits at the top. */
#define CONTEXT (UINT32_C(5) << 27 | 1)

/* One exchange, at one member. */
struct far {
    const struct uno_transfer *t;
    struct uno_channel *channel;
    struct uno_receive *receive; /* of each member's block */
    char *packed; /* one block of rows for a member, and behind it those from all members; or NULL */
};

static void *memory(const struct uno_transfer *t, size_t bytes) {
    void *room = malloc(bytes);
    if (!room)
        uno_fail(t->pe, "%s: out of memory, %zu bytes", t->name, bytes);
    return room;
}

/* Wait for all members. Equal blocks must have as many bytes at each. */
static void meet(const struct uno_transfer *t) {
    uint64_t bytes = t->from.bytes ? 0 : uno_side_bytes(&t->from, 0);
    const void *const *data = t->pe->unit->meet(t->pe, t->signature, &bytes, 1);
    for (int r = 0; r < t->pe->group.size; r++) {
        uint64_t theirs = *(const uint64_t *)data[r];
        if (UNO_UNLIKELY(theirs != bytes))
            uno_transfer_differ(t, r, bytes, theirs);
    }
    uno_leave(t->pe);
}

/* Return where the block from member r comes in: to its place, unless it has to be unpacked. */
static char *place_of(const struct far *far, int r) {
    const struct uno_side *to = &far->t->to;
    if (uno_side_plain(to))
        return uno_side_at(to, r);
    return far->packed + (size_t)(r + 1) * uno_side_bytes(to, r);
}

static void ask(const struct far *far, int r) {
    far->receive[r] =
        (struct uno_receive){.envelope = {.context = CONTEXT, .source = uno_exchange_member(far->t->pe, r)},
                             .data = place_of(far, r),
                             .room = uno_side_bytes(&far->t->to, r)};
    uno_channel_post(far->channel, &far->receive[r]);
}

static void send(const struct far *far, int r) {
    const struct uno_side *from = &far->t->from;
    size_t bytes = uno_side_bytes(from, r);
    const char *data = uno_side_at(from, r);
    if (!uno_side_plain(from)) {
        uno_side_pack(from, r, 0, bytes, far->packed);
        data = far->packed;
    }
    uno_channel_send(far->channel, uno_exchange_member(far->t->pe, r), uno_channel_word(CONTEXT, 0), data,
                     bytes, far->t->signature);
}

static void take(const struct far *far, int r) {
    const struct uno_transfer *t = far->t;
    struct uno_receive *receive = &far->receive[r];
    uno_channel_finish(far->channel, receive, t->signature);
    if (UNO_UNLIKELY(receive->bytes != receive->room))
        uno_transfer_unexpected(t, r, receive->bytes);
    if (!uno_side_plain(&t->to))
        uno_side_unpack(&t->to, r, 0, receive->bytes, place_of(far, r));
}

void uno_transfer_far(const struct uno_transfer *t) {
    int me = t->pe->group.rank, size = t->pe->group.size;
    struct far far = {.t = t, .channel = uno_channel_of(t->pe)};
    meet(t);
    far.receive = memory(t, (size_t)size * sizeof *far.receive);
    if (!uno_side_plain(&t->to) || !uno_side_plain(&t->from))
        far.packed = memory(t, (size_t)(size + 1) * uno_side_bytes(&t->to, 0));
    /* Each begins with the member behind it, so that they do not all send to the same one. */
    for (int i = 1; i < size; i++)
        ask(&far, (me + size - i) % size);
    for (int i = 1; i < size; i++)
        send(&far, (me + i) % size);
    uno_side_copy(&t->to, me, &t->from, me, memcpy);
    for (int i = 1; i < size; i++)
        take(&far, (me + size - i) % size);
    free(far.packed);
    free(far.receive);
}
