/* Arrays that several PEs of a job reach, each at an address of its own: parts of a memory that the job has
 * for that, as sparse as the one for messages. Each PE gives out parts of a part of its own, so that
 * groups can allocate at the same time; for a group its first member does. A PE maps an array when it is
 * allocated, and another group's when it reads from it. Pages are there, all of them,
 * before an array is used: memory that is short shows at once, and not by a signal later. */

#ifndef UNO_ARRAYS_H
#define UNO_ARRAYS_H

#include "extents.h"
#include "sparse.h"

/* An array of which this PE is a member. */
struct uno_array {
    uint64_t at; /* the same at every member: bytes from the start of the job's memory, or, among PEs of one
                    process, the address */
    size_t bytes;
    char *address;
    struct uno_group group; /* that allocated it */
};

/* What one PE knows of them. */
struct uno_arrays {
    struct uno_extents part; /* of processes: this PE's */
    struct uno_array *array;
    size_t count, room;
    struct uno_spans spans; /* of arrays of which it is no member */
};

/* Bytes of the part of each of n PEs: as much as the machine has, in whole huge pages, as long as the
 * addresses of all of them together suffice. */
uint64_t uno_arrays_part(int n);

/* Where they may start behind so many bytes. */
uint64_t uno_arrays_at(uint64_t bytes);

/* Bytes of all parts of a job. */
uint64_t uno_arrays_size(const struct uno_job *job);

/* This PE's. NULL: this job has none, or there is no memory for them. */
struct uno_arrays *uno_arrays_of(struct uno_pe *pe);

/* An array of array->bytes bytes in the part of this PE, which owns it. False: there is no room. */
bool uno_arrays_reserve(struct uno_pe *pe, struct uno_array *array);

/* By another member, which knows its place and bytes: make it be at an address of this one. False: there is
 * none. */
bool uno_arrays_attach(struct uno_pe *pe, struct uno_array *array);

/* Put zeroed memory there: this PE does its share of `shares`, number `share`. False: memory is short. */
bool uno_arrays_populate(const struct uno_array *array, int share, int shares);

/* By the PE that reserved it, when nobody uses it any more: give memory and addresses back. */
void uno_arrays_release(struct uno_pe *pe, const struct uno_array *array);

/* By any other member: give its addresses back. */
void uno_arrays_detach(struct uno_pe *pe, const struct uno_array *array);

/* By any member, which ends while others may use it still. */
void uno_arrays_leave(struct uno_pe *pe, const struct uno_array *array);

/* Remember an array, or forget it. False: there is no memory to remember it. */
bool uno_arrays_note(struct uno_arrays *arrays, const struct uno_array *array);
void uno_arrays_forget(struct uno_arrays *arrays, struct uno_array *array);

/* The array that starts at this address; NULL: none does. */
struct uno_array *uno_arrays_find(struct uno_arrays *arrays, const void *data);

/* The array in which all of these bytes lie; NULL: they are in none of which this PE is a member. */
const struct uno_array *uno_arrays_has(const struct uno_pe *pe, const void *data, size_t bytes);

/* Whether the PEs of the job are threads of one process, so that all memory is in reach of all. */
static inline bool uno_arrays_one_process(const struct uno_job *job) {
    return job->arrays_at == UNO_MAIL_OWN;
}

/* The place of an address in it. */
static inline uint64_t uno_array_place(const struct uno_array *array, const void *data) {
    return array->at + ((uintptr_t)data - (uintptr_t)array->address);
}

/* The address of `bytes` bytes at this place, in whosever array, until the next call. NULL: there is no room
 * for them among this process's addresses. */
const char *uno_arrays_reach(struct uno_pe *pe, uint64_t at, size_t bytes);

/* Free what was mapped, by a PE. */
void uno_arrays_end(struct uno_pe *pe);

#endif
