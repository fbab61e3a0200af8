/* p_sort: every member has a part of the records, in memory of any kind. */

#include <errno.h>
#include <stdlib.h>

#include "engine/bypass.h"
#include "exchange/local.h"
#include "far.h"
#include "partition.h"
#include "sort.h"

#define NOWHERE UINT64_MAX

/* The record by which each member tells the others about its part. */
struct part {
    uint64_t n, at; /* its records, and their place in an array, or NOWHERE */
    uint64_t array; /* that array's place */
    uint64_t record, offset;
    char type[7];
    uint8_t memory; /* 1: the member has the memory that it needs for itself */
};

_Static_assert(sizeof(struct part) <= UNO_BYTES, "one post holds it");

/* The parts of all members as a whole. */
struct whole {
    uint64_t n, before; /* records of all, and of the members before this one */
    bool together;      /* all parts lie one behind the other in one array: */
    uint64_t in;        /* the first one at this byte of it */
    bool memory;        /* all members have the memory that each needs for itself */
};

static UNO_COLD _Noreturn void differ(struct uno_pe *pe, const struct part *mine, int r,
                                      const struct part *theirs) {
    uno_fail(
        pe,
        "p_sort: mismatch: PE %d sorts records of %llu bytes by %.8s@%llu, but PE %d of %llu by %.8s@%llu",
        pe->me, (unsigned long long)mine->record, mine->type, (unsigned long long)mine->offset,
        uno_exchange_member(pe, r), (unsigned long long)theirs->record, theirs->type,
        (unsigned long long)theirs->offset);
}

static struct whole meet(struct uno_pe *pe, const struct part *mine) {
    struct whole whole = {.together = true, .memory = true};
    uno_bypass(pe, UNO_P_SORT);
    const void *const *data =
        pe->unit->meet(pe, UNO_SIGNATURE(UNO_P_SORT, 0), (const uint64_t *)(const void *)mine,
                       sizeof *mine / sizeof(uint64_t));
    uint64_t at = NOWHERE;
    for (int r = 0; r < pe->group.size; r++) {
        struct part theirs;
        memcpy(&theirs, data[r], sizeof theirs);
        if (theirs.record != mine->record || theirs.offset != mine->offset ||
            memcmp(theirs.type, mine->type, sizeof theirs.type) != 0)
            differ(pe, mine, r, &theirs);
        if (r == 0)
            at = theirs.at;
        whole.together = whole.together && theirs.at != NOWHERE && theirs.array == mine->array &&
                         theirs.at == at + whole.n * theirs.record;
        whole.before += r < pe->group.rank ? theirs.n : 0;
        whole.n += theirs.n;
        whole.memory = whole.memory && theirs.memory;
    }
    uno_leave(pe);
    whole.in = at - mine->array;
    whole.together = whole.together && whole.in % mine->record == 0;
    return whole;
}

/* Sort the records by way of arrays that all members reach: `from`, or, if that is NULL, one to which every
 * member copies its part. Returns false, at every member, if there is no memory for them. */
static bool sort_whole(struct uno_sort *sort, const struct uno_sort_crew *crew, char *from, size_t before,
                       char *part, size_t bytes, void *own) {
    struct uno_sort_times times;
    size_t all = sort->n * sort->record;
    char *copy = from ? NULL : p_alloc(all), *to = p_alloc(all), *work = p_alloc(sort->work_bytes);
    bool there = (from || copy) && to && work;
    if (there) {
        sort->from = from ? from : copy;
        sort->to = to;
        sort->work = work;
        if (copy) {
            memcpy(copy + before, part, bytes);
            crew->wait();
        }
        const char *sorted = uno_sort(sort, crew, own, &times);
        if (sorted + before != part)
            memcpy(part, sorted + before, bytes);
    }
    p_free(work);
    p_free(to);
    p_free(copy);
    return there;
}

int p_sort(void *records, size_t n, size_t record, const char *type, size_t offset) {
    struct uno_pe *pe = uno_exchange_pe("p_sort");
    struct uno_sort_key key;
    struct part part = {.n = n, .at = NOWHERE, .record = record, .offset = offset};
    if (!type || !uno_sort_key(&key, type, offset))
        uno_fail(pe, "p_sort: \"%s\" is no type of a key", type ? type : "");
    if (offset + key.bytes > record || offset > record)
        uno_fail(pe, "p_sort: a key of %u bytes at byte %zu is not within a record of %zu bytes", key.bytes,
                 offset, record);
    uno_exchange_check_data(pe, "p_sort", records, n);
    memcpy(part.type, type, strlen(type)); /* which is short, since it is known */
    const struct uno_array *array = uno_arrays_has(pe, records, n * record);
    if (array) {
        part.at = uno_array_place(array, records);
        part.array = array->at;
    }
    void *own = aligned_alloc(UNO_SORT_ALIGN, sizeof(struct uno_sort_own));
    part.memory = own != NULL;
    struct whole whole = meet(pe, &part);
    struct uno_sort_crew crew = {.pes = pe->group.size, .me = pe->group.rank, .wait = p_wait};
    struct uno_sort sort = uno_sort_prepare(whole.n, record, &key, crew.pes);
    char *from = whole.together ? array->address + whole.in : NULL;
    struct uno_sort_far far = {
        .pe = pe, .key = &key, .records = records, .record = record, .n = n, .before = whole.before};
    bool sorted = whole.memory;
    if (whole.memory && whole.n && uno_exchange_apart(pe))
        sorted = uno_sort_far(&far, own);
    else if (whole.memory && whole.n)
        sorted = sort_whole(&sort, &crew, from, whole.before * record, records, n * record, own);
    free(own);
    return sorted ? 0 : -ENOMEM;
}
