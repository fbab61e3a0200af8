/* p_alloc and p_free. */

#include "engine/bypass.h"
#include "local.h"

#define NOWHERE UINT64_MAX

/* Fail because this PE and another member have passed different numbers of bytes. */
static UNO_COLD _Noreturn void differ(struct uno_pe *pe, const char *name, int r, const char *what,
                                      uint64_t mine, uint64_t theirs) {
    uno_fail(pe, "%s: mismatch: PE %d %s %llu bytes, but PE %d %llu", name, pe->me, what,
             (unsigned long long)mine, uno_exchange_member(pe, r), (unsigned long long)theirs);
}

void uno_exchange_check_near(struct uno_pe *pe, const char *name) {
    const struct uno_job_nodes *nodes = uno_nodes_of(pe->job);
    if (UNO_LIKELY(!uno_exchange_apart(pe)))
        return;
    int first = pe->group.first, here = nodes->place[first].node;
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
        if (nodes->place[k].node != here)
            uno_fail(pe, "%s: PEs %d and %d are on different machines (%s, %s), which share no memory", name,
                     first, k, nodes->name[here], nodes->name[nodes->place[k].node]);
}

/* Return the place at which the group's first member has reserved room for an array; NOWHERE: there is no
 * room. */
static uint64_t place(struct uno_pe *pe, const struct uno_arrays *arrays, struct uno_array *array) {
    uint64_t bytes = array->bytes;
    bool reserved = pe->group.rank == 0 && arrays && uno_arrays_reserve(pe, array);
    uint64_t words[2] = {bytes, reserved ? array->at : NOWHERE};
    uno_bypass(pe, UNO_P_ALLOC);
    const void *const *data = pe->unit->meet(pe, UNO_SIGNATURE_P_ALLOC, words, 2);
    for (int r = 0; r < pe->group.size; r++) {
        uint64_t theirs = *(const uint64_t *)data[r];
        if (theirs != bytes)
            differ(pe, "p_alloc", r, "allocates", bytes, theirs);
    }
    uint64_t at = ((const uint64_t *)data[0])[1];
    uno_leave(pe);
    return at;
}

/* Give the array's memory back; no member uses it any more, since all have arrived. */
static void give_back(struct uno_pe *pe, const struct uno_array *array) {
    if (pe->group.rank == 0)
        uno_arrays_release(pe, array);
    else
        uno_arrays_detach(pe, array);
}

void *p_alloc(size_t bytes) {
    struct uno_pe *pe = uno_exchange_pe("p_alloc");
    uno_exchange_check_near(pe, "p_alloc");
    struct uno_arrays *arrays = uno_arrays_of(pe);
    struct uno_array array = {.bytes = bytes, .group = pe->group};
    array.at = place(pe, arrays, &array);
    if (array.at == NOWHERE)
        return NULL;
    bool owner = pe->group.rank == 0;
    bool there = arrays && (owner || uno_arrays_attach(pe, &array)) &&
                 uno_arrays_populate(&array, pe->group.rank, pe->group.size) &&
                 uno_arrays_note(arrays, &array);
    if (uno_exchange_all(pe, UNO_SIGNATURE_P_ALLOC, there))
        return array.address;
    if (there)
        uno_arrays_forget(arrays, &arrays->array[arrays->count - 1]);
    give_back(pe, &array);
    return NULL;
}

void p_free(void *data) {
    struct uno_pe *pe = uno_exchange_pe("p_free");
    if (!data)
        return;
    uno_exchange_check_near(pe, "p_free");
    struct uno_array *array = uno_arrays_find(pe->arrays, data);
    if (!array)
        uno_fail(pe, "p_free: %p is no array from p_alloc, or has been freed", data);
    if (array->group.id != pe->group.id) {
        char mine[UNO_MASK_TEXT], its[UNO_MASK_TEXT];
        uno_fail(pe, "p_free: an array of group %s is freed in group %s",
                 uno_mask_text(array->group.mask, pe->job->words, its),
                 uno_mask_text(pe->group.mask, pe->job->words, mine));
    }
    uint64_t words[2] = {array->bytes, array->at};
    const void *const *told = pe->unit->meet(pe, UNO_SIGNATURE_P_FREE, words, 2);
    for (int r = 0; r < pe->group.size; r++)
        if (((const uint64_t *)told[r])[1] != array->at)
            differ(pe, "p_free", r, "frees an array of", array->bytes, *(const uint64_t *)told[r]);
    uno_leave(pe);
    struct uno_array freed = *array;
    uno_arrays_forget(pe->arrays, array);
    give_back(pe, &freed);
}
