#include "collective/operation/blocks.h"
#include "collective/operation/collective.h"
#include "collective/transport/slots.h"
#include "collective/transport/unit.h"

static void by_slots(const struct uno_comm *c, const char *in, char *out, size_t bytes) {
    const void *const *data = uno_slots_meet(c, UNO_MPI_ALLTOALL, bytes, in, bytes * (size_t)c->size);
    for (int r = 0; r < c->size; r++)
        memcpy(out + (size_t)r * bytes, (const char *)data[r] + (size_t)c->rank * bytes, bytes);
    uno_slots_end(c);
}

static void large(struct uno_comm *c, enum uno_path path, char *in, char *out, size_t bytes) {
    const struct uno_blocks from = {.bytes = in, .size = bytes}, to = {.bytes = out, .size = bytes};
    if (path == UNO_BY_UNIT) {
        uno_unit_scatter(c, UNO_MPI_ALLTOALL, bytes, in, out, bytes, -1);
        return;
    }
    uno_plan_begin(c, UNO_MPI_ALLTOALL);
    uno_blocks_scatter_equal(c, UNO_MPI_ALLTOALL, path, &from, &to, -1, bytes);
    uno_plan_end(c, UNO_MPI_ALLTOALL, bytes);
}

bool uno_alltoall(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out) {
    size_t n = (size_t)c->size, bytes = out->count * out->layout->size;
    enum uno_path path = uno_plan(c, UNO_MPI_ALLTOALL, bytes, bytes, UNO_BLOCK_EACH);
    if (UNO_UNLIKELY(path == UNO_BY_HOST))
        return false;
    struct uno_view receive = uno_view_out(out->at, out->count * n, out->layout), send;
    in = in ? in : out;
    send = uno_view_in(in->at, in->count * n, in->layout);
    if (path == UNO_BY_SLOTS)
        by_slots(c, send.bytes, receive.bytes, bytes);
    else
        large(c, path, send.bytes, receive.bytes, bytes);
    uno_view_unpack(&receive, 0, receive.data.count);
    uno_view_drop(&send);
    uno_view_drop(&receive);
    return true;
}

bool uno_alltoall_blocks(struct uno_comm *c, struct uno_block *send_of, struct uno_block *receive_of) {
    struct uno_parts send = {.blocks.of = send_of};
    struct uno_blocks receive = {.of = receive_of};
    return uno_parts_scatter(c, UNO_MPI_ALLTOALLV, &send, &receive, -1);
}

bool uno_alltoallv(struct uno_comm *c, const struct uno_varied *in, const struct uno_varied *out) {
    struct uno_block send_of[c->size], receive_of[c->size];
    struct uno_parts receive = uno_parts_open(receive_of, c->size, out);
    struct uno_parts send = uno_parts_open(send_of, c->size, in ? in : out);
    for (int r = 0; r < c->size; r++)
        uno_parts_pack(&send, r);
    bool done = uno_alltoall_blocks(c, send_of, receive_of);
    for (int r = 0; done && r < c->size; r++)
        uno_parts_unpack(&receive, r);
    free(send.memory);
    free(receive.memory);
    return done;
}
