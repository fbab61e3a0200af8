/* Arrays that several PEs of a job share, each mapping them at an address of its own. They lie in a sparse
 * part of the job's memory, behind the memory for messages. Each PE owns a share of that part and allocates
 * from it without a lock, so that groups can allocate at the same time; the first member of a group allocates
 * for the group. A PE maps an array when it is allocated, and an array of another group when it first reads
 * from it. All pages of an array are allocated before it is used, so that a lack of memory is an error at
 * once and not a signal later. */

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
    struct uno_group group; /* the group that allocated the array */
};

/* The arrays that one PE knows. */
struct uno_arrays {
    struct uno_extents part; /* the part that this PE owns; only of processes */
    struct uno_array *array;
    size_t count, room;
    struct uno_spans spans; /* the mapped arrays of which this PE is no member */
};

/* Return the bytes of each of n PEs' share: as much memory as the machine has, in whole huge pages, as long
 * as the addresses of all shares together suffice. */
uint64_t uno_arrays_part(int n);

/* Return the offset at which the arrays' memory may start, behind `bytes` bytes. */
uint64_t uno_arrays_at(uint64_t bytes);

/* Return the bytes of all PEs' shares of a job together. */
uint64_t uno_arrays_size(const struct uno_job *job);

/* Return the arrays of this PE. NULL: this job has none, or there is no memory for the list. */
struct uno_arrays *uno_arrays_of(struct uno_pe *pe);

/* Reserve array->bytes bytes in the share of this PE, which then owns the array. False: there is no room. */
bool uno_arrays_reserve(struct uno_pe *pe, struct uno_array *array);

/* Map an array that another member has reserved; its place and bytes are set. False: no address is free for
 * it. */
bool uno_arrays_attach(struct uno_pe *pe, struct uno_array *array);

/* Allocate zeroed pages for part number `share` of `shares` parts of the array. False: memory is short. */
bool uno_arrays_populate(const struct uno_array *array, int share, int shares);

/* Give memory and addresses back. The PE that reserved the array calls this when no member uses it any
 * more. */
void uno_arrays_release(struct uno_pe *pe, const struct uno_array *array);

/* Give the addresses back. Every member but the owner calls this when no member uses the array any more. */
void uno_arrays_detach(struct uno_pe *pe, const struct uno_array *array);

/* Unmap the array in a member that ends while other members may still use it. */
void uno_arrays_leave(struct uno_pe *pe, const struct uno_array *array);

/* Remember an array, or forget it. False: there is no memory to remember it. */
bool uno_arrays_note(struct uno_arrays *arrays, const struct uno_array *array);
void uno_arrays_forget(struct uno_arrays *arrays, struct uno_array *array);

/* Return the array that starts at this address. NULL: none does. */
struct uno_array *uno_arrays_find(struct uno_arrays *arrays, const void *data);

/* Return the array in which all of these bytes lie. NULL: no array of which this PE is a member contains
 * them. */
const struct uno_array *uno_arrays_has(const struct uno_pe *pe, const void *data, size_t bytes);

/* Return the place of an address in the array: a value that is the same at every member. */
static inline uint64_t uno_array_place(const struct uno_array *array, const void *data) {
    return array->at + ((uintptr_t)data - (uintptr_t)array->address);
}

/* Return the address of `bytes` bytes at this place, in an array of any group; it is valid until the next
 * call. NULL: no address is free to map them. */
const char *uno_arrays_reach(struct uno_pe *pe, uint64_t at, size_t bytes);

/* Unmap and free everything when a PE leaves. */
void uno_arrays_end(struct uno_pe *pe);

#endif
