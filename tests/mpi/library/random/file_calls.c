/* The calls of files, in all their forms. */

#include "files.h"

/* Two functions for each direction: they begin a call, and end it. address: the type of its data. */
#define CALLS(moves, address)                                                                                \
    static void begin_##moves(struct file *f, address data, int n) {                                         \
        MPI_File h = f->handle;                                                                              \
        MPI_Offset at = f->view.at[f->w.rank];                                                               \
        switch (f->way * BEGINNINGS + f->begun) {                                                            \
        case AT *BEGINNINGS + NOW:                                                                           \
            GOOD(MPI_File_##moves##_at(h, at, data, n, f->type, &f->status));                                \
            break;                                                                                           \
        case AT *BEGINNINGS + ASKED:                                                                         \
            GOOD(MPI_File_i##moves##_at(h, at, data, n, f->type, &f->request));                              \
            break;                                                                                           \
        case AT_ALL *BEGINNINGS + NOW:                                                                       \
            GOOD(MPI_File_##moves##_at_all(h, at, data, n, f->type, &f->status));                            \
            break;                                                                                           \
        case AT_ALL *BEGINNINGS + ASKED:                                                                     \
            GOOD(MPI_File_i##moves##_at_all(h, at, data, n, f->type, &f->request));                          \
            break;                                                                                           \
        case AT_ALL *BEGINNINGS + IN_TWO:                                                                    \
            GOOD(MPI_File_##moves##_at_all_begin(h, at, data, n, f->type));                                  \
            break;                                                                                           \
        case OWN *BEGINNINGS + NOW:                                                                          \
            GOOD(MPI_File_##moves(h, data, n, f->type, &f->status));                                         \
            break;                                                                                           \
        case OWN *BEGINNINGS + ASKED:                                                                        \
            GOOD(MPI_File_i##moves(h, data, n, f->type, &f->request));                                       \
            break;                                                                                           \
        case OWN_ALL *BEGINNINGS + NOW:                                                                      \
            GOOD(MPI_File_##moves##_all(h, data, n, f->type, &f->status));                                   \
            break;                                                                                           \
        case OWN_ALL *BEGINNINGS + ASKED:                                                                    \
            GOOD(MPI_File_i##moves##_all(h, data, n, f->type, &f->request));                                 \
            break;                                                                                           \
        case OWN_ALL *BEGINNINGS + IN_TWO:                                                                   \
            GOOD(MPI_File_##moves##_all_begin(h, data, n, f->type));                                         \
            break;                                                                                           \
        case SHARED *BEGINNINGS + NOW:                                                                       \
            GOOD(MPI_File_##moves##_shared(h, data, n, f->type, &f->status));                                \
            break;                                                                                           \
        case SHARED *BEGINNINGS + ASKED:                                                                     \
            GOOD(MPI_File_i##moves##_shared(h, data, n, f->type, &f->request));                              \
            break;                                                                                           \
        case ORDERED *BEGINNINGS + NOW:                                                                      \
            GOOD(MPI_File_##moves##_ordered(h, data, n, f->type, &f->status));                               \
            break;                                                                                           \
        default:                                                                                             \
            GOOD(MPI_File_##moves##_ordered_begin(h, data, n, f->type));                                     \
        }                                                                                                    \
    }                                                                                                        \
    static void end_##moves(struct file *f, address data) {                                                  \
        if (f->way == AT_ALL)                                                                                \
            GOOD(MPI_File_##moves##_at_all_end(f->handle, data, &f->status));                                \
        else if (f->way == OWN_ALL)                                                                          \
            GOOD(MPI_File_##moves##_all_end(f->handle, data, &f->status));                                   \
        else                                                                                                 \
            GOOD(MPI_File_##moves##_ordered_end(f->handle, data, &f->status));                               \
    }
CALLS(write, const word *)
CALLS(read, word *)

void file_begin_call(struct file *f) {
    int n = f->view.n[f->w.rank];
    if (f->way == OWN || f->way == OWN_ALL)
        GOOD(MPI_File_seek(f->handle, f->view.at[f->w.rank], MPI_SEEK_SET));
    else if (f->way == SHARED || f->way == ORDERED)
        GOOD(MPI_File_seek_shared(f->handle, f->view.at[0], MPI_SEEK_SET));
    if (f->writes)
        begin_write(f, f->data, n);
    else
        begin_read(f, f->data, n);
}

void file_end_call(struct file *f) {
    if (f->begun == ASKED)
        GOOD(MPI_Wait(&f->request, &f->status));
    else if (f->begun == IN_TWO && f->writes)
        end_write(f, f->data);
    else if (f->begun == IN_TWO)
        end_read(f, f->data);
}
