#include "extents.h"

#include <stdlib.h>
#include <string.h>

static bool insert(struct uno_extents *all, size_t i, struct uno_extent extent) {
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 16;
        struct uno_extent *grown = realloc(all->extent, room * sizeof *grown);
        if (!grown)
            return false;
        all->extent = grown;
        all->room = room;
    }
    memmove(&all->extent[i + 1], &all->extent[i], (all->count++ - i) * sizeof extent);
    all->extent[i] = extent;
    return true;
}

void uno_extents_drop(struct uno_extents *all, size_t i) {
    memmove(&all->extent[i], &all->extent[i + 1], (--all->count - i) * sizeof *all->extent);
}

size_t uno_extents_find(const struct uno_extents *all, uint64_t at) {
    size_t low = 0, high = all->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (all->extent[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool uno_extents_add(struct uno_extents *all, uint64_t at, size_t bytes) {
    size_t i = all->count ? uno_extents_find(all, at) : 0;
    if (i < all->count && all->extent[i].at < at)
        i++;
    /* the part behind it is the first of a range */
    return insert(all, i, (struct uno_extent){.at = at, .bytes = bytes, .first = true});
}

struct uno_extent *uno_extents_take(struct uno_extents *all, size_t bytes) {
    size_t i = all->count;
    for (size_t k = 0; k < all->count; k++) {
        const struct uno_extent *extent = &all->extent[k];
        if (!extent->taken && extent->bytes >= bytes &&
            (i == all->count || extent->bytes < all->extent[i].bytes))
            i = k;
    }
    if (i == all->count)
        return NULL;
    struct uno_extent rest = {.at = all->extent[i].at + bytes, .bytes = all->extent[i].bytes - bytes};
    if (rest.bytes && !insert(all, i + 1, rest))
        return NULL;
    all->extent[i].bytes = bytes;
    all->extent[i].taken = true;
    return &all->extent[i];
}

void uno_extents_give(struct uno_extents *all, size_t i) {
    struct uno_extent *extent = &all->extent[i];
    extent->taken = false;
    extent->size = 0;
    if (i + 1 < all->count && !extent[1].taken && !extent[1].first) {
        extent->bytes += extent[1].bytes;
        uno_extents_drop(all, i + 1);
    }
    if (i && !extent->first && !extent[-1].taken) {
        extent[-1].bytes += extent->bytes;
        uno_extents_drop(all, i);
    }
}

bool uno_extents_unused(const struct uno_extents *all, size_t i) {
    const struct uno_extent *extent = &all->extent[i];
    return !extent->taken && extent->first && (i + 1 == all->count || extent[1].first);
}
