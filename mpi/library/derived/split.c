#include "library/derived/split.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/communicator/node.h"
#include "library/derived/agree.h"
#include "library/object/info.h"

/* ---- by groups -------------------------------------------------------------------------------------------
 */

static int check_group(const struct uno_mpi_group *group, const struct uno_mpi_group *of) {
    for (int r = 0; r < group->size; r++) {
        bool there = false;
        for (int i = 0; i < of->size && !there; i++)
            there = of->pe[i] == group->pe[r];
        if (!there)
            return uno_error(MPI_ERR_GROUP, "rank %d of group is not in comm", r);
    }
    return MPI_SUCCESS;
}

static int give(struct uno_mpi_comm *made, MPI_Comm *newcomm) {
    *newcomm = made ? (MPI_Comm)made->object.handle : MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int uno_mpi_comm_create(struct uno_mpi_comm *comm, struct uno_mpi_group *group, MPI_Comm *newcomm) {
    struct uno_mpi_comm *made = NULL;
    bool member = group->rank != MPI_UNDEFINED;
    int error = check_group(group, comm->group);
    *newcomm = MPI_COMM_NULL;
    if (error)
        return error;
    if (comm->remote) { /* the other group has one of its own, of which this rank does not know */
        error = uno_comm_split(comm, member ? 0 : MPI_UNDEFINED, group->rank, &made);
        return error ? error : give(made, newcomm);
    }
    struct uno_makers makers = uno_makers_of(comm);
    int id = uno_makers_agree(&makers);
    if (id < 0)
        return uno_comm_no_id();
    return give(member ? uno_comm_child(comm, group, NULL, id) : NULL, newcomm);
}

int uno_mpi_comm_create_group(struct uno_mpi_comm *comm, struct uno_mpi_group *group, int tag,
                              MPI_Comm *newcomm) {
    int error = check_group(group, comm->group);
    *newcomm = MPI_COMM_NULL;
    if (error || group->rank == MPI_UNDEFINED)
        return error;
    struct uno_comm all;
    struct uno_makers makers = uno_makers_in(&all, group, comm, tag);
    int id = uno_makers_agree(&makers);
    uno_comm_disconnect(&all);
    return id < 0 ? uno_comm_no_id() : give(uno_comm_child(comm, group, NULL, id), newcomm);
}

/* ---- by colors --------------------------------------------------------------------------------------------
 */

/* The arguments of one rank. */
struct choice {
    int color, key, pe;
    int number; /* the rank's position among all ranks */
    bool first; /* the rank is in the first group of an intercommunicator */
};

static int by_key(const void *a, const void *b) {
    const struct choice *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->number > y->number) - (x->number < y->number);
}

/* Return the group of the ranks of a side that chose that color; NULL: there are none. */
static struct uno_mpi_group *group_of(const struct choice *all, int count, int color, bool first) {
    struct choice *chosen = uno_base_allocate((size_t)count, sizeof *chosen);
    int n = 0, *pe = uno_base_allocate((size_t)count, sizeof *pe);
    for (int r = 0; r < count; r++)
        if (all[r].color == color && all[r].first == first)
            chosen[n++] = all[r];
    qsort(chosen, (size_t)n, sizeof *chosen, by_key);
    for (int i = 0; i < n; i++)
        pe[i] = chosen[i].pe;
    struct uno_mpi_group *group = n ? uno_group_make(n, pe) : NULL;
    free(chosen);
    free(pe);
    return group;
}

/* Return the communicator of the ranks that chose the color of this rank; NULL: those of an intercommunicator
 * are all on one side. */
static struct uno_mpi_comm *part_of(const struct uno_mpi_comm *comm, const struct choice *all, int count,
                                    int color, int id) {
    struct uno_mpi_comm *made = NULL;
    struct uno_mpi_group *group = group_of(all, count, color, comm->first), *remote = NULL;
    if (comm->remote)
        remote = group_of(all, count, color, !comm->first);
    if (!comm->remote || remote)
        made = uno_comm_child(comm, group, remote, id);
    uno_object_drop(group);
    uno_object_drop(remote);
    return made;
}

int uno_comm_split(struct uno_mpi_comm *comm, int color, int key, struct uno_mpi_comm **made) {
    struct uno_comm *c = uno_comm_all(comm);
    struct choice mine = {color, key, uno_rank->pe->me, c->rank, comm->first};
    struct choice *all = uno_base_allocate((size_t)c->size, sizeof *all);
    struct uno_makers makers = uno_makers_of(comm);
    *made = NULL;
    uno_makers_collect(&makers, &mine, sizeof mine, all);
    int id = uno_makers_agree(&makers);
    if (id >= 0 && color != MPI_UNDEFINED)
        *made = part_of(comm, all, c->size, color, id);
    free(all);
    return id < 0 ? uno_comm_no_id() : MPI_SUCCESS;
}

static int split(struct uno_mpi_comm *comm, int color, int key, MPI_Comm *newcomm) {
    struct uno_mpi_comm *made;
    int error = uno_comm_split(comm, color, key, &made);
    give(made, newcomm);
    return error;
}

int uno_mpi_comm_split(struct uno_mpi_comm *comm, int color, int key, MPI_Comm *newcomm) {
    if (color < 0 && color != MPI_UNDEFINED)
        return uno_error(MPI_ERR_ARG, "color is %d; it is at least 0, or MPI_UNDEFINED", color);
    return split(comm, color, key, newcomm);
}

/* Return the color of this rank for a kind of resource; MPI_UNDEFINED: the kind is not distinguished. The
 * ranks of a node share memory; smaller parts of a machine are not distinguished. */
static int color_of(int split_type, const struct uno_mpi_info *info) {
    const char *resource = uno_info_value(info, "mpi_hw_resource_type");
    const char *set = uno_info_value(info, "mpi_pset_name");
    bool guided = split_type == MPI_COMM_TYPE_HW_GUIDED || split_type == MPI_COMM_TYPE_RESOURCE_GUIDED;
    if (split_type == MPI_COMM_TYPE_SHARED)
        return uno_node_here();
    if (guided && resource)
        return strcmp(resource, "mpi_shared_memory") == 0 ? uno_node_here() : MPI_UNDEFINED;
    if (split_type == MPI_COMM_TYPE_RESOURCE_GUIDED && set)
        return strcmp(set, "mpi://WORLD") == 0  ? 0
               : strcmp(set, "mpi://SELF") == 0 ? uno_rank->pe->me
                                                : MPI_UNDEFINED;
    return MPI_UNDEFINED;
}

int uno_mpi_comm_split_type(struct uno_mpi_comm *comm, int split_type, int key, struct uno_mpi_info *info,
                            MPI_Comm *newcomm) {
    if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED &&
        split_type != MPI_COMM_TYPE_HW_GUIDED && split_type != MPI_COMM_TYPE_HW_UNGUIDED &&
        split_type != MPI_COMM_TYPE_RESOURCE_GUIDED)
        return uno_error(MPI_ERR_ARG, "split_type is %d, which is none", split_type);
    return split(comm, color_of(split_type, info), key, newcomm);
}
