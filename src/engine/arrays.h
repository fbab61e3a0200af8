/* Arrays that several PEs of a job reach, each at an address of its own: parts of a memory that the job has
 * for that, as sparse as the one for messages. Each PE gives out addresses of a part of its own, so that
 * groups can allocate at the same time; for a group its first member does. Pages are there, all of them,
 * before an array is used: memory that is short shows at once, and not by a signal later. */

#ifndef UNO_ARRAYS_H
#define UNO_ARRAYS_H

#include "channel/heap.h"
#include "pe.h"

/* An array of which this PE is a member. */
struct uno_array {
    uint64_t at; /* in bytes from the start of the memory for arrays: the same at every member */
    size_t bytes;
    struct uno_group group; /* that allocated it */
};

/* What one PE knows of them. */
struct uno_arrays {
    char *base;           /* of the memory for arrays, in this PE's addresses */
    size_t size;          /* of all of it */
    struct uno_heap heap; /* this PE's part */
    struct uno_array *array;
    size_t count, room;
};

/* Bytes of the part of each of n PEs: as much as the machine has, in whole huge pages, as long as the
 * addresses of all of them together suffice. */
uint64_t uno_arrays_part(int n);

/* Where they may start behind so many bytes. */
uint64_t uno_arrays_at(uint64_t bytes);

/* Bytes of all parts of a job. */
uint64_t uno_arrays_size(const struct uno_job *job);

/* This PE's, mapped when it is first used. NULL: this job has none, or there is no room for it. */
struct uno_arrays *uno_arrays_of(struct uno_pe *pe);

/* Addresses of `bytes` bytes in the part of this PE: *at. False: there is no room. */
bool uno_arrays_reserve(struct uno_arrays *arrays, size_t bytes, uint64_t *at);

/* Put zeroed memory there: this PE does its share of `shares`, number `share`. False: memory is short. */
bool uno_arrays_populate(struct uno_pe *pe, uint64_t at, size_t bytes, int share, int shares);

/* By the PE that reserved it, when nobody uses it any more: give memory and addresses back. */
void uno_arrays_release(struct uno_pe *pe, uint64_t at, size_t bytes);

/* Remember an array, or forget it. False: there is no memory to remember it. */
bool uno_arrays_note(struct uno_arrays *arrays, const struct uno_array *array);
void uno_arrays_forget(struct uno_arrays *arrays, struct uno_array *array);

/* The array that starts at this address; NULL: none does. */
struct uno_array *uno_arrays_find(struct uno_arrays *arrays, const void *data);

/* Whether the PEs of the job are threads of one process, so that all memory is in reach of all. */
static inline bool uno_arrays_one_process(const struct uno_job *job) {
    return job->arrays_at == UNO_MAIL_OWN;
}

/* Whether these bytes lie in the memory for arrays: *at, where. */
static inline bool uno_arrays_has(const struct uno_pe *pe, const void *data, size_t bytes, uint64_t *at) {
    const struct uno_arrays *arrays = pe->arrays;
    uintptr_t from = (uintptr_t)data;
    if (!arrays || from < (uintptr_t)arrays->base)
        return false;
    *at = from - (uintptr_t)arrays->base;
    return *at < arrays->size && bytes <= arrays->size - *at;
}

static inline char *uno_arrays_address(const struct uno_arrays *arrays, uint64_t at) {
    return arrays->base + at;
}

/* Free what was mapped: by a PE, and for PEs of one process by whoever made their job. */
void uno_arrays_end(struct uno_pe *pe);
void uno_arrays_free(struct uno_job *job);

#endif
