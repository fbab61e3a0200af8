/* p_allToAll, p_allToAllv and p_allToAllStrided: checks, and which way the blocks go. */

#include <string.h>

#include "local.h"
#include "plan.h"
#include "transfer.h"

static UNO_COLD _Noreturn void overlap(struct uno_pe *pe, const char *name) {
    uno_fail(pe, "%s: the blocks to receive overlap those to send", name);
}

/* Few bytes, one block after the other: every member sees all blocks of all. */
static inline void by_posts(struct uno_pe *pe, unsigned signature, char *to, const char *from, size_t bytes) {
    int size = pe->group.size, me = pe->group.rank;
    size_t all = bytes * (size_t)size;
    uint64_t words[UNO_BYTES / 8];
    words[0] = 0; /* if there is nothing */
    uno_copy_short((char *)words, from, all);
    const void *const *data = pe->unit->meet(pe, signature, words, all ? (unsigned)(all + 7) / 8 : 1);
    for (int r = 0; r < size; r++)
        uno_copy_short(to + (size_t)r * bytes, (const char *)data[r] + (size_t)me * bytes, bytes);
    uno_leave(pe);
}

/* Exchange blocks of rows by posts. */
static void rows_by_posts(const struct uno_transfer *t, size_t bytes) {
    char in[UNO_BYTES], out[UNO_BYTES];
    for (int r = 0; r < t->pe->group.size; r++)
        uno_side_pack(&t->from, r, 0, bytes, in + (size_t)r * bytes);
    by_posts(t->pe, t->signature, out, in, bytes);
    for (int r = 0; r < t->pe->group.size; r++)
        uno_side_unpack(&t->to, r, 0, bytes, out + (size_t)r * bytes);
}

static void alone(const struct uno_transfer *t) {
    struct uno_copies *copies = &t->pe->copies;
    uno_exchange_wait(t->pe, t->signature);
    uno_side_copy(&t->to, 0, &t->from, 0, uno_copy_begin(copies, uno_side_bytes(&t->to, 0)));
    uno_copy_end(copies);
}

static void equal(struct uno_transfer *t, size_t bytes) {
    if (t->pe->group.size == 1)
        alone(t);
    else
        switch (uno_way_of(t->pe, bytes)) {
        case UNO_WAY_POSTS:
            rows_by_posts(t, bytes);
            break;
        case UNO_WAY_STAGED:
            uno_transfer_staged(t);
            break;
        case UNO_WAY_DIRECT:
            uno_transfer_direct(t);
            break;
        case UNO_WAY_MESSAGES:
            uno_transfer_far(t);
            break;
        }
}

void p_allToAll(void *to, const void *from, size_t bytes) {
    struct uno_pe *pe = uno_exchange_pe("p_allToAll");
    size_t all = bytes * (size_t)pe->group.size;
    uno_exchange_check_data(pe, "p_allToAll", to, bytes);
    uno_exchange_check_data(pe, "p_allToAll", from, bytes);
    if (UNO_UNLIKELY((uintptr_t)to < (uintptr_t)from + all && (uintptr_t)from < (uintptr_t)to + all))
        overlap(pe, "p_allToAll");
    if (all <= UNO_BYTES) {
        by_posts(pe, UNO_SIGNATURE_BYTES(UNO_P_ALL_TO_ALL, bytes), to, from, bytes);
        return;
    }
    struct uno_transfer t = {
        .pe = pe,
        .signature = UNO_SIGNATURE_BYTES(UNO_P_ALL_TO_ALL, bytes),
        .name = "p_allToAll",
        .schedule = uno_phasing_best,
        .to = {.base = to, .rows = 1, .width = bytes, .block = bytes, .row = bytes},
        .from = {.base = (char *)from, .rows = 1, .width = bytes, .block = bytes, .row = bytes}};
    equal(&t, bytes);
}

void p_allToAllStrided(void *to, struct p_stride to_stride, const void *from, struct p_stride from_stride,
                       size_t rows, size_t bytes) {
    struct uno_pe *pe = uno_exchange_pe("p_allToAllStrided");
    if (!rows || !bytes) /* no bytes, whichever of the two is 0 */
        rows = 1, bytes = 0;
    uno_exchange_check_data(pe, "p_allToAllStrided", to, bytes);
    uno_exchange_check_data(pe, "p_allToAllStrided", from, bytes);
    struct uno_transfer t = {
        .pe = pe,
        .signature = UNO_SIGNATURE_BYTES(UNO_P_ALL_TO_ALL_STRIDED, rows * bytes),
        .name = "p_allToAllStrided",
        .schedule = uno_phasing_best,
        .to = {.base = to, .rows = rows, .width = bytes, .block = to_stride.block, .row = to_stride.row},
        .from = {.base = (char *)from,
                 .rows = rows,
                 .width = bytes,
                 .block = from_stride.block,
                 .row = from_stride.row}};
    equal(&t, rows * bytes);
}

void p_allToAllv(void *to, const size_t *to_bytes, const size_t *to_at, const void *from,
                 const size_t *from_bytes, const size_t *from_at) {
    struct uno_pe *pe = uno_exchange_pe("p_allToAllv");
    struct uno_transfer t = {.pe = pe,
                             .signature = UNO_SIGNATURE(UNO_P_ALL_TO_ALL_V, 0),
                             .name = "p_allToAllv",
                             .schedule = uno_phasing_best,
                             .to = {.base = to, .bytes = to_bytes, .at = to_at},
                             .from = {.base = (char *)from, .bytes = from_bytes, .at = from_at}};
    int size = pe->group.size, me = pe->group.rank;
    if (!to_bytes || !to_at || !from_bytes || !from_at)
        uno_fail(pe, "p_allToAllv: a null pointer for sizes or places");
    for (int r = 0; r < size; r++) {
        uno_exchange_check_data(pe, "p_allToAllv", to, to_bytes[r]);
        uno_exchange_check_data(pe, "p_allToAllv", from, from_bytes[r]);
    }
    if (to_bytes[me] != from_bytes[me])
        uno_fail(pe, "p_allToAllv: mismatch: PE %d expects %zu bytes from itself, and gives itself %zu",
                 pe->me, to_bytes[me], from_bytes[me]);
    if (uno_sides_overlap(&t.to, &t.from, size))
        overlap(pe, "p_allToAllv");
    if (size == 1)
        alone(&t);
    else if (uno_exchange_by_messages(pe))
        uno_transfer_far(&t);
    else
        uno_transfer_varied(&t);
}
