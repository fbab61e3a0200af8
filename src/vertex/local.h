/* Helpers that the functions of vertex.h share. */

#ifndef UNO_VERTEX_LOCAL_H
#define UNO_VERTEX_LOCAL_H

#include "engine/channel/channel.h"
#include "engine/fault.h"
#include "ops.h"
#include "vertex.h"

/* Return the calling thread's channel. Ends with an error unless the thread is a PE. */
static inline struct uno_channel *uno_vertex(const char *name) {
    struct uno_pe *pe = uno_self;
    uno_check_inside(pe, name);
    return uno_channel_of(pe);
}

static UNO_COLD _Noreturn void uno_vertex_no_node(struct uno_channel *channel, int node, const char *name) {
    uno_fail(channel->pe, "%s: node %d; the nodes are 0 to %d", name, node, channel->view.n - 1);
}

/* Return the number of the PE that a node is. Ends with an error if there is no such node. */
static inline int uno_vertex_pe(struct uno_channel *channel, int node, const char *name) {
    if (UNO_UNLIKELY((unsigned)node >= (unsigned)channel->view.n))
        uno_vertex_no_node(channel, node, name);
    return channel->view.first + node;
}

static inline void uno_vertex_check_data(struct uno_channel *channel, const void *data, size_t bytes,
                                         const char *name) {
    if (UNO_UNLIKELY(!data && bytes))
        uno_fail(channel->pe, "%s: the data is a null pointer", name);
}

#endif
