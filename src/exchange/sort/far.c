/* Each member sorts its records by itself. Then all find where, in each of these parts, the records begin
 * that a member will have: by halving the range of the keys until as many records have a smaller key as
 * belong to the members before it. Of those with that very key the parts of the first members give as many as
 * are lacking, so that the sort is stable. The records go by one exchange. As those of a member come one part
 * behind the other, sorting them once more, stably, puts them in order. */

#include "far.h"

#include <stdlib.h>

#include "exchange/local.h"
#include "sort.h"

/* The state of a member while it sorts. */
struct sorter {
    const struct uno_sort_far *part;
    struct uno_sort sort;
    void *own;
    char *records, *other; /* this member's records, and as much room; of the sort's `from` and `to` */
    uint64_t *bound;       /* of each member: the key from which on records may be its own */
    uint64_t *mine, *all;  /* two numbers of this member for each, and of each for this one */
};

/* ---- memory and order of one part --------------------------------------------------------------------- */

static void *lines(size_t bytes) {
    return aligned_alloc(UNO_SORT_ALIGN, (bytes + UNO_SORT_ALIGN) / UNO_SORT_ALIGN * UNO_SORT_ALIGN);
}

/* Allocate all that is needed. Returns false if memory is short. */
static bool open(struct sorter *s) {
    const struct uno_sort_far *part = s->part;
    size_t bytes = part->n * part->record, words = (size_t)part->pe->group.size * sizeof(uint64_t);
    s->sort = uno_sort_prepare(part->n, part->record, part->key, 1);
    s->sort.work = lines(s->sort.work_bytes);
    s->records = lines(bytes);
    s->other = lines(bytes);
    s->bound = malloc(words);
    s->mine = malloc(2 * words);
    s->all = malloc(2 * words);
    return s->sort.work && s->records && s->other && s->bound && s->mine && s->all;
}

static void shut(struct sorter *s) {
    free(s->sort.work);
    free(s->records);
    free(s->other);
    free(s->bound);
    free(s->mine);
    free(s->all);
}

/* Put this member's records in order. */
static void arrange(struct sorter *s) {
    struct uno_sort_crew alone = {.pes = 1};
    struct uno_sort_times times;
    if (!s->part->n)
        return;
    s->sort.from = s->records;
    s->sort.to = s->other;
    if (uno_sort(&s->sort, &alone, s->own, &times) == s->records)
        return;
    s->other = s->records;
    s->records = s->sort.to;
}

/* Return how many of this member's records have a smaller key. */
static uint64_t less(const struct sorter *s, uint64_t key) {
    uint64_t low = 0, high = s->part->n;
    while (low < high) {
        uint64_t half = (low + high) / 2;
        if (uno_sort_read(s->part->key, s->records + half * s->part->record) < key)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

/* ---- what belongs to whom ------------------------------------------------------------------------------ */

/* Give all members this one's bound, and take theirs. */
static void tell_bound(struct sorter *s, uint64_t bound) {
    struct uno_pe *pe = s->part->pe;
    const void *const *data = pe->unit->meet(pe, UNO_SIGNATURE(UNO_P_SORT, 0), &bound, 1);
    for (int r = 0; r < pe->group.size; r++)
        s->bound[r] = *(const uint64_t *)data[r];
    uno_leave(pe);
}

/* Return the number of records of all members that have a smaller key than this bound of this member. */
static uint64_t count(struct sorter *s, uint64_t bound) {
    uint64_t sum = 0;
    tell_bound(s, bound);
    for (int r = 0; r < s->part->pe->group.size; r++)
        s->mine[r] = less(s, s->bound[r]);
    p_allToAll(s->all, s->mine, sizeof *s->all);
    for (int r = 0; r < s->part->pe->group.size; r++)
        sum += s->all[r];
    return sum;
}

/* Find the greatest key than which no more records are less than belong to the members before this one. */
static uint64_t find_bound(struct sorter *s) {
    uint64_t bound = 0;
    for (unsigned bits = 8 * s->part->key->bytes; bits-- > 0;) {
        uint64_t next = bound | UINT64_C(1) << bits;
        if (count(s, next) <= s->part->before)
            bound = next;
    }
    return bound;
}

/* Return how many of this member's records have this key or a smaller one. */
static uint64_t up_to(const struct sorter *s, uint64_t key) {
    return key == UINT64_MAX ? s->part->n : less(s, key + 1);
}

/* Find where in this member's records those of each member begin: in s->mine. */
static void find_begins(struct sorter *s) {
    int size = s->part->pe->group.size;
    uint64_t lacking = s->part->before;
    tell_bound(s, find_bound(s));
    for (int r = 0; r < size; r++) {
        s->mine[2 * r] = less(s, s->bound[r]);
        s->mine[2 * r + 1] = up_to(s, s->bound[r]) - s->mine[2 * r];
    }
    p_allToAll(s->all, s->mine, 2 * sizeof *s->all);
    for (int r = 0; r < size; r++)
        lacking -= s->all[2 * r];
    for (int r = 0; r < size; r++) {
        uint64_t equal = s->all[2 * r + 1], from_it = equal < lacking ? equal : lacking;
        s->bound[r] = s->all[2 * r] + from_it;
        lacking -= from_it;
    }
    p_allToAll(s->mine, s->bound, sizeof *s->mine);
}

/* Give each member the records that belong to it, and take this one's, by parts in the order of members. */
static void exchange(struct sorter *s) {
    int size = s->part->pe->group.size;
    size_t record = s->part->record, at = 0;
    size_t from_at[size], from_bytes[size], to_at[size], to_bytes[size];
    for (int r = 0; r < size; r++) {
        from_at[r] = s->mine[r] * record;
        from_bytes[r] = (r + 1 < size ? s->mine[r + 1] : s->part->n) * record - from_at[r];
    }
    p_allToAll(to_bytes, from_bytes, sizeof *to_bytes);
    for (int r = 0; r < size; at += to_bytes[r++])
        to_at[r] = at;
    p_allToAllv(s->other, to_bytes, to_at, s->records, from_bytes, from_at);
    char *given = s->records;
    s->records = s->other;
    s->other = given;
}

bool uno_sort_far(const struct uno_sort_far *part, void *own) {
    struct sorter s = {.part = part, .own = own};
    size_t bytes = part->n * part->record;
    bool there = uno_exchange_all(part->pe, UNO_SIGNATURE(UNO_P_SORT, 0), open(&s));
    if (there) {
        if (bytes)
            memcpy(s.records, part->records, bytes);
        arrange(&s);
        find_begins(&s);
        exchange(&s);
        arrange(&s);
        if (bytes)
            memcpy(part->records, s.records, bytes);
    }
    shut(&s);
    return there;
}
