/* nextend, nstandard, nsend, nrcvreq, nbcast, nwait, nalloc, nfree. */

#include "local.h"

static inline void check_flag(struct uno_channel *channel, const int *flag, const char *name) {
    if (UNO_UNLIKELY(!flag))
        uno_fail(channel->pe, "%s: the flag is a null pointer", name);
}

void nextend(int node) {
    struct uno_channel *channel = uno_vertex("nextend");
    uno_channel_extend(channel, uno_vertex_pe(channel, node, "nextend"), "nextend");
}

void nstandard(int node) {
    struct uno_channel *channel = uno_vertex("nstandard");
    uno_channel_unextend(channel, uno_vertex_pe(channel, node, "nstandard"), "nstandard");
}

void nsend(const void *data, size_t bytes, int node, int *flag) {
    struct uno_channel *channel = uno_vertex("nsend");
    int k = uno_vertex_pe(channel, node, "nsend");
    uno_vertex_check_data(channel, data, bytes, "nsend");
    check_flag(channel, flag, "nsend");
    uno_channel_send_agreed(channel, &k, 1, data, bytes, flag, "nsend");
}

void nrcvreq(void *data, size_t bytes, int node, int *flag) {
    struct uno_channel *channel = uno_vertex("nrcvreq");
    int k = uno_vertex_pe(channel, node, "nrcvreq");
    uno_vertex_check_data(channel, data, bytes, "nrcvreq");
    check_flag(channel, flag, "nrcvreq");
    uno_channel_request(channel, k, data, bytes, flag, "nrcvreq");
}

void nbcast(const void *data, size_t bytes, unsigned dimensions, int *flag) {
    struct uno_channel *channel = uno_vertex("nbcast");
    int neighbours[32], count = 0, node = channel->pe->me - channel->view.first;
    uno_vertex_check_data(channel, data, bytes, "nbcast");
    check_flag(channel, flag, "nbcast");
    for (; dimensions; dimensions &= dimensions - 1) {
        unsigned d = (unsigned)__builtin_ctz(dimensions);
        unsigned neighbour = (unsigned)node ^ 1U << d;
        if (neighbour >= (unsigned)channel->view.n)
            uno_fail(channel->pe, "nbcast: node %d has no neighbour in dimension %u; the nodes are 0 to %d",
                     node, d, channel->view.n - 1);
        neighbours[count++] = channel->view.first + (int)neighbour;
    }
    uno_channel_send_agreed(channel, neighbours, count, data, bytes, flag, "nbcast");
}

void nwait(const int *flag) {
    struct uno_channel *channel = uno_vertex("nwait");
    check_flag(channel, flag, "nwait");
    uno_channel_await(channel, flag, UNO_SIGNATURE_NWAIT, "nwait");
}

void *nalloc(size_t bytes) {
    return uno_heap_take(&uno_vertex("nalloc")->heap, bytes);
}

void nfree(void *data) {
    struct uno_channel *channel = uno_vertex("nfree");
    size_t bytes = data ? uno_heap_give(&channel->heap, data) : 0;
    if (data && !bytes)
        uno_fail(channel->pe, "nfree: %p is not what nalloc has given to this node", data);
    if (UNO_UNLIKELY(bytes >= uno_mail_step(channel->pe->n)) && uno_sparse_few())
        uno_heap_shrink(&channel->heap);
}
