/* Attributes, names and error handlers of windows, as the program sets and gets them; and what else it
 * asks a window for. */

#include "library/object/attributes.h"

#include <stdio.h>
#include <string.h>

#include "library/calls.h"
#include "library/communicator/errhandler.h"
#include "library/rank/face.h"
#include "library/window/window.h"

/* ---- attributes ------------------------------------------------------------------------------------------
 */

/* MPI's own attributes. Returns true if it is one; *value: what the program gets. */
static bool predefined(struct uno_mpi_win *win, int keyval, void **value) {
    switch (keyval) {
    case MPI_WIN_BASE:
        *value = win->base;
        return true;
    case MPI_WIN_SIZE:
        *value = &win->size;
        return true;
    case MPI_WIN_DISP_UNIT:
        *value = &win->unit;
        return true;
    case MPI_WIN_CREATE_FLAVOR:
        win->told_flavor = uno_face.flavor(win->flavor);
        *value = &win->told_flavor;
        return true;
    case MPI_WIN_MODEL:
        win->told_model = uno_face.model(MPI_WIN_UNIFIED);
        *value = &win->told_model;
        return true;
    default:
        return false;
    }
}

int uno_mpi_win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn,
                              MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
                              void *extra_state) {
    return uno_keyval_make(UNO_WIN, (uno_copy_function *)win_copy_attr_fn,
                           (uno_delete_function *)win_delete_attr_fn, win_keyval, extra_state);
}

int uno_mpi_win_free_keyval(int *win_keyval) {
    return uno_keyval_free(UNO_WIN, win_keyval);
}

int uno_mpi_win_set_attr(struct uno_mpi_win *win, int win_keyval, void *attribute_val) {
    return uno_attribute_set(&win->owner.object, win_keyval, attribute_val);
}

int uno_mpi_win_get_attr(struct uno_mpi_win *win, int win_keyval, void *attribute_val, int *flag) {
    void *value;
    *flag = 1;
    if (!predefined(win, win_keyval, &value))
        return uno_attribute_get(&win->owner.object, win_keyval, attribute_val, flag);
    memcpy(attribute_val, &value, sizeof value);
    return MPI_SUCCESS;
}

int uno_mpi_win_delete_attr(struct uno_mpi_win *win, int win_keyval) {
    return uno_attribute_delete(&win->owner.object, win_keyval);
}

/* ---- names, error handlers, the group --------------------------------------------------------------------
 */

int uno_mpi_win_set_name(struct uno_mpi_win *win, const char *win_name) {
    snprintf(win->name, sizeof win->name, "%s", win_name);
    return MPI_SUCCESS;
}

int uno_mpi_win_get_name(struct uno_mpi_win *win, char *win_name, int *resultlen) {
    *resultlen = snprintf(win_name, MPI_MAX_OBJECT_NAME, "%s", win ? win->name : "MPI_WIN_NULL");
    return MPI_SUCCESS;
}

int uno_mpi_win_set_errhandler(struct uno_mpi_win *win, struct uno_mpi_errhandler *errhandler) {
    return uno_owner_set_errhandler(&win->owner, errhandler);
}

int uno_mpi_win_get_errhandler(struct uno_mpi_win *win, MPI_Errhandler *errhandler) {
    return uno_owner_get_errhandler(&win->owner, errhandler);
}

int uno_mpi_win_call_errhandler(struct uno_mpi_win *win, int errorcode) {
    uno_call_raise_owner("MPI_Win_call_errhandler", &win->owner, errorcode);
    return MPI_SUCCESS;
}

int uno_mpi_win_get_group(struct uno_mpi_win *win, MPI_Group *group) {
    uno_object_hold(win->owner.comm->group);
    *group = (MPI_Group)win->owner.comm->group->object.handle;
    return MPI_SUCCESS;
}

/* ---- memory of others ------------------------------------------------------------------------------------
 */

int uno_mpi_win_shared_query(struct uno_mpi_win *win, int rank, MPI_Aint *size, MPI_Count *disp_unit,
                             void *baseptr) {
    if (win->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return uno_error(MPI_ERR_RMA_FLAVOR, "win is a dynamic window");
    if (rank < 0) /* the first that has memory */
        for (rank = 0; rank < win->n - 1 && !win->part[rank].size;)
            rank++;
    const struct uno_win_part *part = &win->part[rank];
    char *at = part->size ? part->at : NULL;
    *size = at ? part->size : 0;
    *disp_unit = part->unit;
    memcpy(baseptr, &at, sizeof at);
    return MPI_SUCCESS;
}
