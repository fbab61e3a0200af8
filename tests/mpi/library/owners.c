/* Objects with an error handler of their own, as entries for windows, files and sessions look at them. One
 * rank. */

#include "library/face/check.h"
#include "mpi_check.h"

static uintptr_t seen_handle;
static int seen_code;

static void handler(MPI_Win *win, int *code, ...) {
    seen_handle = (uintptr_t)*win;
    seen_code = *code;
}

/* Do as an entry does whose window and rank are these, if one of them is wrong. */
static int wrong(MPI_Win win, int rank) {
    struct uno_call quick = {.name = "MPI_Put"}, call = quick;
    uno_check_win(&quick, true, "win", win);
    uno_check_dest(&quick, true, "target_rank", rank);
    if (!quick.error)
        return MPI_SUCCESS;
    uno_check_win(&call, false, "win", win);
    uno_check_dest(&call, false, "target_rank", rank);
    return uno_call_raise_owner(call.name, call.owner, call.error);
}

int main(int argc, char **argv) {
    MPI_Errhandler errhandler;
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    GOOD(MPI_Win_create_errhandler(handler, &errhandler));
    struct uno_mpi_win *made = uno_object_make(UNO_WIN, sizeof *made, 0, NULL);
    made->owner.errhandler = uno_find_errhandler(errhandler);
    made->owner.comm = uno_rank->world;
    MPI_Win win = (MPI_Win)made->owner.object.handle;
    CHECK(uno_find_win(win) == made && !uno_find_file((MPI_File)win) && !uno_find_session((MPI_Session)win));
    CHECK(MPI_Win_fromint(MPI_Win_toint(win)) == win && MPI_Win_toint(win) >= UNO_FIRST_NUMBER);
    CHECK(wrong(win, 0) == MPI_SUCCESS && wrong(win, MPI_PROC_NULL) == MPI_SUCCESS && !seen_code);
    CHECK(wrong(win, 1) == MPI_ERR_RANK && seen_code == MPI_ERR_RANK && seen_handle == (uintptr_t)win);
    seen_code = 0;
    CHECK(wrong(MPI_WIN_NULL, 0) == MPI_ERR_WIN && !seen_code);
    uno_object_drop(made);
    CHECK(wrong(win, 0) == MPI_ERR_WIN && !seen_code); /* freed */
    GOOD(MPI_Errhandler_free(&errhandler));
    return MPI_Finalize();
}
