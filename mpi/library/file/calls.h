/* The program's calls that move data of files. */

#ifndef UNO_MPI_FILE_CALLS_H
#define UNO_MPI_FILE_CALLS_H

#include "library/calls.h"
#include "library/file/file.h"

/* Where a call's data are: at an offset, at the rank's own pointer, or at the shared one, there in any order
 * or in that of the ranks. */
enum uno_io_place { UNO_IO_AT, UNO_IO_OWN, UNO_IO_SHARED, UNO_IO_ORDERED };

struct uno_io_how {
    enum uno_io_place place;
    bool together; /* all ranks call it */
};

#define UNO_IO_HOW_AT ((struct uno_io_how){UNO_IO_AT, false})
#define UNO_IO_HOW_AT_ALL ((struct uno_io_how){UNO_IO_AT, true})
#define UNO_IO_HOW_OWN ((struct uno_io_how){UNO_IO_OWN, false})
#define UNO_IO_HOW_OWN_ALL ((struct uno_io_how){UNO_IO_OWN, true})
#define UNO_IO_HOW_SHARED ((struct uno_io_how){UNO_IO_SHARED, false})
#define UNO_IO_HOW_ORDERED ((struct uno_io_how){UNO_IO_ORDERED, true})

/* The calls of both directions whose name has something behind it, at a pointer or at an offset: `does` does
 * them, and the last parameter, and perhaps a letter in front of the name, tell how they end. */
#define UNO_IO_CALLS(front, name, does, how, Last, last)                                                     \
    int uno_mpi_file_##front##read##name(struct uno_mpi_file *fh, void *buf, MPI_Count count,                \
                                         struct uno_mpi_type *datatype, Last *last) {                        \
        return does(fh, how, 0, false, buf, count, datatype, last);                                          \
    }                                                                                                        \
    int uno_mpi_file_##front##write##name(struct uno_mpi_file *fh, const void *buf, MPI_Count count,         \
                                          struct uno_mpi_type *datatype, Last *last) {                       \
        return does(fh, how, 0, true, buf, count, datatype, last);                                           \
    }
#define UNO_IO_CALLS_AT(front, name, does, how, Last, last)                                                  \
    int uno_mpi_file_##front##read##name(struct uno_mpi_file *fh, MPI_Offset offset, void *buf,              \
                                         MPI_Count count, struct uno_mpi_type *datatype, Last *last) {       \
        return does(fh, how, offset, false, buf, count, datatype, last);                                     \
    }                                                                                                        \
    int uno_mpi_file_##front##write##name(struct uno_mpi_file *fh, MPI_Offset offset, const void *buf,       \
                                          MPI_Count count, struct uno_mpi_type *datatype, Last *last) {      \
        return does(fh, how, offset, true, buf, count, datatype, last);                                      \
    }

/* Do what such a call asks for. offset: in units of etype, for UNO_IO_AT. */
int uno_io_do(struct uno_mpi_file *file, struct uno_io_how how, MPI_Offset offset, struct uno_io_data *data);

#endif
