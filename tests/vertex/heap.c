/* The memory of one PE that all others reach, which nobody touches here: pieces of the pool and the program's
 * own never overlap, and freed memory can be had again in any size. */

#include <stdio.h>
#include <stdlib.h>

#include "engine/channel/ring/heap.h"
#include "rng.h"

enum { CUT = 1 << 20, LINE = 64, PAGE = 65536, MOST = 4096, ROUNDS = 50000 };

static char place[LINE]; /* its address is all that is used */

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                             \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* The source of the heap's memory: parts of at least `step` bytes, one behind the other. */
static struct source {
    size_t size, step, given; /* bytes that there are, of a part, and that the heap has */
    size_t parts;             /* that it has, or those before which it has some */
    size_t end[MOST];         /* of each, beginning with the first */
    bool back[MOST];          /* it has given this one back */
} source;

static char *grow(void *owner, size_t bytes, size_t *got) {
    struct source *from = owner;
    size_t left = from->size - from->given, step = from->step < left ? from->step : left;
    if (bytes > left)
        return NULL;
    *got = bytes > step ? bytes : step;
    char *memory = place + from->given;
    from->given += *got;
    from->end[from->parts] = from->given;
    from->back[from->parts++] = false;
    return memory;
}

static void shrink(void *owner, char *memory, size_t bytes) {
    struct source *from = owner;
    size_t i = 0;
    while (place + from->end[i] != memory + bytes)
        i++;
    CHECK((i ? from->end[i - 1] : 0) == (size_t)(memory - place) && !from->back[i]);
    from->back[i] = true;
    while (from->parts && from->back[from->parts - 1])
        from->parts--;
    from->given = from->parts ? from->end[from->parts - 1] : 0;
}

static struct uno_heap heap_of(size_t bytes, size_t step) {
    source = (struct source){.size = bytes, .step = step};
    return (struct uno_heap){.grow = grow, .shrink = shrink, .owner = &source};
}

static size_t at(const void *data) {
    return (size_t)((uintptr_t)data - (uintptr_t)place);
}

/* The whole pool in pieces of one size after the other, up and down, as far as the heap has room for one. */
static void bursts(size_t heap_bytes, size_t pool) {
    struct uno_heap heap = heap_of(heap_bytes, CUT);
    void **piece = malloc((pool >> UNO_PIECE_LEAST) * sizeof *piece);
    CHECK(piece);
    for (unsigned round = 0; round < 2 * UNO_PIECES; round++) {
        unsigned down = UNO_PIECES - 1 - round % UNO_PIECES;
        unsigned size = UNO_PIECE_LEAST + (round < UNO_PIECES ? round : down);
        size_t count = pool >> size;
        for (size_t i = 0; i < count; i++)
            CHECK((piece[i] = uno_piece_take(&heap, size)));
        CHECK(heap_bytes > pool || !uno_piece_take(&heap, size));
        for (size_t i = 0; i < count; i++)
            CHECK(uno_piece_give(&heap, piece[i * 77 % count], size));
    }
    void *all = uno_heap_take(&heap, heap_bytes);
    CHECK(all && at(all) == 0);
    CHECK(!uno_piece_take(&heap, UNO_PIECE_LEAST));
    CHECK(uno_heap_give(&heap, all) == heap_bytes);
    free(piece);
    uno_heap_free(&heap);
}

/* ---- anything beside anything ------------------------------------------------------------------------ */

static struct part {
    char *data;
    size_t bytes;
    unsigned size; /* of a piece; 0: of uno_heap_take */
} part[MOST];
static int parts;

/* Apart from all others, and within one part of the memory. */
static void check_apart(const struct part *new) {
    size_t end = at(new->data) + new->bytes, i = 0;
    CHECK(at(new->data) % LINE == 0 && end <= source.given);
    while (source.end[i] <= at(new->data))
        i++;
    CHECK(end <= source.end[i]);
    for (int i = 0; i < parts; i++)
        CHECK(at(part[i].data) + part[i].bytes <= at(new->data) ||
              at(new->data) + new->bytes <= at(part[i].data));
}

static void take_one(struct uno_heap *heap, struct rng *rng) {
    struct part new = {.size = 0};
    if (rng_below(rng, 3)) {
        new.size = UNO_PIECE_LEAST + (unsigned)rng_below(rng, UNO_PIECES);
        new.bytes = (size_t)1 << new.size;
        new.data = uno_piece_take(heap, new.size);
    } else {
        new.bytes = (size_t)1 << rng_below(rng, 22);
        new.bytes += (size_t)rng_below(rng, (int)new.bytes);
        new.data = uno_heap_take(heap, new.bytes);
    }
    if (!new.data)
        return;
    check_apart(&new);
    part[parts++] = new;
}

static void give_one(struct uno_heap *heap, struct rng *rng) {
    int i = rng_below(rng, parts);
    struct part old = part[i];
    part[i] = part[--parts];
    if (old.size) {
        CHECK(uno_piece_give(heap, old.data, old.size));
        CHECK(!uno_heap_give(heap, old.data)); /* the pool has it, or had */
    } else {
        CHECK(uno_heap_give(heap, old.data) >= old.bytes);
        CHECK(!uno_heap_give(heap, old.data));
    }
}

static void anything(uint64_t seed, size_t heap_bytes) {
    struct uno_heap heap = heap_of(heap_bytes, 5 * CUT / 2);
    struct rng rng = {seed};
    bool grows = true;
    for (int i = 0; i < ROUNDS; i++) {
        if (rng_below(&rng, 500) == 0)
            grows = !grows;
        if (parts < MOST && (!parts || rng_below(&rng, 10) < (grows ? 7 : 3)))
            take_one(&heap, &rng);
        else
            give_one(&heap, &rng);
    }
    while (parts)
        give_one(&heap, &rng);
    CHECK(uno_heap_take(&heap, heap_bytes) == place); /* unused memory goes back, and comes as one part */
    uno_heap_free(&heap);
}

int main(void) {
    const size_t pool = 64 * (size_t)CUT;
    bursts(pool, pool); /* 1,024 PEs share the memory */
    bursts(((size_t)64 << 30) / 114 / PAGE * PAGE,
           pool); /* the fewest for whom all sizes do not fit beside each other */
    bursts(pool + 3 * CUT / 2, pool - 2 * CUT);
    for (uint64_t seed = 1; seed <= 3; seed++)
        anything(seed, (size_t)seed * 20 * CUT);
    return 0;
}
