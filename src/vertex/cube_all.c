/* Operations of all nodes of a cube: along a spanning tree, and by exchanges across each dimension. */

#include <stdlib.h>
#include <string.h>

#include "cube_local.h"

/* Messages between nodes of the cube, in a context that nread does not see. */
static void send(struct uno_channel *channel, int node, const void *data, size_t bytes, unsigned signature) {
    const struct uno_numbering *view = &channel->view;
    uno_channel_send(channel, view->first + node, uno_channel_word(view->context | 1, 0), data, bytes,
                     signature);
}

static void receive(struct uno_channel *channel, int node, void *data, size_t bytes, unsigned signature,
                    const char *name) {
    const struct uno_numbering *view = &channel->view;
    struct uno_receive receive = {.envelope = {.context = view->context | 1, .source = view->first + node},
                                  .data = data,
                                  .room = bytes};
    uno_channel_receive(channel, &receive, signature);
    if (receive.bytes != bytes)
        uno_fail(channel->pe, "%s: node %d gives %zu bytes, but node %d %zu", name, uno_cube_node(channel),
                 bytes, node, receive.bytes);
}

/* A node has the data from the one that lacks the lowest of the bits in which its number differs from the
 * root's, and passes them on across the dimensions below that: to half of what remains of the cube first. */
void nspread(void *data, size_t bytes, int root) {
    struct uno_channel *channel = uno_vertex("nspread");
    int dimension = uno_cube_dimension(channel, "nspread"), me = uno_cube_node(channel), k = dimension;
    unsigned signature = UNO_SIGNATURE_NSPREAD;
    uno_vertex_pe(channel, root, "nspread");
    uno_vertex_check_data(channel, data, bytes, "nspread");
    if (me != root) {
        k = __builtin_ctz((unsigned)(me ^ root));
        receive(channel, me ^ 1 << k, data, bytes, signature, "nspread");
    }
    while (k-- > 0)
        send(channel, me ^ 1 << k, data, bytes, signature);
}

/* After the exchange across dimension k a node has the combination of 2^(k+1) nodes, in their order. */
void ncombine(void *data, size_t bytes, ncombiner combiner, void *context) {
    struct uno_channel *channel = uno_vertex("ncombine");
    int dimension = uno_cube_dimension(channel, "ncombine"), me = uno_cube_node(channel);
    unsigned signature = UNO_SIGNATURE_NCOMBINE;
    char small[256], *other = bytes <= sizeof small ? small : malloc(bytes);
    uno_vertex_check_data(channel, data, bytes, "ncombine");
    if (!other)
        uno_fail(channel->pe, "ncombine: no memory for another %zu bytes", bytes);
    for (int k = 0; k < dimension; k++) {
        send(channel, me ^ 1 << k, data, bytes, signature);
        receive(channel, me ^ 1 << k, other, bytes, signature, "ncombine");
        if (me >> k & 1) {
            combiner(other, data, bytes, context);
            if (bytes)
                memcpy(data, other, bytes);
        } else {
            combiner(data, other, bytes, context);
        }
    }
    if (other != small)
        free(other);
}
