/* Programs that break a rule of vertex.h, one a row: as tests/misuse.c. */

#include "misuse.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vertex.h>

#include "harness.h"

static _Thread_local char data[1000000];

static void read_any(size_t room, int node, int type) {
    nread(data, room, &node, &type);
}

/* ---- arguments --------------------------------------------------------------------------------------- */

static void write_beyond(int me) {
    nwrite(data, 1, me == 1 ? 3 : 0, 0);
}

static void write_negative(int me) {
    nwrite(data, 1, me == 1 ? -1 : 0, 0);
}

static void write_type(int me) {
    nwrite(data, 1, 0, me == 1 ? -5 : 0);
}

static void write_null(int me) {
    nwrite(me == 1 ? NULL : data, 1, 0, 0);
}

static void read_beyond(int me) {
    if (me == 1)
        read_any(1, 2, 0);
}

static void read_type(int me) {
    if (me == 1)
        read_any(1, 0, -2);
}

static void test_beyond(int me) {
    int node = me == 1 ? -7 : 0;
    ntest(&node, NULL);
}

static void too_long(int me) {
    if (me == 0)
        nwrite(data, 100, 1, 42);
    else
        read_any(99, 0, NANY);
}

static void far_too_long(int me) {
    if (me == 0)
        nwrite(data, 100001, 1, 42);
    else
        read_any(99, 0, NANY);
}

static void free_other(int me) {
    char *p = nalloc(100);
    if (me == 1)
        nfree(p + 64);
}

static void free_twice(int me) {
    char *p = nalloc(100);
    nfree(p);
    if (me == 1)
        nfree(p);
}

/* ---- a node that is gone ----------------------------------------------------------------------------- */

static void read_left(int me) {
    if (me == 0)
        read_any(1, 1, 0);
}

static void probe_left(int me) {
    int node = 1;
    if (me == 0)
        nprobe(&node, NULL);
}

static void read_left_other_type(int me) {
    if (me == 0)
        read_any(1, 1, 0);
    else
        nwrite(data, 1, 0, 1);
}

static void read_any_left(int me) {
    if (me == 0)
        read_any(1, NANY, NANY);
}

static void read_self(int me) {
    if (me == 1)
        read_any(1, 1, 3);
    read_any(1, 1, 3);
}

static void write_left(int me) {
    npool(100000);
    for (int i = 0; me == 0 && i < 100; i++)
        nwrite(data, 10000, 1, 0);
}

static void exit_left(int me) {
    for (int i = 0; me == 0 && i < 1000; i++)
        nwrite(data, 100, 1, 0);
}

static void wait_left(int me) {
    int flag;
    nextend(1 - me);
    if (me == 0) {
        nrcvreq(data, 10, 1, &flag);
        nwait(&flag);
    }
}

/* ---- the extended protocol --------------------------------------------------------------------------- */

/* Node 1 requests `requested` bytes from node 0, unless that is negative, and node 0 sends `sent`. */
static void lengths(int me, long requested, long sent) {
    int flag = 1;
    nextend(1 - me);
    if (me == 1 && requested >= 0)
        nrcvreq(data, (size_t)requested, 0, &flag);
    p_wait();
    if (me == 0)
        nsend(data, (size_t)sent, 1, &flag);
    nwait(&flag);
    p_wait();
    npoll();
    p_wait();
}

static void shorter(int me) {
    lengths(me, 11, 10);
}
static void longer(int me) {
    lengths(me, 10, 11);
}
static void much_longer(int me) {
    lengths(me, 10, 100000);
}
static void much_shorter(int me) {
    lengths(me, 100000, 10);
}
static void long_but_shorter(int me) {
    lengths(me, 100001, 100000);
}
static void not_requested(int me) {
    lengths(me, -1, 10);
}
static void not_requested_long(int me) {
    lengths(me, -1, 100000);
}

static void requested_late(int me) {
    int flag;
    nextend(1 - me);
    p_wait();
    if (me == 0) {
        nsend(data, 10, 1, &flag);
        nrcvreq(data, 10, 1, &flag);
        nwait(&flag);
    } else {
        test_sleep(0.2);
        nrcvreq(data, 10, 0, &flag);
        nwait(&flag);
    }
}

static void too_many(int me) {
    int flag[NPENDING + 1];
    nextend(1 - me);
    for (int i = 0; me == 1 && i <= NPENDING; i++)
        nrcvreq(data, 10, 0, &flag[i]);
    p_wait();
}

static void write_on_extended(int me) {
    if (me == 0) {
        nextend(1);
        nwrite(data, 10, 1, 0);
    }
    p_wait();
}

static void standard_to_extended(int me) {
    int flag;
    if (me == 1) {
        nextend(0);
        p_wait();
        nrcvreq(data, 10, 0, &flag);
        nwait(&flag);
    } else {
        p_wait();
        nwrite(data, 10, 1, 0);
        p_wait();
    }
}

static void extended_to_standard(int me) {
    int flag;
    if (me == 0) {
        nextend(1);
        nsend(data, 10, 1, &flag);
        p_wait();
    } else {
        read_any(10, 0, NANY);
    }
}

static void send_on_standard(int me) {
    int flag;
    if (me == 0)
        nsend(data, 10, 1, &flag);
    p_wait();
}

static void request_on_standard(int me) {
    int flag;
    if (me == 1)
        nrcvreq(data, 10, 0, &flag);
    p_wait();
}

static void extend_unread(int me) {
    if (me == 0)
        nwrite(data, 10, 1, 0);
    p_wait();
    nextend(1 - me);
    p_wait();
}

static void extend_self(int me) {
    nextend(me == 1 ? 1 : 1);
    p_wait();
}

static void standard_pending(int me) {
    int flag;
    nextend(1 - me);
    if (me == 1) {
        nrcvreq(data, 10, 0, &flag);
        nstandard(0);
    }
    p_wait();
}

static void no_neighbour(int me) {
    int flag;
    nextend(me ? 0 : 1);
    if (me == 0)
        nbcast(data, 10, 4, &flag);
    p_wait();
}

static void wait_for_nothing(int me) {
    int flag = 0;
    if (me == 1)
        nwait(&flag);
    p_wait();
}

static void null_flag(int me) {
    nextend(1 - me);
    if (me == 1)
        nrcvreq(data, 10, 0, NULL);
    p_wait();
}

/* ---- session ----------------------------------------------------------------------------------------- */

static void after_exit(int me) {
    p_wait();
    if (me) /* whose second p_exit would be an error, too */
        return;
    p_exit(0);
    nwrite(data, 1, 1, 0);
}

#define OF(what) "unisono: PE " what
const struct misuse misuses[] = {
    {"write-beyond", 3, write_beyond, 0, {OF("1: nwrite: node 3; the nodes are 0 to 2\n")}},
    {"write-negative", 2, write_negative, 0, {OF("1: nwrite: node -1; the nodes are 0 to 1\n")}},
    {"write-type", 2, write_type, 0, {OF("1: nwrite: type -5; types are numbers from 0\n")}},
    {"write-null", 2, write_null, 0, {OF("1: nwrite: the data is a null pointer\n")}},
    {"read-beyond", 2, read_beyond, 0, {OF("1: nread: node 2; the nodes are 0 to 1\n")}},
    {"read-type", 2, read_type, 0, {OF("1: nread: type -2; types are numbers from 0, and NANY\n")}},
    {"test-beyond", 2, test_beyond, 0, {OF("1: ntest: node -7; the nodes are 0 to 1\n")}},
    {"too-long",
     2,
     too_long,
     0,
     {OF("1: nread: the message of type 42 from node 0 has 100 bytes, and there is room for 99\n")}},
    {"far-too-long",
     2,
     far_too_long,
     0,
     {"type 42 from node 0 has 100001 bytes, and there is room for 99\n"}},
    {"free-other", 2, free_other, 0, {OF("1: nfree: "), "is not what nalloc has given to this node\n"}},
    {"free-twice", 2, free_twice, 0, {OF("1: nfree: "), "is not what nalloc has given to this node\n"}},
    {"read-left", 2, read_left, 0, {OF("0: nread waits for PE 1, which has left\n")}},
    {"probe-left", 2, probe_left, 0, {OF("0: nprobe waits for PE 1, which has left\n")}},
    {"read-left-other-type", 2, read_left_other_type, 0, {OF("0: nread waits for PE 1, which has left\n")}},
    {"read-any-left", 5, read_any_left, 0, {OF("0: nread waits for any PE, and all others have left\n")}},
    {"read-self",
     2,
     read_self,
     0,
     {OF("1: nread waits for PE 1, which is itself, and there is no such message\n")}},
    {"write-left",
     2,
     write_left,
     0,
     {OF("0: nwrite: PE 1 has left without taking in what was written to it")}},
    {"exit-left", 2, exit_left, 0, {OF("0: p_exit: PE 1 has left without taking in what was written to it")}},
    {"wait-left", 2, wait_left, 0, {OF("0: nwait waits for PE 1, which has left\n")}},
    {"shorter",
     2,
     shorter,
     0,
     {OF("1: PE 0 has sent an extended message of 10 bytes to PE 1, which had requested 11\n")}},
    {"longer",
     2,
     longer,
     0,
     {"PE 0 has sent an extended message of 11 bytes to PE 1, which had requested 10\n"}},
    {"much-longer",
     2,
     much_longer,
     0,
     {OF("0: nsend: PE 0 sends an extended message of 100000 bytes to PE 1, which has requested 10\n")}},
    {"much-shorter", 2, much_shorter, 0, {"message of 10 bytes to PE 1, which had requested 100000\n"}},
    {"long-but-shorter", 2, long_but_shorter, 0, {"of 100000 bytes to PE 1, which has requested 100001\n"}},
    {"not-requested",
     2,
     not_requested,
     0,
     {OF("1: PE 0 has sent an extended message of 10 bytes to PE 1, which had not requested it\n")}},
    {"not-requested-long",
     2,
     not_requested_long,
     0,
     {OF("0: nsend: PE 0 sends an extended message of 100000 bytes to PE 1, which has not requested it\n")}},
    {"requested-late", 2, requested_late, 0.2, {"of 10 bytes to PE 1, which had not requested it\n"}},
    {"too-many",
     2,
     too_many,
     0,
     {OF("1: nrcvreq: 16 messages from PE 0 have been requested and not come yet; so many can be\n")}},
    {"write-on-extended",
     2,
     write_on_extended,
     0,
     {OF("0: nwrite: the channel to PE 1 is extended: it takes no standard messages\n")}},
    {"standard-to-extended",
     2,
     standard_to_extended,
     0,
     {OF("1: PE 0 has sent a standard message to PE 1, whose end of the channel is extended\n")}},
    {"extended-to-standard",
     2,
     extended_to_standard,
     0,
     {OF("1: PE 0 has sent an extended message to PE 1, whose end of the channel is standard\n")}},
    {"send-on-standard",
     2,
     send_on_standard,
     0,
     {OF("0: nsend: the channel to PE 1 is standard; extend it first\n")}},
    {"request-on-standard",
     2,
     request_on_standard,
     0,
     {OF("1: nrcvreq: the channel to PE 0 is standard; extend it first\n")}},
    {"extend-unread",
     2,
     extend_unread,
     0,
     {OF("1: nextend: standard messages from PE 0 to PE 1 have not been read yet\n")}},
    {"extend-self", 2, extend_self, 0, {OF("1: nextend: PE 1 is this one; a channel joins two\n")}},
    {"standard-pending",
     2,
     standard_pending,
     0,
     {OF("1: nstandard: a message from PE 0 has been requested by PE 1, and not come yet\n")}},
    {"no-neighbour",
     3,
     no_neighbour,
     0,
     {OF("0: nbcast: node 0 has no neighbour in dimension 2; the nodes are 0 to 2\n")}},
    {"wait-for-nothing",
     2,
     wait_for_nothing,
     0,
     {OF("1: nwait: the flag belongs to nothing that is open\n")}},
    {"null-flag", 2, null_flag, 0, {OF("1: nrcvreq: the flag is a null pointer\n")}},
    {"after-exit", 2, after_exit, 0, {"unisono: nwrite was called after p_exit\n"}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;
