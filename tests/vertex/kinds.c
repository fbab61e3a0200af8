/* Lines of kinds that there are not, which only memory that was written over can have: as tests/misuse.h. No
 * face can write such a line, so the program has the library's objects. */

#include "misuse.h"

#include <vertex.h>

#include "engine/channel/channel.h"

/* PE 0 writes a message, and behind it such a line; PE 1 reads both. */
static void write_kind(int me, unsigned kind) {
    struct uno_channel *channel = uno_channel_of(uno_self);
    int node = 0, type = 0;
    if (me) {
        nread(NULL, 0, &node, &type);
        nread(NULL, 0, &node, &type);
    } else {
        nwrite(NULL, 0, 1, 0);
        uno_ring_put_line(&channel->link[1].out, kind, 0, NULL, 0);
        uno_bell_ring(&uno_mail_box(&channel->mail, 1)->bell, &channel->link[1].rung);
    }
}

static void none(int me) {
    write_kind(me, UNO_KIND_NONE);
}

static void next(int me) {
    write_kind(me, UNO_LINE_KINDS);
}

static void last(int me) {
    write_kind(me, 255);
}

/* The beginning and the end of the message with which PE 1 ends. */
#define HAS "unisono: PE 1: PE 0 has written to PE 1 a line of kind "
#define NOT ", which there is not: something has written over the memory for messages\n"

const struct misuse misuses[] = {
    {"none", 2, none, 0, {HAS "0" NOT}},
    {"next", 2, next, 0, {HAS "17" NOT}},
    {"last", 2, last, 0, {HAS "255" NOT}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;
