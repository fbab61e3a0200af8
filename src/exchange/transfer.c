/* Two operations of the engine enclose blocks that are copied from where they are: in the first each member
 * tells where its own blocks lie, and nobody may change blocks that others read before the second. Blocks in
 * the memory of another process, outside the arrays that all members reach, are copied by the kernel
 * (engine/reach.h) where it allows that; a member to which it does not says so, and then all members use the
 * buffers. */

#include "transfer.h"

#include <string.h>

#include "engine/bypass.h"
#include "engine/reach.h"
#include "engine/rendezvous.h"
#include "local.h"
#include "plan.h"

/* The kind of memory in which a member's blocks lie. */
enum place {
    ARRAY,   /* in an array, at a place that all know (engine/arrays.h) */
    PROCESS, /* in the memory of its process */
};

/* The description of a member's blocks, which it puts into one post. */
struct told {
    uint64_t bytes; /* bytes of each block; of the largest if they differ */
    uint64_t base;
    uint32_t place; /* enum place */
    uint32_t reads; /* 1: the kernel can copy to where this member wants blocks, and has not refused to */
    uint64_t block; /* distance from one block to the next */
    uint64_t row;   /* distance from one row to the next */
    uint64_t rows;  /* rows of a block */
};
_Static_assert(sizeof(struct told) == UNO_BYTES, "it fits into a post");

/* Return the member that is i places after this PE, counted round. */
static int partner(const struct uno_pe *pe, int i) {
    int r = pe->group.rank + i;
    return r < pe->group.size ? r : r - pe->group.size;
}

static void copy_own(const struct uno_transfer *t, uno_copy *copy) {
    int me = t->pe->group.rank;
    uno_side_copy(&t->to, me, &t->from, me, copy);
}

UNO_COLD _Noreturn void uno_transfer_differ(const struct uno_transfer *t, int r, uint64_t mine,
                                            uint64_t theirs) {
    uno_fail(t->pe, "%s: mismatch: PE %d has blocks of %llu bytes, but PE %d of %llu", t->name, t->pe->me,
             (unsigned long long)mine, uno_exchange_member(t->pe, r), (unsigned long long)theirs);
}

UNO_COLD _Noreturn void uno_transfer_unexpected(const struct uno_transfer *t, int r, uint64_t given) {
    uno_fail(t->pe, "%s: mismatch: PE %d expects %zu bytes from PE %d, which gives it %llu", t->name,
             t->pe->me, uno_side_bytes(&t->to, r), uno_exchange_member(t->pe, r), (unsigned long long)given);
}

static void check_buffers(const struct uno_transfer *t) {
    if (UNO_UNLIKELY(!t->pe->job->buffer))
        uno_fail(
            t->pe,
            "%s: this job has no buffers: they take a file of %zu bytes, and the launcher's limit of file "
            "sizes (ulimit -f) is lower",
            t->name, uno_job_buffers_size(t->pe->n, uno_job_buffer_bytes(t->pe->n)));
}

/* ---- through the buffers ----------------------------------------------------------------------------- */

/* Return the bytes of a post's buffer that each member has. */
static size_t share_of(const struct uno_pe *pe) {
    return pe->job->buffer / (unsigned)pe->group.size / 64 * 64;
}

/* Exchange the blocks in pieces, from byte `at` on to the end of the largest block. */
static void in_pieces(const struct uno_transfer *t, size_t at, size_t most, size_t told) {
    struct uno_pe *pe = t->pe;
    int me = pe->group.rank, size = pe->group.size;
    size_t share = share_of(pe), step = most - at < share ? (most - at + 63) / 64 * 64 : share;
    for (; at < most; at += step) {
        char *room = uno_board_buffer(pe);
        for (int i = 1; i < size; i++) {
            int r = partner(pe, i);
            size_t bytes = uno_side_bytes(&t->from, r);
            if (at < bytes)
                uno_side_pack(&t->from, r, at, bytes - at < step ? bytes - at : step,
                              room + (size_t)r * step);
        }
        uint64_t word = told;
        uno_bypass(pe, uno_signature_op(t->signature));
        const void *const *data = pe->unit->meet(pe, t->signature, &word, 1);
        for (int i = 1; i < size; i++) {
            int r = partner(pe, i);
            size_t bytes = uno_side_bytes(&t->to, r);
            if (UNO_UNLIKELY(*(const uint64_t *)data[r] != told))
                uno_transfer_differ(t, r, told, *(const uint64_t *)data[r]);
            const char *in = uno_board_buffer_of(pe, uno_exchange_member(pe, r));
            if (at < bytes)
                uno_side_unpack(&t->to, r, at, bytes - at < step ? bytes - at : step, in + (size_t)me * step);
        }
        uno_leave(pe);
    }
}

void uno_transfer_staged(const struct uno_transfer *t) {
    size_t bytes = t->from.rows * t->from.width;
    check_buffers(t);
    /* The destination is seldom in a cache, and a post becomes visible only after earlier stores have found
     * their lines: prefetch those while the members meet. */
    if (bytes >= UNO_EXPECTED_LEAST && uno_side_plain(&t->to))
        uno_sides_expect(&t->to, t->pe->group.size);
    copy_own(t, memcpy);
    in_pieces(t, 0, bytes, bytes);
}

/* ---- from where they are ----------------------------------------------------------------------------- */

/* Describe this member's blocks for the other members. */
static struct told tell(const struct uno_transfer *t, uint64_t bytes) {
    struct told told = {.bytes = bytes,
                        .base = (uintptr_t)t->from.base,
                        .place = PROCESS,
                        .reads = uno_reach_group(t->pe) && uno_side_plain(&t->to),
                        .block = t->from.block,
                        .row = t->from.row,
                        .rows = t->from.rows};
    /* If the blocks lie at any places, the array of the first says nothing about the others. */
    const struct uno_array *array = t->from.at ? NULL : uno_arrays_has(t->pe, t->from.base, 1);
    if (array) {
        told.base = uno_array_place(array, t->from.base);
        told.place = ARRAY;
    }
    return told;
}

/* Return true if this PE itself can copy member r's blocks. */
static bool in_reach(const struct uno_pe *pe, const struct told *told) {
    return told->place == ARRAY || uno_job_one_process(pe->job);
}

/* Copy this PE's block from the memory of member r's process. */
static bool read_block(const struct uno_transfer *t, int r, uint64_t from, size_t bytes) {
    return !bytes ||
           uno_reach_read(t->pe, uno_exchange_member(t->pe, r), from, uno_side_at(&t->to, r), bytes);
}

/* Return the address, in an array or in this process, of the place that a member told. NULL: no address is
 * free to map it. */
static char *in_array(const struct uno_transfer *t, const struct told *told, uint64_t at, size_t bytes) {
    return told->place == ARRAY ? (char *)uno_arrays_reach(t->pe, at, bytes) : (char *)(uintptr_t)at;
}

static bool fetch(const struct uno_transfer *t, const struct told *told, int r, const void *unused) {
    (void)unused;
    struct uno_pe *pe = t->pe;
    if (!in_reach(pe, told))
        return read_block(t, r, told->base + (uint64_t)pe->group.rank * told->block, told->bytes);
    if (!told->bytes)
        return true;
    struct uno_side theirs = {
        .rows = told->rows, .width = told->bytes / told->rows, .row = told->row}; /* this PE's block */
    theirs.base = in_array(t, told, told->base + (uint64_t)pe->group.rank * told->block,
                           (theirs.rows - 1) * theirs.row + theirs.width);
    if (theirs.base)
        uno_side_copy(&t->to, r, &theirs, 0, t->copy);
    return theirs.base;
}

/* Return true if the bytes of each of its blocks lie one after the other: the kernel does not copy rows. */
static bool is_plain(const struct told *told) {
    return told->rows <= 1 || told->row == told->bytes / told->rows;
}

/* Return true if all blocks can be copied from where they are, by all members' descriptions. *most: bytes of
 * the largest block. */
static bool can_copy(const struct uno_transfer *t, const struct told *told, uint64_t *most) {
    bool reach = true, read = true;
    *most = 0;
    for (int r = 0; r < t->pe->group.size; r++) {
        reach &= in_reach(t->pe, &told[r]);
        read &= told[r].reads && (in_reach(t->pe, &told[r]) || is_plain(&told[r]));
        *most = told[r].bytes > *most ? told[r].bytes : *most;
    }
    return reach || (read && *most >= UNO_KERNEL_LEAST);
}

/* Meet the other members and read their descriptions. The post stays in use until uno_leave. */
static void meet(const struct uno_transfer *t, const struct told *mine, struct told *told) {
    struct uno_pe *pe = t->pe;
    uno_bypass(pe, uno_signature_op(t->signature));
    const void *const *data =
        pe->unit->meet(pe, t->signature, (const uint64_t *)(const void *)mine, sizeof *mine / 8);
    for (int r = 0; r < pe->group.size; r++)
        told[r] = *(const struct told *)data[r];
}

/* Copy all blocks by copy(t, told, r, argument), then meet in the second operation. Return true if every
 * member has copied all its blocks. */
static bool copy_all(const struct uno_transfer *t, const struct told *told, const void *argument,
                     bool copy(const struct uno_transfer *, const struct told *, int, const void *)) {
    bool copied = true;
    int size = t->pe->group.size, phases = uno_schedule_phases(t->schedule.order, size);
    for (int i = 0; i < phases; i++) {
        int r = uno_schedule_partner(t->schedule.order, size, t->pe->group.rank, i);
        if (r >= 0 && copied)
            copied = copy(t, &told[r], r, argument);
        /* The next phase begins when all members have finished this one. */
        if (t->schedule.phased && i + 1 < phases)
            uno_exchange_wait(t->pe, t->signature);
    }
    uno_copy_end(&t->pe->copies);
    return uno_exchange_all(t->pe, t->signature, copied);
}

void uno_transfer_direct(struct uno_transfer *t) {
    struct uno_pe *pe = t->pe;
    int size = pe->group.size;
    uint64_t bytes = t->from.rows * t->from.width, most;
    struct told told[size], mine = tell(t, bytes);
    meet(t, &mine, told);
    uno_leave(pe);
    for (int r = 0; r < size; r++)
        if (UNO_UNLIKELY(told[r].bytes != bytes))
            uno_transfer_differ(t, r, bytes, told[r].bytes);
    t->copy = uno_copy_begin(&pe->copies, bytes * (uint64_t)size);
    copy_own(t, t->copy);
    if (can_copy(t, told, &most) && copy_all(t, told, NULL, fetch))
        return;
    check_buffers(t);
    in_pieces(t, 0, bytes, bytes);
}

/* ---- of any sizes ----------------------------------------------------------------------------------------
 *
 * The buffer of the first post has a row for each member, and behind that, if there is room, the blocks. */

struct row {
    uint64_t bytes;
    uint64_t at; /* in the buffer, or its place in an array, or its address */
};

static size_t rows_size(const struct uno_pe *pe) {
    return (size_t)pe->group.size * sizeof(struct row);
}

/* Return the place of a block, as a row describes it. */
static uint64_t place_of(const struct uno_pe *pe, const char *block, size_t bytes, enum place place) {
    return bytes && place == ARRAY ? uno_array_place(uno_arrays_has(pe, block, bytes), block)
                                   : (uintptr_t)block;
}

/* Write the rows into the buffer, and the blocks too if they are small. Return true if the blocks were
 * written. */
static bool bring(const struct uno_transfer *t, enum place place) {
    struct uno_pe *pe = t->pe;
    int size = pe->group.size;
    char *room = uno_board_buffer(pe);
    struct row *row = (struct row *)(void *)room;
    size_t sum = 0, at = rows_size(pe);
    for (int r = 0; r < size; r++)
        sum += t->from.bytes[r];
    bool brings = sum <= pe->job->buffer - at && sum <= (size_t)size * UNO_STAGED_MOST;
    for (int r = 0; r < size; at += t->from.bytes[r++]) {
        const char *block = uno_side_at(&t->from, r);
        row[r].bytes = t->from.bytes[r];
        row[r].at = brings ? at : place_of(pe, block, row[r].bytes, place);
        if (brings && r != pe->group.rank)
            uno_side_pack(&t->from, r, 0, row[r].bytes, room + at);
    }
    return brings;
}

/* Describe this member's blocks of any sizes, without saying whether it brings them. */
static struct told tell_varied(const struct uno_transfer *t) {
    struct uno_pe *pe = t->pe;
    struct told told = {.place = ARRAY, .reads = uno_reach_group(pe)};
    for (int r = 0; r < pe->group.size; r++) {
        uint64_t bytes = t->from.bytes[r];
        told.bytes = bytes > told.bytes ? bytes : told.bytes;
        if (bytes && !uno_arrays_has(pe, uno_side_at(&t->from, r), bytes))
            told.place = PROCESS;
    }
    return told;
}

/* Take this PE's row from each member, and its block from those that brought the blocks. rows: room for the
 * rows. */
static void take(const struct uno_transfer *t, const struct told *told, struct row *rows) {
    struct uno_pe *pe = t->pe;
    int me = pe->group.rank;
    for (int i = 0; i < pe->group.size; i++) {
        int r = partner(pe, i);
        const char *in = uno_board_buffer_of(pe, uno_exchange_member(pe, r));
        rows[r] = ((const struct row *)(const void *)in)[me];
        if (UNO_UNLIKELY(rows[r].bytes != t->to.bytes[r]))
            uno_transfer_unexpected(t, r, rows[r].bytes);
        if (told[r].block && r != me)
            uno_side_unpack(&t->to, r, 0, rows[r].bytes, in + rows[r].at);
    }
}

static bool fetch_varied(const struct uno_transfer *t, const struct told *told, int r, const void *argument) {
    const struct row *row = (const struct row *)argument + r;
    if (told->block) /* it has been brought */
        return true;
    if (!in_reach(t->pe, told))
        return read_block(t, r, row->at, row->bytes);
    if (!row->bytes)
        return true;
    const char *in = in_array(t, told, row->at, row->bytes);
    if (in)
        t->copy(uno_side_at(&t->to, r), in, row->bytes);
    return in;
}

void uno_transfer_varied(struct uno_transfer *t) {
    struct uno_pe *pe = t->pe;
    int size = pe->group.size;
    uint64_t bytes = 0, most;
    struct told told[size], mine = tell_varied(t);
    struct row rows[size];
    check_buffers(t);
    mine.block = bring(t, (enum place)mine.place); /* 1: it brings them */
    meet(t, &mine, told);
    take(t, told, rows);
    uno_leave(pe);
    for (int r = 0; r < size; r++)
        bytes += t->to.bytes[r];
    t->copy = uno_copy_begin(&pe->copies, bytes);
    copy_own(t, t->copy);
    bool brought = true;
    for (int r = 0; r < size; r++) {
        brought &= told[r].block != 0;
        if (told[r].block) /* others need not reach it */
            told[r].place = ARRAY;
    }
    if (brought || (can_copy(t, told, &most) && copy_all(t, told, rows, fetch_varied)))
        return;
    in_pieces(t, 0, most, most);
}
