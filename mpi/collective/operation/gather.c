#include "collective/operation/blocks.h"
#include "collective/operation/collective.h"
#include "collective/transport/ring.h"
#include "collective/transport/staged.h"
#include "collective/transport/unit.h"

/* ---- equal blocks ------------------------------------------------------------------------------------ */

/* block: in the ranks that send; blocks: in the root. */
static void by_ring(const struct uno_comm *c, const char *block, char *blocks, size_t bytes, int root) {
    uno_rings_begin(c);
    if (!blocks)
        uno_rings_put(c, root, UNO_MPI_GATHER, bytes, block, bytes);
    for (int r = 0; blocks && r < c->size; r++)
        if (r != root)
            uno_rings_get(c, r, UNO_MPI_GATHER, bytes, blocks + (size_t)r * bytes, bytes);
}

static void by_slots(const struct uno_comm *c, const char *block, char *blocks, size_t bytes) {
    const void *const *data = uno_slots_meet(c, UNO_MPI_GATHER, bytes, block, bytes);
    for (int r = 0; blocks && r < c->size; r++)
        if (r != c->rank)
            uno_slots_copy(blocks + (size_t)r * bytes, data[r], bytes);
    uno_slots_end(c);
}

static void large(struct uno_comm *c, enum uno_path path, char *block, char *blocks, size_t bytes) {
    const struct uno_block own = {block, bytes};
    const struct uno_blocks all = {.bytes = blocks, .size = bytes};
    if (path == UNO_BY_UNIT) {
        uno_unit_gather(c, UNO_MPI_GATHER, bytes, block ? &own : NULL, blocks ? &all : NULL, 0, bytes);
        return;
    }
    uno_plan_begin(c, UNO_MPI_GATHER);
    uno_blocks_gather(c, UNO_MPI_GATHER, path, bytes, block ? &own : NULL, blocks ? &all : NULL, 0, bytes);
    uno_plan_end(c, UNO_MPI_GATHER, bytes);
}

bool uno_gather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out, int root) {
    size_t bytes = out ? out->count * out->layout->size : in->count * in->layout->size;
    enum uno_path path = uno_plan(c, UNO_MPI_GATHER, bytes, bytes, UNO_ONE_BLOCK);
    if (UNO_UNLIKELY(path == UNO_BY_HOST))
        return false;
    struct uno_view all = {0}, own = {0};
    if (in)
        own = uno_view_in(in->at, in->count, in->layout);
    if (out)
        all = uno_view_out(out->at, out->count * (size_t)c->size, out->layout);
    char *block = out ? NULL : own.bytes;
    if (path == UNO_BY_RING)
        by_ring(c, block, all.bytes, bytes, root);
    else if (path == UNO_BY_SLOTS)
        by_slots(c, block, all.bytes, bytes);
    else
        large(c, path, block, all.bytes, bytes);
    if (out)
        uno_blocks_finish(c, &all, own.bytes, out->count, bytes);
    uno_view_drop(&all);
    uno_view_drop(&own);
    return true;
}

/* ---- blocks of different sizes ----------------------------------------------------------------------- */

/* A post: the size of the block, and the block itself if there is room. */
enum { BESIDE_SIZE = UNO_BYTES - 8 };

/* Put the size of this rank's block, with the block or its first piece. Returns the data of each rank. */
static const void *const *put_first(struct uno_comm *c, const char *block, size_t size) {
    uint64_t words[UNO_BYTES / 8] = {size};
    bool beside = size <= BESIDE_SIZE;
    if (block && size && beside)
        memcpy(&words[1], block, size);
    else if (block && size && uno_plan_brings(c, UNO_MPI_GATHERV, size, UNO_ONE_BLOCK))
        memcpy(uno_staged_room(c), block, uno_least(size, UNO_PIECE));
    return uno_slots_meet(c, UNO_MPI_GATHERV, 0, words, beside ? 8 + size : sizeof words[0]);
}

/* Read the other ranks' posts: cut each block to the bytes that were sent, and if `pieces` take its first
 * piece. */
static void get_first(const struct uno_comm *c, const void *const *data, const struct uno_blocks *to,
                      bool pieces, bool *truncated) {
    for (int r = 0; r < c->size; r++) {
        struct uno_block *b = &to->of[r];
        uint64_t size;
        memcpy(&size, data[r], sizeof size);
        if (r == c->rank)
            continue;
        *truncated |= size > b->size;
        b->size = uno_least(b->size, size);
        if (pieces)
            uno_staged_get(*b, 0, size <= BESIDE_SIZE ? (const char *)data[r] + 8 : uno_staged_of(c, r),
                           UNO_PIECE);
    }
}

/* Put this rank's block; every rank does. to: room for the other ranks' blocks, or NULL. False: the blocks
 * are for the host. */
static bool varied(struct uno_comm *c, char *block, size_t size, const struct uno_blocks *to,
                   bool *truncated) {
    const struct uno_block own = {block, size};
    uno_plan_begin(c, UNO_MPI_GATHERV);
    const void *const *data = put_first(c, block, size);
    size_t most = uno_parts_greatest(c, data);
    enum uno_path path = uno_plan_varied(c, UNO_MPI_GATHERV, most, UNO_ONE_BLOCK);
    if (to && path != UNO_BY_HOST)
        get_first(c, data, to, path == UNO_BY_STAGED, truncated);
    uno_slots_end(c);
    if (path == UNO_BY_HOST)
        return false;
    uno_blocks_gather(c, UNO_MPI_GATHERV, path, 0, block ? &own : NULL, to, UNO_PIECE, most);
    uno_plan_end(c, UNO_MPI_GATHERV, most);
    return true;
}

/* Likewise by the unit. False: the blocks are too large for it. */
static bool varied_by_unit(struct uno_comm *c, char *block, size_t size, const struct uno_blocks *to,
                           bool *truncated) {
    const struct uno_block own = {block, size};
    size_t beside = uno_unit_beside(c);
    struct uno_unit_first first = {0};
    if (block)
        uno_slots_copy(first.beside, block, uno_least(size, beside));
    const void *const *data = uno_unit_meet_first(c, UNO_MPI_GATHERV, &first, size);
    size_t most = uno_unit_greatest(c, data);
    bool carries = uno_plan_unit_took(c, UNO_MPI_GATHERV, most, UNO_ONE_BLOCK);
    for (int r = 0; to && carries && r < c->size; r++) {
        struct uno_block *b = &to->of[r];
        memcpy(&first, data[r], sizeof first.size + beside);
        if (r == c->rank)
            continue;
        *truncated |= first.size > b->size;
        b->size = uno_least(b->size, first.size);
        uno_slots_copy(b->bytes, first.beside, uno_least(b->size, beside));
    }
    uno_unit_end(c);
    if (carries)
        uno_unit_gather(c, UNO_MPI_GATHERV, 0, block ? &own : NULL, to, beside, most);
    return carries;
}

bool uno_gatherv(struct uno_comm *c, const struct uno_data *in, const struct uno_varied *out, int root,
                 bool *truncated) {
    struct uno_view own = {0};
    size_t size = in ? uno_bytes_of((int64_t)in->count, in->layout) : 0;
    if (size && !uno_plan_too_large(c, UNO_MPI_GATHERV, size))
        own = uno_view_in(in->at, in->count, in->layout);
    struct uno_block of[out ? c->size : 1];
    struct uno_parts all = {0};
    if (out)
        all = uno_parts_open(of, c->size, out);
    char *block = out ? NULL : own.bytes;
    const struct uno_blocks *to = out ? &all.blocks : NULL;
    bool done = uno_plan_unit_tries(c, UNO_MPI_GATHERV) && varied_by_unit(c, block, size, to, truncated);
    if (!done && !c->apart)
        done = varied(c, block, size, to, truncated);
    if (done && out && in) {
        *truncated |= size > of[root].size;
        uno_block_keep(of[root], (struct uno_block){own.bytes, size});
    }
    for (int r = 0; done && out && r < c->size; r++)
        if (r != root || in)
            uno_parts_unpack(&all, r);
    free(all.memory);
    uno_view_drop(&own);
    return done;
}
