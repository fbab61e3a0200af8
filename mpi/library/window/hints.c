#include "library/window/hints.h"

#include "library/calls.h"
#include "library/object/info.h"

/* The hints that windows know, and what holds where the program has not said anything. */
static const struct {
    const char *key, *usual;
} hints[] = {
    {"no_locks", "false"},
    {"accumulate_ordering", "rar,raw,war,waw"},
    {"accumulate_ops", "same_op_no_op"},
    {"mpi_accumulate_granularity", "0"},
    {"same_size", "false"},
    {"same_disp_unit", "false"},
    {"alloc_shared_noncontig", "false"},
};

void uno_win_take_hints(struct uno_mpi_win *win, const struct uno_mpi_info *info) {
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        const char *value = uno_info_value(info, hints[i].key);
        if (!win->info)
            win->info = uno_info_copy(NULL);
        if (!value && !uno_info_value(win->info, hints[i].key))
            value = hints[i].usual;
        if (value)
            uno_mpi_info_set(win->info, hints[i].key, value);
    }
}

int uno_mpi_win_set_info(struct uno_mpi_win *win, struct uno_mpi_info *info) {
    uno_win_take_hints(win, info);
    return MPI_SUCCESS;
}

int uno_mpi_win_get_info(struct uno_mpi_win *win, MPI_Info *info_used) {
    *info_used = (MPI_Info)uno_info_copy(win->info)->object.handle;
    return MPI_SUCCESS;
}
