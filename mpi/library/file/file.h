/* Files of MPI: their state at this rank, and the helpers that their functions share.
 *
 * The file is one of the operating system, which each rank has opened. Ranks of one node share its page
 * cache, so what one has written another one reads at once, and nothing is kept back. Between nodes the file
 * system says when. */

#ifndef UNO_MPI_FILE_H
#define UNO_MPI_FILE_H

#include "engine/arrays.h"
#include "library/communicator/comm.h"
#include "library/communicator/owner.h"
#include "library/file/data.h"
#include "library/file/hints.h"
#include "library/file/view.h"

/* Memory that the ranks share (memory.h). */
struct uno_io_memory {
    struct uno_array head;     /* with the shared pointer; address NULL: there is none */
    struct uno_array window;   /* likewise */
    struct uno_mpi_win *apart; /* of ranks on several nodes: the window with the shared pointer; or NULL */
    void *own;                 /* this rank's memory in it */
};

/* The collective operation that has begun and not ended (MPI_File_read_all_begin). */
struct uno_io_split {
    const char *end; /* the function that ends it; NULL: there is none */
    const void *buffer;
    MPI_Count bytes;
};

struct uno_mpi_file {
    struct uno_owner owner; /* the communicator is one of the file's own */
    char *path;
    int fd;
    int amode;
    bool reads;  /* the system lets it be read, if only to map it */
    bool atomic; /* operations that overlap come one after the other */
    bool locks;  /* a rank of the file may write in blocks (blocks.c) */
    struct uno_io_view view;
    MPI_Offset position;         /* the individual pointer: bytes of the view's data */
    struct uno_io_memory memory; /* memory that the ranks share */
    struct uno_io_hints hints;
    struct uno_io_split split;
};

static inline struct uno_mpi_file *uno_find_file(MPI_File file) {
    return uno_object_of((uintptr_t)file, UNO_FILE);
}

/* Return the ranks of the file. */
static inline const struct uno_comm *uno_io_ranks(const struct uno_mpi_file *file) {
    return &file->owner.comm->comm;
}

/* Return an error for what the system has refused: 0, or a positive errno. what: "write". */
int uno_io_error(const char *what, const char *path, int error);

/* Return the first error that any rank brings, the same at all; all ranks of the file call it. */
int uno_io_agree(struct uno_mpi_file *file, int error);

/* Return the error of a rank that has failed, for another one. */
int uno_io_another(int error);

/* Bring so many numbers of each rank to all, by rank. */
int uno_io_meet(struct uno_mpi_file *file, const uint64_t *mine, uint64_t *all, int numbers);

/* Move the pointers to the end of a file that has just been opened; all ranks call it. */
int uno_io_append(struct uno_mpi_file *file);

/* Check that the file may be read, or written, in this way. shared: by the shared pointer. */
int uno_io_may(const struct uno_mpi_file *file, bool writes, bool shared);

/* Move data from or to the bytes `at` of the view on, at this rank alone. */
int uno_io_alone(struct uno_mpi_file *file, MPI_Offset at, struct uno_io_data *data);

/* As uno_io_alone, together with all ranks of the file, each with its own data. error: of this rank so far;
 * then nothing is moved at any rank. */
int uno_io_together(struct uno_mpi_file *file, MPI_Offset at, struct uno_io_data *data, int error);

#endif
