#include "index.h"

#include <stdlib.h>

uint64_t uno_index_hash(uint64_t a, uint64_t b) {
    uint64_t h = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}

int uno_index_find(const struct uno_index *index, uint64_t hash,
                   bool (*same)(const void *argument, int number), const void *argument) {
    for (size_t i = hash; index->room && index->place[i & (index->room - 1)].number; i++) {
        const struct uno_indexed *at = &index->place[i & (index->room - 1)];
        if (at->hash == hash && same(argument, at->number - 1))
            return at->number - 1;
    }
    return -1;
}

static void put(struct uno_index *index, struct uno_indexed element) {
    size_t i = element.hash;
    while (index->place[i & (index->room - 1)].number)
        i++;
    index->place[i & (index->room - 1)] = element;
}

/* Double the places. */
static bool grow(struct uno_index *index) {
    enum { FIRST = 64 };
    struct uno_index larger = {.room = index->room ? 2 * index->room : FIRST, .used = index->used};
    larger.place = calloc(larger.room, sizeof *larger.place);
    if (!larger.place)
        return false;
    for (size_t i = 0; i < index->room; i++)
        if (index->place[i].number)
            put(&larger, index->place[i]);
    free(index->place);
    *index = larger;
    return true;
}

bool uno_index_add(struct uno_index *index, uint64_t hash, int number) {
    if (2 * index->used >= index->room && !grow(index))
        return false;
    put(index, (struct uno_indexed){hash, number + 1});
    index->used++;
    return true;
}

void uno_index_free(struct uno_index *index) {
    free(index->place);
    *index = (struct uno_index){0};
}
