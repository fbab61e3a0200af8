#include "collective/operation/blocks.h"

#include "collective/transport/staged.h"
#include "collective/transport/unit.h"

void uno_blocks_gather(struct uno_comm *c, enum uno_op op, enum uno_path path, size_t total,
                       const struct uno_block *own, const struct uno_blocks *to, size_t at, size_t most) {
    if (path == UNO_BY_DIRECT) {
        const struct uno_blocks mine = {.bytes = own ? own->bytes : NULL, .size = own ? own->size : 0};
        if (uno_direct(c, op, total, UNO_ONE_FOR_ALL, &mine, to, -1))
            return;
        at = 0;
    }
    uno_staged_gather(c, op, total, own, to, at, most);
}

/* Copy blocks that will be received in place, so that other ranks can read them meanwhile. of: room for the
 * blocks. Returns the memory to free. */
static void *set_aside(struct uno_blocks *b, struct uno_block *of, int n) {
    size_t total = 0;
    for (int r = 0; r < n; r++)
        total += uno_block_of(b, r).size;
    char *memory = uno_base_allocate(total + 1, 1), *to = memory;
    for (int r = 0; r < n; to += of[r++].size) {
        struct uno_block from = uno_block_of(b, r);
        of[r] = (struct uno_block){to, from.size};
        if (from.size)
            memcpy(to, from.bytes, from.size);
    }
    *b = (struct uno_blocks){.bytes = memory, .size = b->size, .of = b->of ? of : NULL};
    return memory;
}

/* False: not everything could be read. */
static bool scatter_direct(struct uno_comm *c, enum uno_op op, size_t total, enum uno_offer offer,
                           const struct uno_blocks *from, const struct uno_blocks *to, int root) {
    if (!from || !to || root >= 0 || uno_block_of(from, 0).bytes != uno_block_of(to, 0).bytes)
        return uno_direct(c, op, total, offer, from, to, root);
    struct uno_block of[c->size];
    struct uno_blocks aside = *from;
    void *memory = set_aside(&aside, of, c->size);
    bool done = uno_direct(c, op, total, offer, &aside, to, root);
    if (!done) /* the blocks that would be put again have been overwritten */
        for (int r = 0; r < c->size; r++)
            uno_block_keep(uno_block_of(from, r), uno_block_of(&aside, r));
    free(memory);
    return done;
}

static void scatter_staged(struct uno_comm *c, enum uno_op op, size_t total, const struct uno_blocks *from,
                           const struct uno_blocks *to, int root, size_t share, size_t at, size_t most) {
    struct uno_copies *copies = &c->lane->pieces;
    uno_copy *copy = uno_copy_begin(copies, to ? uno_blocks_sum(to, root < 0 ? c->size : 1) : 0);
    uno_staged_scatter(c, op, total, from, to, root, share, at, most, copy);
    if (from && to)
        uno_block_keep_by(uno_block_of(to, root < 0 ? c->rank : 0), uno_block_of(from, c->rank), copy);
    uno_copy_end(copies);
}

void uno_blocks_scatter_equal(struct uno_comm *c, enum uno_op op, enum uno_path path,
                              const struct uno_blocks *from, const struct uno_blocks *to, int root,
                              size_t bytes) {
    if (path == UNO_BY_DIRECT && scatter_direct(c, op, bytes, UNO_EQUAL_FOR_EACH, from, to, root))
        return;
    scatter_staged(c, op, bytes, from, to, root, uno_least(bytes, uno_staged_share(c)), 0, bytes);
}

void uno_blocks_scatter_any(struct uno_comm *c, enum uno_op op, enum uno_path path,
                            const struct uno_blocks *from, const struct uno_blocks *to, int root,
                            size_t most) {
    size_t share = uno_staged_share(c);
    if (path == UNO_BY_DIRECT && scatter_direct(c, op, 0, UNO_ANY_FOR_EACH, from, to, root))
        return;
    scatter_staged(c, op, 0, from, to, root, share, path == UNO_BY_DIRECT ? 0 : share, most);
}

void uno_blocks_finish(const struct uno_comm *c, const struct uno_view *all, const char *own, size_t count,
                       size_t bytes) {
    size_t me = (size_t)c->rank;
    if (own)
        memmove(all->bytes + me * bytes, own, bytes);
    uno_view_unpack(all, 0, (me + (own != NULL)) * count);
    uno_view_unpack(all, (me + 1) * count, ((size_t)c->size - me - 1) * count);
}

/* ---- blocks of any size ------------------------------------------------------------------------------ */

static char *place_of(const struct uno_varied *data, int r) {
    return (char *)data->at + uno_displacement_of(&data->counts, r) * data->layout->extent;
}

struct uno_parts uno_parts_open(struct uno_block *of, int n, const struct uno_varied *data) {
    struct uno_parts p = {.blocks.of = of, .data = data};
    size_t total = 0, at = 0;
    for (int r = 0; r < n; r++)
        total += of[r].size = uno_bytes_of(uno_count_of(&data->counts, r), data->layout);
    if (!data->layout->plain)
        p.memory = uno_base_allocate(total + 1, 1);
    for (int r = 0; r < n; at += of[r++].size)
        of[r].bytes = p.memory ? (char *)p.memory + at : place_of(data, r);
    return p;
}

void uno_parts_pack(const struct uno_parts *p, int r) {
    const struct uno_varied *d = p->data;
    if (p->memory && p->blocks.of[r].size)
        d->layout->pack(d->layout, place_of(d, r), (size_t)uno_count_of(&d->counts, r),
                        p->blocks.of[r].bytes);
}

void uno_parts_unpack(const struct uno_parts *p, int r) {
    const struct uno_varied *d = p->data;
    if (p->memory && p->blocks.of[r].size)
        d->layout->unpack(d->layout, p->blocks.of[r].bytes, (size_t)uno_count_of(&d->counts, r),
                          place_of(d, r));
}

size_t uno_parts_largest(const struct uno_parts *p, int n) {
    size_t most = 0;
    for (int r = 0; r < n; r++)
        most = p->blocks.of[r].size > most ? p->blocks.of[r].size : most;
    return most;
}

size_t uno_parts_greatest(const struct uno_comm *c, const void *const *data) {
    uint64_t most = 0;
    for (int r = 0; r < c->size; r++) {
        uint64_t number;
        memcpy(&number, data[r], sizeof number);
        most = number > most ? number : most;
    }
    return most;
}

/* The blocks of all ranks one after the other, each in `share` bytes; NULL: there are none. To be freed. */
static char *line_up(const struct uno_comm *c, const struct uno_blocks *from, size_t share) {
    char *line = from && share ? uno_base_allocate((size_t)c->size, share) : NULL;
    for (int r = 0; line && r < c->size; r++) {
        struct uno_block b = uno_block_of(from, r);
        if (b.size)
            memcpy(line + (size_t)r * share, b.bytes, b.size);
    }
    return line;
}

/* Give this rank its blocks, of the root or of all ranks, of which rank r's is at block_of[r]. */
static void receive(const struct uno_comm *c, const struct uno_blocks *to, int root,
                    const char *const *block_of, size_t most) {
    for (int r = 0; to && r < c->size; r++)
        if (root < 0 || r == root) {
            struct uno_block b = uno_block_of(to, root < 0 ? r : 0);
            if (b.size)
                memcpy(b.bytes, block_of[r], uno_least(b.size, most));
        }
}

/* Scatter by the unit: the blocks beside the sizes, if all fit there, or else each in as many bytes as the
 * largest. False: they are too large for it. */
static bool scatter_by_unit(struct uno_comm *c, enum uno_op op, const struct uno_blocks *from, size_t mine,
                            const struct uno_blocks *to, int root) {
    size_t size = (size_t)c->size, me = (size_t)c->rank, beside = uno_unit_beside(c);
    const char *block_of[c->size];
    struct uno_unit_first first = {0};
    char *line = line_up(c, mine * size <= beside ? from : NULL, mine), *got = NULL;
    if (line)
        memcpy(first.beside, line, mine * size);
    free(line);
    const void *const *data = uno_unit_meet_first(c, op, &first, mine);
    size_t most = uno_unit_greatest(c, data);
    bool carries = uno_plan_unit_took(c, op, most, UNO_BLOCK_EACH), there = most * size <= beside;
    for (int r = 0; there && r < c->size; r++) {
        uint32_t share;
        memcpy(&share, data[r], sizeof share);
        block_of[r] = (const char *)data[r] + sizeof share + me * share;
    }
    if (there)
        receive(c, to, root, block_of, most);
    uno_unit_end(c);
    if (there || !carries)
        return carries;
    line = line_up(c, from, most);
    got = uno_base_allocate(size, most);
    uno_unit_scatter(c, op, 0, line, got, most, root);
    for (int r = 0; r < c->size; r++)
        block_of[r] = got + (root < 0 ? (size_t)r * most : 0);
    receive(c, to, root, block_of, most);
    free(line);
    free(got);
    return true;
}

bool uno_parts_scatter(struct uno_comm *c, enum uno_op op, const struct uno_parts *from,
                       const struct uno_blocks *to, int root) {
    uint64_t mine = from ? uno_parts_largest(from, c->size) : 0;
    const struct uno_blocks *blocks = from ? &from->blocks : NULL;
    size_t share = uno_staged_share(c);
    if (uno_plan_unit_tries(c, op) && scatter_by_unit(c, op, blocks, mine, to, root))
        return true;
    if (c->apart)
        return false;
    uno_plan_begin(c, op);
    if (blocks && uno_plan_brings(c, op, mine, UNO_BLOCK_EACH))
        uno_staged_put_each(c, blocks, share, 0);
    size_t most = uno_parts_greatest(c, uno_slots_meet(c, op, 0, &mine, sizeof mine));
    enum uno_path path = uno_plan_varied(c, op, most, UNO_BLOCK_EACH);
    for (int r = 0; path == UNO_BY_STAGED && to && r < c->size; r++)
        if (r != c->rank && (root < 0 || r == root))
            uno_staged_get_own(c, r, uno_block_of(to, root < 0 ? r : 0), share, 0, memcpy);
    uno_slots_end(c);
    if (path == UNO_BY_HOST)
        return false;
    uno_blocks_scatter_any(c, op, path, blocks, to, root, most);
    uno_plan_end(c, op, most);
    return true;
}
