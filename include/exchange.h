/* exchange.h - moving every element of a distributed array to where it belongs.
 *
 * The operations of T. M. Stricker and J. C. Hardwick, "From AAPC Algorithms to High Performance Permutation
 * Routing and Sorting", SPAA 1996. A program checks in by p_init (or runs in
 * p_team), and the operations work on the current group of papers.h: every member must call the same
 * function, and none returns before all have called. Arguments that must be the same at all members are
 * compared; if they differ, the job ends with a message that names two members.
 *
 *     double *a = p_alloc(n * n * sizeof *a);                     zeros, which all members reach
 *     p_allToAll(to, from, bytes);                                block r of `from` goes to member r
 *     p_free(a);
 *
 * Members are numbered by their place in the group, from 0 in PE order (p_enumerate). Data may lie anywhere;
 * in memory from p_alloc the PEs copy directly from each other, which is fastest.
 *
 * In a job on several machines, all-to-all and the sort work in every group. Arrays and permutations need a
 * group of one machine, whose PEs share memory; in another one it is an error that names two PEs and their
 * machines. */

#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <papers.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- shared arrays ----------------------------------------------------------------------------------- */

/* Allocate one array of `bytes` bytes, the same number at all members, that all of them reach: each at an
 * address of its own, aligned to 2 MB, on huge pages where the system allows that. It is all zeros, and all
 * its pages are allocated. Returns NULL at every member if memory is short. An array that is not freed lasts
 * until the job ends. */
void *p_alloc(size_t bytes);

/* Free an array from p_alloc. All members of the group that allocated it must call this. */
void p_free(void *array);

/* ---- all-to-all ------------------------------------------------------------------------------------------
 * Every member has a block for every member, itself too. `to` and `from` must not overlap. */

/* Exchange blocks of `bytes` bytes, the same number at all members: block r of `from` goes to member r, and
 * the block from member r becomes block r of `to`. */
void p_allToAll(void *to, const void *from, size_t bytes);

/* Exchange blocks of any sizes at any places: from_bytes[r] bytes at from + from_at[r] go to member r, and
 * those from member r, which must be to_bytes[r] bytes, come to to + to_at[r]. All offsets are in bytes. */
void p_allToAllv(void *to, const size_t *to_bytes, const size_t *to_at, const void *from,
                 const size_t *from_bytes, const size_t *from_at);

/* The layout of blocks that consist of rows: the distance in bytes from one block to the next, and within a
 * block from one row to the next. */
struct p_stride {
    size_t block, row;
};

/* Exchange blocks of `rows` rows of `bytes` bytes each, the same numbers at all members; the distances may
 * differ, at each member and between `to` and `from`. So the columns of one matrix become the rows of
 * another. */
void p_allToAllStrided(void *to, struct p_stride to_stride, const void *from, struct p_stride from_stride,
                       size_t rows, size_t bytes);

/* ---- permutations ----------------------------------------------------------------------------------------
 * They move elements by a table of indices, between an array of `length` elements of `bytes` bytes that all
 * members reach (in memory from p_alloc; in any memory, if the PEs are threads) and each member's own
 * elements, any number of them. An index that is not less than length is an error. The two must not
 * overlap. */

/* Move element i of `from` to element index[i] of the array, for every i less than count. When it returns,
 * all members' elements have been moved. If several go to one place, one of them is there. */
void p_permutePut(void *array, size_t length, const void *from, const uint64_t *index, size_t count,
                  size_t bytes);

/* Copy element index[i] of the array to element i of `to`, for every i less than count. No PE may change the
 * array before all have returned. */
void p_permuteGet(void *to, const void *array, size_t length, const uint64_t *index, size_t count,
                  size_t bytes);

/* ---- sort -------------------------------------------------------------------------------------------- */

/* Sort the records of all members: `n` of them, from 0, at this member; n may differ between members. Records
 * have `record` bytes each and are ordered by the key at byte `offset` of a record, whose type is "u8",
 * "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32" or "f64"; record, type and offset are the same at all
 * members. Afterwards every member has as many records as before, and those of all members, one after the
 * other, are in order. Stable: records with equal keys stay in their order, those of a member before those of
 * the next. Floating-point keys are ordered as by IEEE 754's totalOrder: -0 before +0, NaNs at the ends.
 * Parts that follow each other in one array from p_alloc are sorted in place; others are copied to such an
 * array and back, or, if members are on several machines, to memory of each member's own.
 *
 * Returns 0; or -ENOMEM at every member if memory is short, and then nothing has been done. */
int p_sort(void *records, size_t n, size_t record, const char *type, size_t offset);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
