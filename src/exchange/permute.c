/* p_permutePut and p_permuteGet: checks, and how elements go. Each PE moves its own, straight to where they
 * belong or from there. */

#include <string.h>

#include "engine/bypass.h"
#include "engine/lines.h"
#include "local.h"
#include "move.h"

enum { CHUNK = 1024 /* elements whose indices are checked before any of them moves */ };

/* The values that must be the same at all members. */
struct told {
    uint64_t place, length, bytes;
};

static UNO_COLD _Noreturn void beyond(struct uno_pe *pe, const char *name, const uint64_t *index, size_t i,
                                      size_t length) {
    while (index[i] < length)
        i++;
    uno_fail(pe, "%s: index %llu, of element %zu; the array has %zu elements", name,
             (unsigned long long)index[i], i, length);
}

static void move_chunk(struct uno_pe *pe, const char *name, const struct uno_moved *part, size_t at,
                       size_t end) {
    uint64_t greatest = 0;
    for (size_t i = at; i < end; i++)
        greatest = part->index[i] > greatest ? part->index[i] : greatest;
    if (UNO_UNLIKELY(greatest >= part->length))
        beyond(pe, name, part->index, at, part->length);
    uno_move_chained(part, at, end);
}

static void move_all(struct uno_pe *pe, const char *name, const struct uno_moved *part) {
    bool past = uno_copy_begin(&pe->permutations, part->count * part->bytes) == uno_copy_past;
    for (size_t at = 0, moved; at < part->count; at += moved) {
        moved = uno_move_rows(part, at, past);
        if (moved)
            continue;
        moved = part->count - at < CHUNK ? part->count - at : CHUNK;
        move_chunk(pe, name, part, at, at + moved);
    }
    uno_lines_end();
    uno_copy_end(&pe->permutations);
}

static UNO_COLD _Noreturn void differ(struct uno_pe *pe, const char *name, int r, const struct told *mine,
                                      const struct told *theirs) {
    int k = uno_exchange_member(pe, r);
    if (mine->length == theirs->length && mine->bytes == theirs->bytes)
        uno_fail(pe, "%s: mismatch: PE %d and PE %d name different arrays", name, pe->me, k);
    uno_fail(pe, "%s: mismatch: PE %d has an array of %llu elements of %llu bytes, but PE %d of %llu of %llu",
             name, pe->me, (unsigned long long)mine->length, (unsigned long long)mine->bytes, k,
             (unsigned long long)theirs->length, (unsigned long long)theirs->bytes);
}

/* Wait for all members, and end with an error unless all have named the same array. */
static void agree(struct uno_pe *pe, unsigned signature, const char *name, const struct told *told) {
    uno_bypass(pe, uno_signature_op(signature));
    const void *const *data = pe->unit->meet(pe, signature, &told->place, sizeof *told / 8);
    for (int r = 0; r < pe->group.size; r++) {
        struct told theirs;
        memcpy(&theirs, data[r], sizeof theirs);
        if (UNO_UNLIKELY(memcmp(&theirs, told, sizeof theirs) != 0))
            differ(pe, name, r, told, &theirs);
    }
    uno_leave(pe);
}

static void permute(unsigned signature, const char *name, const struct uno_moved *part) {
    struct uno_pe *pe = uno_exchange_pe(name);
    uno_exchange_check_near(pe, name);
    struct told told = {(uintptr_t)part->array, part->length, part->bytes};
    size_t all = part->length * part->bytes, own = part->count * part->bytes;
    if (part->bytes && part->length > SIZE_MAX / part->bytes)
        uno_fail(pe, "%s: %zu elements of %zu bytes are more than there are addresses", name, part->length,
                 part->bytes);
    uno_exchange_check_data(pe, name, part->array, all);
    uno_exchange_check_data(pe, name, part->index, part->count);
    uno_exchange_check_data(pe, name, part->own, own);
    if (part->own < part->array + all && part->array < part->own + own)
        uno_fail(pe, "%s: the array overlaps this PE's own elements", name);
    if (!uno_job_one_process(pe->job) && all) {
        const struct uno_array *array = uno_arrays_has(pe, part->array, all);
        if (!array)
            uno_fail(pe, "%s: the array is not in memory from p_alloc", name);
        told.place = uno_array_place(array, part->array);
    }
    agree(pe, signature, name, &told);
    move_all(pe, name, part);
    uno_exchange_wait(pe, signature); /* all elements are there */
}

void p_permutePut(void *array, size_t length, const void *from, const uint64_t *index, size_t count,
                  size_t bytes) {
    struct uno_moved part = {.array = array,
                             .own = (char *)from,
                             .index = index,
                             .count = count,
                             .length = length,
                             .bytes = bytes};
    permute(UNO_SIGNATURE_P_PERMUTE_PUT, "p_permutePut", &part);
}

void p_permuteGet(void *to, const void *array, size_t length, const uint64_t *index, size_t count,
                  size_t bytes) {
    struct uno_moved part = {.array = (char *)array,
                             .own = to,
                             .index = index,
                             .count = count,
                             .length = length,
                             .bytes = bytes,
                             .gets = true};
    permute(UNO_SIGNATURE_P_PERMUTE_GET, "p_permuteGet", &part);
}
