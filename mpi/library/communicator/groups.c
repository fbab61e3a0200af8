/* Groups: lists of ranks. */

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/communicator/groups.h"

static void release(void *object) {
    free(((struct uno_mpi_group *)object)->pe);
}

struct uno_mpi_group *uno_group_make(int size, const int *pe) {
    struct uno_mpi_group *g;
    if (!size && uno_rank->empty)
        return uno_object_hold(uno_rank->empty);
    g = uno_object_make(UNO_GROUP, sizeof *g, size ? 0 : (uintptr_t)MPI_GROUP_EMPTY, release);
    g->size = size;
    g->rank = MPI_UNDEFINED;
    g->pe = uno_base_allocate((size_t)size + 1, sizeof *g->pe);
    for (int r = 0; r < size; r++) {
        g->pe[r] = pe[r];
        if (pe[r] == uno_rank->pe->me)
            g->rank = r;
    }
    return g;
}

struct uno_mpi_group *uno_group_chain(const struct uno_mpi_group *a, const struct uno_mpi_group *b) {
    int *pe = uno_base_allocate((size_t)(a->size + b->size), sizeof *pe);
    memcpy(pe, a->pe, (size_t)a->size * sizeof *pe);
    memcpy(pe + a->size, b->pe, (size_t)b->size * sizeof *pe);
    struct uno_mpi_group *all = uno_group_make(a->size + b->size, pe);
    free(pe);
    return all;
}

/* Return for each PE of the job its rank in the group, or MPI_UNDEFINED; to be freed. */
static int *ranks_of(const struct uno_mpi_group *group) {
    int n = uno_rank->pe->n, *rank = uno_base_allocate((size_t)n, sizeof *rank);
    for (int k = 0; k < n; k++)
        rank[k] = MPI_UNDEFINED;
    for (int r = 0; r < group->size; r++)
        rank[group->pe[r]] = r;
    return rank;
}

static int give(int size, int *pe, MPI_Group *newgroup) {
    *newgroup = (MPI_Group)uno_group_make(size, pe)->object.handle;
    free(pe);
    return MPI_SUCCESS;
}

/* Room for that many ranks. */
static int *room(int size) {
    return uno_base_allocate((size_t)size + 1, sizeof(int));
}

int uno_mpi_group_size(struct uno_mpi_group *group, int *size) {
    *size = group->size;
    return MPI_SUCCESS;
}

int uno_mpi_group_rank(struct uno_mpi_group *group, int *rank) {
    *rank = group->rank;
    return MPI_SUCCESS;
}

int uno_mpi_group_free(MPI_Group *group) {
    struct uno_mpi_group *found = uno_find_group(*group);
    if (!found)
        return uno_error(MPI_ERR_GROUP, "group is no group");
    uno_object_drop(found);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int uno_mpi_group_translate_ranks(struct uno_mpi_group *group1, int n, const int ranks1[],
                                  struct uno_mpi_group *group2, int ranks2[]) {
    int *rank = ranks_of(group2), error = MPI_SUCCESS;
    for (int i = 0; i < n && !error; i++) {
        if (ranks1[i] != MPI_PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= group1->size))
            error = uno_error(MPI_ERR_RANK, "ranks1[%d] is %d, and group1 has %d ranks", i, ranks1[i],
                              group1->size);
        else
            ranks2[i] = ranks1[i] == MPI_PROC_NULL ? MPI_PROC_NULL : rank[group1->pe[ranks1[i]]];
    }
    free(rank);
    return error;
}

int uno_groups_compare(const struct uno_mpi_group *a, const struct uno_mpi_group *b) {
    if (a->size != b->size)
        return MPI_UNEQUAL;
    if (memcmp(a->pe, b->pe, (size_t)a->size * sizeof *a->pe) == 0)
        return MPI_IDENT;
    int *rank = ranks_of(b), result = MPI_SIMILAR;
    for (int r = 0; r < a->size; r++)
        if (rank[a->pe[r]] == MPI_UNDEFINED)
            result = MPI_UNEQUAL;
    free(rank);
    return result;
}

int uno_mpi_group_compare(struct uno_mpi_group *group1, struct uno_mpi_group *group2, int *result) {
    *result = uno_groups_compare(group1, group2);
    return MPI_SUCCESS;
}

/* ---- of two groups ----------------------------------------------------------------------------------- */

/* Append to the first `size` of pe those PEs of a group that are in the other group, or that are not. Returns
 * the new number. */
static int pick(const struct uno_mpi_group *from, const struct uno_mpi_group *other, bool in, int size,
                int *pe) {
    int *rank = ranks_of(other);
    for (int r = 0; r < from->size; r++)
        if ((rank[from->pe[r]] != MPI_UNDEFINED) == in)
            pe[size++] = from->pe[r];
    free(rank);
    return size;
}

int uno_mpi_group_union(struct uno_mpi_group *group1, struct uno_mpi_group *group2, MPI_Group *newgroup) {
    int *pe = room(group1->size + group2->size);
    memcpy(pe, group1->pe, (size_t)group1->size * sizeof *pe);
    return give(pick(group2, group1, false, group1->size, pe), pe, newgroup);
}

int uno_mpi_group_intersection(struct uno_mpi_group *group1, struct uno_mpi_group *group2,
                               MPI_Group *newgroup) {
    int *pe = room(group1->size);
    return give(pick(group1, group2, true, 0, pe), pe, newgroup);
}

int uno_mpi_group_difference(struct uno_mpi_group *group1, struct uno_mpi_group *group2,
                             MPI_Group *newgroup) {
    int *pe = room(group1->size);
    return give(pick(group1, group2, false, 0, pe), pe, newgroup);
}

/* ---- of lists of ranks --------------------------------------------------------------------------------- */

/* Mark the given ranks of the group. Returns for each rank its place among them, from 1 on, or 0. NULL: one
 * is not in the group, or is given twice. */
static int *take(const struct uno_mpi_group *group, int n, const int ranks[]) {
    int *taken = room(group->size);
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= group->size || taken[ranks[i]]) {
            uno_error(
                MPI_ERR_RANK, "rank %d, number %d of those listed, is %s the group, which has %d", ranks[i],
                i, ranks[i] < 0 || ranks[i] >= group->size ? "not in" : "there twice; it is in", group->size);
            free(taken);
            return NULL;
        }
        taken[ranks[i]] = i + 1;
    }
    return taken;
}

static int include(const struct uno_mpi_group *group, int n, const int ranks[], MPI_Group *newgroup) {
    int *taken = take(group, n, ranks), *pe = taken ? room(n) : NULL;
    if (!taken)
        return MPI_ERR_RANK;
    for (int i = 0; i < n; i++)
        pe[i] = group->pe[ranks[i]];
    free(taken);
    return give(n, pe, newgroup);
}

static int exclude(const struct uno_mpi_group *group, int n, const int ranks[], MPI_Group *newgroup) {
    int *taken = take(group, n, ranks), *pe = taken ? room(group->size) : NULL, size = 0;
    if (!taken)
        return MPI_ERR_RANK;
    for (int r = 0; r < group->size; r++)
        if (!taken[r])
            pe[size++] = group->pe[r];
    free(taken);
    return give(size, pe, newgroup);
}

int uno_mpi_group_incl(struct uno_mpi_group *group, int n, const int ranks[], MPI_Group *newgroup) {
    return include(group, n, ranks, newgroup);
}

int uno_mpi_group_excl(struct uno_mpi_group *group, int n, const int ranks[], MPI_Group *newgroup) {
    return exclude(group, n, ranks, newgroup);
}

/* The ranks of triples of first, last and stride; to be freed. NULL: one is none. */
static int *spread(const struct uno_mpi_group *group, int n, int ranges[][3], int *count) {
    int *ranks = room(group->size);
    *count = 0;
    for (int i = 0; i < n; i++) {
        int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
        for (int r = first; stride > 0 ? r <= last : stride < 0 && r >= last; r += stride) {
            if (*count == group->size)
                stride = 0; /* more than there are: one is there twice, or not in the group */
            else
                ranks[(*count)++] = r;
        }
        if (!stride) {
            uno_error(MPI_ERR_ARG, "range %d is from %d to %d in steps of %d", i, first, last, ranges[i][2]);
            free(ranks);
            return NULL;
        }
    }
    return ranks;
}

static int of_ranges(struct uno_mpi_group *group, int n, int ranges[][3], MPI_Group *newgroup,
                     int (*make)(const struct uno_mpi_group *, int, const int[], MPI_Group *)) {
    int count, *ranks = spread(group, n, ranges, &count);
    int error = ranks ? make(group, count, ranks, newgroup) : MPI_ERR_ARG;
    free(ranks);
    return error;
}

int uno_mpi_group_range_incl(struct uno_mpi_group *group, int n, int ranges[][3], MPI_Group *newgroup) {
    return of_ranges(group, n, ranges, newgroup, include);
}

int uno_mpi_group_range_excl(struct uno_mpi_group *group, int n, int ranges[][3], MPI_Group *newgroup) {
    return of_ranges(group, n, ranges, newgroup, exclude);
}
