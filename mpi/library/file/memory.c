#include "library/file/memory.h"

#include "engine/atomic.h"
#include "library/calls.h"
#include "library/communicator/node.h"
#include "library/file/file.h"
#include "library/object/op.h"
#include "library/type/predefined.h"
#include "library/window/window.h"

/* The beginning of the head. */
struct head {
    uno_atomic64 pointer; /* in units of etype */
};

/* ---- one array ----------------------------------------------------------------------------------------- */

static void give_back(struct uno_mpi_file *file, struct uno_array *array) {
    struct uno_pe *pe = uno_rank->pe;
    if (!array->address)
        return;
    if (uno_io_ranks(file)->rank == 0)
        uno_arrays_release(pe, array);
    else
        uno_arrays_detach(pe, array);
    array->address = NULL;
}

/* Make an array for all ranks of the file, which call it; its address is NULL if there is no memory at one.
 */
static int make(struct uno_mpi_file *file, struct uno_array *array, size_t bytes) {
    const struct uno_comm *comm = uno_io_ranks(file);
    struct uno_pe *pe = uno_rank->pe;
    uint64_t all[UNO_MAX_PES * 2], mine[2] = {0, true};
    bool first = comm->rank == 0;
    *array = (struct uno_array){.bytes = bytes, .group = comm->group};
    if (first) {
        mine[1] = uno_arrays_of(pe) && uno_arrays_reserve(pe, array);
        mine[0] = array->at;
    }
    int error = uno_io_meet(file, mine, all, 2);
    if (error || !all[1])
        return error;
    array->at = all[0];
    mine[1] = first ? uno_arrays_populate(array, 0, 1) : uno_arrays_of(pe) && uno_arrays_attach(pe, array);
    bool mapped = first || mine[1];
    error = uno_io_meet(file, mine, all, 2);
    bool everywhere = !error;
    for (int r = 0; r < comm->size; r++)
        everywhere = everywhere && all[2 * r + 1];
    if (!everywhere && mapped)
        give_back(file, array);
    if (!everywhere)
        array->address = NULL;
    return error;
}

/* ---- head and window ----------------------------------------------------------------------------------- */

/* Make the window in which ranks on several nodes have the shared pointer. */
static int make_apart(struct uno_mpi_file *file) {
    struct uno_io_memory *memory = &file->memory;
    MPI_Win win;
    int error = uno_mpi_win_allocate(sizeof(struct head), 1, NULL, file->owner.comm, &memory->own, &win);
    if (error)
        return error;
    memory->apart = uno_find_win(win);
    return uno_mpi_win_lock_all(MPI_MODE_NOCHECK, memory->apart);
}

int uno_io_memory_make(struct uno_mpi_file *file) {
    if (uno_comm_apart(file->owner.comm) >= 0)
        return make_apart(file);
    int error = make(file, &file->memory.head, 4096);
    if (error || file->memory.head.address)
        return error;
    return uno_error(MPI_ERR_NO_MEM, "there is no memory for the shared file pointer");
}

char *uno_io_window(struct uno_mpi_file *file, size_t bytes) {
    struct uno_array *window = &file->memory.window;
    if (!file->memory.head.address)
        return NULL;
    if (window->address && window->bytes >= bytes)
        return window->address;
    if (window->address)
        uno_io_agree(file, MPI_SUCCESS); /* until nobody uses it any more */
    give_back(file, window);
    make(file, window, bytes);
    return window->address;
}

void uno_io_memory_free(struct uno_mpi_file *file) {
    if (file->memory.apart) {
        MPI_Win win = (MPI_Win)file->memory.apart->owner.object.handle;
        uno_mpi_win_unlock_all(file->memory.apart);
        uno_mpi_win_free(&win);
        file->memory.apart = NULL;
    }
    give_back(file, &file->memory.window);
    give_back(file, &file->memory.head);
}

/* ---- the shared pointer --------------------------------------------------------------------------------
 *
 * The first rank of several nodes has it in a window. */

/* Return its place in memory that this rank shares with the first one, or that is this one's own. */
static uno_atomic64 *pointer(const struct uno_mpi_file *file) {
    const struct uno_io_memory *memory = &file->memory;
    return &((struct head *)(memory->apart ? memory->own : memory->head.address))->pointer;
}

MPI_Offset uno_io_pointer_take(struct uno_mpi_file *file, MPI_Offset units) {
    struct uno_mpi_win *apart = file->memory.apart;
    if (!apart)
        return (MPI_Offset)uno_add64_relaxed(pointer(file), (uint64_t)units);
    MPI_Offset before = 0;
    uno_mpi_fetch_and_op(&units, &before, uno_find_type(MPI_OFFSET), 0, 0, uno_find_op(MPI_SUM), apart);
    uno_mpi_win_flush(0, apart);
    return before;
}

MPI_Offset uno_io_pointer(struct uno_mpi_file *file) {
    return file->memory.apart ? uno_io_pointer_take(file, 0) : (MPI_Offset)uno_load64_relaxed(pointer(file));
}

void uno_io_pointer_set(struct uno_mpi_file *file, MPI_Offset to) {
    if (uno_io_ranks(file)->rank == 0)
        uno_store64_relaxed(pointer(file), (uint64_t)to);
}
