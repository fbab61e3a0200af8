/* The entries of vertex.h. A request is known by the address of its flag. */

#include "groups.h"
#include "next.h"

enum { NO_TYPE = -2 }; /* of extended messages: no type of a standard one, nor NANY */

static uint64_t request_of(const int *flag) {
    return (uint64_t)(uintptr_t)flag;
}

/* Send a message, or ask for one, by a request. */
#define REQUEST(name, arguments, tell)                                                                       \
    UNO_SEEN_ENTRY(name, uno_seen_cube());                                                                   \
    if (begun) {                                                                                             \
        tell;                                                                                                \
        uno_seen_go(&entry.m, false);                                                                        \
    }                                                                                                        \
    uno_seen_next.name arguments;                                                                            \
    if (begun) {                                                                                             \
        uno_seen_worked(&entry);                                                                             \
        uno_seen_keep(&entry.m, request_of(flag), false);                                                    \
    }

void nwrite(const void *data, size_t bytes, int node, int type) {
    UNO_SEEN_ENTRY(nwrite, uno_seen_cube());
    if (begun) {
        uno_seen_send(&entry.m, node, type, bytes);
        uno_seen_go(&entry.m, false);
    }
    uno_seen_next.nwrite(data, bytes, node, type);
}

/* Wait for a message. The library tells which one it was, whether the program asks or not. */
#define AWAIT(name, takes, call)                                                                             \
    int from = node ? *node : NANY, kind = type ? *type : NANY;                                              \
    UNO_SEEN_ENTRY(name, uno_seen_cube());                                                                   \
    if (begun) {                                                                                             \
        uno_seen_receive(&entry.m, from, kind, takes);                                                       \
        uno_seen_go(&entry.m, false);                                                                        \
    }                                                                                                        \
    ssize_t bytes = uno_seen_next.call;                                                                      \
    if (begun) {                                                                                             \
        uno_seen_worked(&entry);                                                                             \
        uno_seen_got(&entry.m, from, kind);                                                                  \
    }                                                                                                        \
    if (node)                                                                                                \
        *node = from;                                                                                        \
    if (type)                                                                                                \
        *type = kind;                                                                                        \
    return bytes

ssize_t nread(void *data, size_t room, int *node, int *type) {
    AWAIT(nread, true, nread(data, room, &from, &kind));
}

ssize_t nprobe(int *node, int *type) {
    AWAIT(nprobe, false, nprobe(&from, &kind));
}

ssize_t ntest(int *node, int *type) {
    UNO_SEEN_ENTRY(ntest, uno_seen_cube());
    if (begun)
        uno_seen_go(&entry.m, false);
    return uno_seen_next.ntest(node, type);
}

void nsend(const void *data, size_t bytes, int node, int *flag) {
    REQUEST(nsend, (data, bytes, node, flag), uno_seen_send(&entry.m, node, NO_TYPE, bytes));
}

void nrcvreq(void *data, size_t bytes, int node, int *flag) {
    REQUEST(nrcvreq, (data, bytes, node, flag), uno_seen_receive(&entry.m, node, NO_TYPE, true));
}

/* Tell of a message to each of the neighbours. */
static void send_all(struct uno_seen_passed *m, unsigned dimensions, size_t bytes) {
    for (unsigned rest = dimensions; rest; rest &= rest - 1)
        uno_seen_send(m, uno_seen_node() ^ 1 << __builtin_ctz(rest), NO_TYPE, bytes);
}

void nbcast(const void *data, size_t bytes, unsigned dimensions, int *flag) {
    REQUEST(nbcast, (data, bytes, dimensions, flag), send_all(&entry.m, dimensions, bytes));
}

void nwait(const int *flag) {
    UNO_SEEN_ENTRY(nwait, uno_seen_cube());
    if (begun) {
        uno_seen_look(&entry.m, 1);
        *entry.m.handle = request_of(flag);
        uno_seen_go(&entry.m, false);
    }
    uno_seen_next.nwait(flag);
    if (begun) {
        uno_seen_worked(&entry);
        uno_seen_done(&entry.m, 0, NANY, NANY);
    }
}
