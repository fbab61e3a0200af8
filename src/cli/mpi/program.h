/* unisono mpi and unisono run: find the MPI library that a program needs. */

#ifndef UNO_CLI_MPI_PROGRAM_H
#define UNO_CLI_MPI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "builds.h"

enum { MPI_SONAME = 128 };

struct mpi_program {
    char path[PATH_MAX];
    enum mpi_build build;     /* the build that fits the library that it needs; MPI_NO_BUILD: it needs none */
    char library[MPI_SONAME]; /* its MPI library, as "libmpi.so.40"; empty: none was found */
    char file[PATH_MAX];      /* the file that the loader finds for it; empty: none yet */
    bool is_static, has_own;  /* the program is linked statically; the MPI library is part of it */
};

/* Find the library of the file program->path. */
void mpi_look(struct mpi_program *program);

/* Read a program's file: the path of its loader, and the folders of its DT_RPATH, if that counts. Either is
 * empty if there is none. `tell` is called with the name of each library that it needs. */
struct mpi_file {
    char loader[PATH_MAX], folders[PATH_MAX];
};
typedef void mpi_tell(void *to, const char *name, const char *file);
void mpi_read(const char *path, struct mpi_file *file, mpi_tell *tell, void *to);

/* Call `tell` with each library that a program would load: its name and the file that its loader finds, "" if
 * none. */
void mpi_ask_loader(const char *path, const char *loader, mpi_tell *tell, void *to);

/* Run a program and keep its output, standard error too. Return true if it ended by itself in time. */
bool mpi_ask(char *const argv[], char *text, size_t size);

#endif
