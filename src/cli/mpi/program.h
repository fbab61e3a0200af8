/* unisono mpi, and unisono run: which MPI library a program needs. */

#ifndef UNO_CLI_MPI_PROGRAM_H
#define UNO_CLI_MPI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "builds.h"

enum { MPI_SONAME = 128 };

struct mpi_program {
    char path[PATH_MAX];
    enum mpi_build build;     /* that fits the library that it needs; MPI_NO_BUILD: it needs none */
    char library[MPI_SONAME]; /* its MPI library, as "libmpi.so.40"; empty: none, as far as can be seen */
    char file[PATH_MAX];      /* where the loader finds that; empty: nowhere yet */
    bool is_static, has_own;  /* no dynamic program; the MPI library is part of it */
};

/* Look at the file of program->path. */
void mpi_look(struct mpi_program *program);

/* What the file of a program says: the path of its loader, and the folders of its DT_RPATH, if that counts.
 * Either is empty if there is none. Each library that it needs is shown, by its name. */
struct mpi_file {
    char loader[PATH_MAX], folders[PATH_MAX];
};
typedef void mpi_tell(void *to, const char *name, const char *file);
void mpi_read(const char *path, struct mpi_file *file, mpi_tell *tell, void *to);

/* Show each library that a program would load, by its name and where its loader finds it; "": nowhere. */
void mpi_ask_loader(const char *path, const char *loader, mpi_tell *tell, void *to);

/* Run a program and keep what it prints, to standard error too. Whether it ended by itself in time. */
bool mpi_ask(char *const argv[], char *text, size_t size);

#endif
