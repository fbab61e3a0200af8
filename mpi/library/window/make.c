/* Making windows, and freeing them. */

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "collective/operation/collective.h"
#include "engine/nodes.h"
#include "engine/reach.h"
#include "library/calls.h"
#include "library/communicator/errhandler.h"
#include "library/communicator/node.h"
#include "library/derived/agree.h"
#include "library/object/address.h"
#include "library/object/attributes.h"
#include "library/object/info.h"
#include "library/rank/ops.h"
#include "library/type/predefined.h"
#include "library/window/ask.h"
#include "library/window/hints.h"
#include "library/window/serve.h"

#define NOWHERE UINT64_MAX

enum { LINE = 64, PAGE = 4096, WORDS = 4 };

/* The words by which each rank tells the others of itself. */
struct told {
    uint64_t size, place, unit, reaches;
};
_Static_assert(sizeof(struct told) == WORDS * sizeof(uint64_t), "words of a post");

static size_t round_up(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}

/* ---- meetings of the ranks ----------------------------------------------------------------------------- */

/* All ranks meet, and each gets the words of each; or, if `all` is NULL, nothing. */
static void meet(const struct uno_mpi_win *win, unsigned signature, const uint64_t *words, unsigned n,
                 uint64_t *all) {
    struct uno_mpi_comm *comm = win->owner.comm;
    const struct uno_comm *c = &comm->comm;
    if (comm->scheduled || c->apart) {
        struct uno_mpi_type *type = uno_find_type(MPI_UINT64_T);
        if (all)
            uno_inter_allgather(words, n, type, all, n, type, comm);
        else if (comm->scheduled)
            uno_inter_barrier(comm);
        else
            uno_barrier_as(c, signature);
        return;
    }
    if (c->size == 1) {
        if (all)
            memcpy(all, words, n * sizeof *words);
        return;
    }
    const void *const *data = uno_comm_sort(c, uno_board_meet(uno_comm_pe(c), signature, words, n));
    for (int r = 0; all && r < c->size; r++)
        memcpy(all + (size_t)r * n, data[r], n * sizeof *words);
    uno_board_leave(c->lane->pe);
}

static bool agree(const struct uno_mpi_win *win, bool here) {
    uint64_t word = here, *all = uno_base_allocate((size_t)win->n, sizeof *all);
    bool everywhere = true;
    meet(win, UNO_SIGNATURE_MPI_WIN_CREATE, &word, 1, all);
    for (int r = 0; r < win->n; r++)
        everywhere &= all[r] != 0;
    free(all);
    return everywhere;
}

/* ---- memory that the ranks of a node reach ------------------------------------------------------------- */

static void unmap(struct uno_mpi_win *win) {
    struct uno_array *array = &win->array;
    if (array->address)
        (win->neighbour ? uno_arrays_detach : uno_arrays_release)(uno_rank->pe, array);
    array->address = NULL;
}

/* Let the ranks of each node map `bytes` bytes of the job's memory. False: they are not there, at some rank.
 */
static bool map(struct uno_mpi_win *win, size_t bytes) {
    struct uno_pe *pe = uno_rank->pe;
    struct uno_array *array = &win->array;
    bool first = !win->neighbour, can = uno_arrays_of(pe) != NULL;
    array->bytes = bytes;
    array->group = win->owner.comm->comm.group;
    uint64_t at = first && can && uno_arrays_reserve(pe, array) ? array->at : NOWHERE;
    uint64_t *all = uno_base_allocate((size_t)win->n, sizeof *all);
    meet(win, UNO_SIGNATURE_MPI_WIN_CREATE, &at, 1, all);
    array->at = all[win->eldest];
    free(all);
    bool there = can && array->at != NOWHERE && (first || uno_arrays_attach(pe, array));
    there = there && uno_arrays_populate(array, win->neighbour, win->neighbours);
    if (agree(win, there))
        return true;
    unmap(win);
    return false;
}

/* The bytes in front of the ranks' memory. */
static size_t control_bytes(const struct uno_mpi_win *win) {
    size_t n = (size_t)win->n;
    return round_up(n * (sizeof *win->control + (size_t)win->places * sizeof *win->waiting), PAGE);
}

/* Return where the part of each rank of this node begins, and the bytes of all in *bytes. dense: one directly
 * follows the other; otherwise they have no line of memory in common, and large ones no page. False: they are
 * too large. */
static bool lay_out(const struct uno_mpi_win *win, bool dense, size_t *places, size_t *bytes) {
    size_t at = control_bytes(win);
    for (int r = 0; r < win->n; r++) {
        size_t size = win->part[r].far ? 0 : (size_t)win->part[r].size;
        if (!dense)
            at = round_up(at, size >= PAGE ? PAGE : LINE);
        places[r] = at;
        if (__builtin_add_overflow(at, size, &at) || at > SIZE_MAX / 2)
            return false;
    }
    *bytes = at;
    return true;
}

/* Give all ranks the control of the window's part on their node and, if `allocates`, the memory of each. */
static int share(struct uno_mpi_win *win, bool allocates, bool dense) {
    size_t *places = uno_base_allocate((size_t)win->n, sizeof *places), bytes = control_bytes(win);
    bool fits = !allocates || lay_out(win, dense, places, &bytes);
    fits = win->neighbours == win->n ? fits : agree(win, fits);
    if (!fits || !map(win, bytes)) {
        free(places);
        return uno_error(MPI_ERR_NO_MEM, "there are no %zu bytes of memory for the window", bytes);
    }
    win->control = (struct uno_win_control *)win->array.address;
    win->waiting = (uno_atomic64 *)(win->control + win->n);
    for (int r = 0; allocates && r < win->n; r++)
        if (!win->part[r].far) {
            win->part[r].at = win->array.address + places[r];
            win->part[r].place = (uintptr_t)win->part[r].at;
        }
    free(places);
    return MPI_SUCCESS;
}

/* ---- windows ------------------------------------------------------------------------------------------- */

static void release(void *object) {
    struct uno_mpi_win *win = object;
    uno_attributes_end(&win->owner.object);
    for (int i = 0; win->completes && i < win->posted->size; i++)
        uno_channel_cancel(uno_rank->channel, &win->completes[i]);
    if (win->array.address)
        uno_arrays_leave(uno_rank->pe, &win->array);
    if (win->remote)
        uno_serve_end(win);
    uno_win_detach_all(win);
    free(win->completes);
    free(win->part);
    free(win->open);
    uno_object_drop(win->started);
    uno_object_drop(win->posted);
    uno_object_drop(win->info);
    uno_object_drop(win->owner.errhandler);
    uno_object_drop(win->owner.comm);
}

/* A window of those ranks, with nothing in it. NULL: there is no number for its communicator. */
static struct uno_mpi_win *begin(struct uno_mpi_comm *comm, int flavor) {
    struct uno_mpi_comm *own = uno_comm_own(comm);
    if (!own)
        return NULL;
    struct uno_mpi_win *win = uno_object_make(UNO_WIN, sizeof *win, 0, release);
    win->owner.comm = own;
    win->owner.errhandler = uno_find_errhandler(MPI_ERRORS_ARE_FATAL);
    win->flavor = flavor;
    win->n = comm->comm.size;
    win->me = comm->comm.rank;
    win->part = uno_base_allocate((size_t)win->n, sizeof *win->part);
    win->open = uno_base_allocate((size_t)win->n, sizeof *win->open);
    for (win->places = 1; win->places < (uint32_t)win->n;)
        win->places *= 2;
    return win;
}

/* Find out who is on this rank's node. */
static void look_round(struct uno_mpi_win *win) {
    for (int r = win->n; r-- > 0;) {
        win->part[r].far = uno_is_far(uno_rank->pe, win->owner.comm->peer[r]);
        if (win->part[r].far)
            continue;
        win->neighbours++;
        win->neighbour += r < win->me;
        win->eldest = r;
    }
}

static bool reaches_all(const struct uno_mpi_win *win) {
    for (int r = 0; r < win->n; r++)
        if (r != win->me && !win->part[r].far && !uno_reach_allowed(uno_rank->pe, win->owner.comm->peer[r]))
            return false;
    return true;
}

/* Tell all ranks of this one's part, and learn of theirs. Returns true if all those of a node reach each
 * other's memory. */
static bool tell(struct uno_mpi_win *win, void *base, MPI_Aint size, MPI_Count unit) {
    struct told own = {(uint64_t)size, (uintptr_t)base, (uint64_t)unit, reaches_all(win)};
    struct told *all = uno_base_allocate((size_t)win->n, sizeof *all);
    bool reaches = true;
    meet(win, UNO_SIGNATURE_MPI_WIN_CREATE, (const uint64_t *)&own, WORDS, (uint64_t *)all);
    for (int r = 0; r < win->n; r++) {
        struct uno_win_part *part = &win->part[r];
        part->place = all[r].place;
        part->size = (MPI_Aint)all[r].size;
        part->unit = (int)all[r].unit;
        reaches &= all[r].reaches != 0;
    }
    free(all);
    return reaches;
}

static int check(MPI_Aint size, MPI_Count unit) {
    if (size < 0)
        return uno_error(MPI_ERR_SIZE, "size is %lld", (long long)size);
    return unit > 0 && unit <= INT_MAX ? MPI_SUCCESS
                                       : uno_error(MPI_ERR_DISP, "disp_unit is %lld", (long long)unit);
}

/* Have this rank ask others for accesses where it has to, and serve them: not before all of the window is
 * there, since others may be through already. reaches: it need not on its own node. */
static void ask_others(struct uno_mpi_win *win, bool reaches) {
    if (reaches && win->neighbours == win->n)
        return;
    for (int r = 0; r < win->n; r++) {
        struct uno_win_part *part = &win->part[r];
        part->asked = r != win->me && (part->far || !reaches);
        part->place = part->asked ? 0 : part->place;
    }
    uno_serve_begin(win);
}

/* The window of a rank's own memory `base`, or, if the flavor says so, of memory that is allocated. */
static int make(int flavor, void *base, MPI_Aint size, MPI_Count unit, const struct uno_mpi_info *info,
                struct uno_mpi_comm *comm, struct uno_mpi_win **made) {
    bool allocates = flavor == MPI_WIN_FLAVOR_ALLOCATE || flavor == MPI_WIN_FLAVOR_SHARED;
    const char *apart = uno_info_value(info, "alloc_shared_noncontig");
    bool dense = flavor == MPI_WIN_FLAVOR_SHARED && !(apart && strcmp(apart, "true") == 0);
    int error = check(size, unit);
    if (!error && flavor == MPI_WIN_FLAVOR_SHARED)
        error = uno_comm_check_node(comm, MPI_ERR_RMA_SHARED,
                                    "the ranks of a window of shared memory are on one node");
    struct uno_mpi_win *win = error ? NULL : begin(comm, flavor);
    *made = NULL;
    if (!win)
        return error ? error : uno_comm_no_id();
    look_round(win);
    bool reaches = tell(win, base, size, unit) || allocates;
    error = share(win, allocates, dense);
    if (error) {
        uno_object_drop(win);
        return error;
    }
    if (!allocates)
        win->part[win->me].at = base;
    win->base = win->part[win->me].at;
    ask_others(win, reaches);
    win->size = size;
    win->unit = (int)unit;
    uno_win_take_hints(win, info);
    *made = win;
    return MPI_SUCCESS;
}

static int give(int error, struct uno_mpi_win *made, MPI_Win *win, void *baseptr) {
    *win = made ? (MPI_Win)made->owner.object.handle : MPI_WIN_NULL;
    if (made && baseptr)
        memcpy(baseptr, &made->base, sizeof made->base);
    return error;
}

int uno_mpi_win_create(void *base, MPI_Aint size, MPI_Count disp_unit, struct uno_mpi_info *info,
                       struct uno_mpi_comm *comm, MPI_Win *win) {
    struct uno_mpi_win *made;
    if (size > 0 && !uno_is_address(base))
        return uno_error(MPI_ERR_BASE, "base is %p, and size is %lld", base, (long long)size);
    int error = make(MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info, comm, &made);
    return give(error, made, win, NULL);
}

int uno_mpi_win_allocate(MPI_Aint size, MPI_Count disp_unit, struct uno_mpi_info *info,
                         struct uno_mpi_comm *comm, void *baseptr, MPI_Win *win) {
    struct uno_mpi_win *made;
    int error = make(MPI_WIN_FLAVOR_ALLOCATE, NULL, size, disp_unit, info, comm, &made);
    return give(error, made, win, baseptr);
}

int uno_mpi_win_allocate_shared(MPI_Aint size, MPI_Count disp_unit, struct uno_mpi_info *info,
                                struct uno_mpi_comm *comm, void *baseptr, MPI_Win *win) {
    struct uno_mpi_win *made;
    int error = make(MPI_WIN_FLAVOR_SHARED, NULL, size, disp_unit, info, comm, &made);
    return give(error, made, win, baseptr);
}

int uno_mpi_win_create_dynamic(struct uno_mpi_info *info, struct uno_mpi_comm *comm, MPI_Win *win) {
    struct uno_mpi_win *made;
    int error = make(MPI_WIN_FLAVOR_DYNAMIC, NULL, 0, 1, info, comm, &made);
    return give(error, made, win, NULL);
}

/* The other ranks may still be using the window: all meet before it goes. */
int uno_mpi_win_free(MPI_Win *win) {
    struct uno_mpi_win *found = uno_find_win(*win);
    if (!found)
        return uno_error(MPI_ERR_WIN, "win is no window");
    bool inside = found->epoch > UNO_EPOCH_FENCE || found->posted;
    int error =
        inside ? uno_win_out_of_step(found, "MPI_Win_free") : uno_attributes_end(&found->owner.object);
    if (error) {
        uno_blame_owner(&found->owner);
        return error;
    }
    uint64_t nothing = 0;
    (void)uno_ask_finish(found, UNO_ALL_TARGETS, true,
                         UNO_SIGNATURE_MPI_WIN_COMPLETE); /* behind the last fence */
    meet(found, UNO_SIGNATURE_MPI_WIN_FREE, &nothing, 1, NULL);
    unmap(found);
    uno_object_drop(found);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}
