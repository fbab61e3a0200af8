/* unisono mpi: what its files have in common. */

#ifndef UNO_CLI_MPI_H
#define UNO_CLI_MPI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The builds of the accelerator, one for each binary interface that an MPI program may have. */
enum mpi_build { MPI_NO_BUILD, MPI_OPENMPI, MPI_MPICH, MPI_ABI, MPI_BUILDS };

struct mpi_known {
    const char *key;  /* as in the names of files, and for --mpi */
    const char *name; /* for people */
};

extern const struct mpi_known mpi_known[MPI_BUILDS];

/* The build with this key, or MPI_NO_BUILD. */
enum mpi_build mpi_build_named(const char *key);

struct mpi_options {
    char **argv; /* the launcher, the program and their arguments */
    enum mpi_build build;
    bool off, check, fast_math, verbose, profile, tune;
    const char *profile_file, *plot, *tune_file; /* NULL: none */
    const char *nodes;                           /* as UNISONO_MPI_NODES; NULL: those there are */
};

/* Say what is wrong, and end with exit status 2. */
_Noreturn void mpi_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with the status. */
_Noreturn void mpi_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- what a program is (program.c) --------------------------------------------------------------- */

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

/* Run a program and keep what it prints, to standard error too. Whether it ended by itself in time. */
bool mpi_ask(char *const argv[], char *text, size_t size);

/* ---- what starts it (launcher.c) ----------------------------------------------------------------- */

enum { MPI_PROGRAMS = 32, MPI_VERSION = 100 };

enum mpi_family {
    MPI_ITSELF,  /* no launcher: the program itself, or something in front of a launcher */
    MPI_ORTE,    /* Open MPI's */
    MPI_HYDRA,   /* MPICH's and its relatives' */
    MPI_NEUTRAL, /* srun, which starts programs of any MPI */
};

struct mpi_launcher {
    char path[PATH_MAX];
    enum mpi_family family;
    char version[MPI_VERSION]; /* as "Open MPI 5.0.11" */
    int major;                 /* of that; 0: unknown */
    int programs;              /* that were found on the command line */
    struct mpi_program program[MPI_PROGRAMS];
};

/* Find out about the launcher and the programs of a command line; ends with a message if it cannot work. */
void mpi_launcher_find(struct mpi_launcher *launcher, char **argv);

/* ---- which accelerator it takes (choose.c) ------------------------------------------------------- */

/* The build that fits; `wanted`, if it is one, by the user's word. Ends with a message if none does. */
enum mpi_build mpi_choose(const struct mpi_launcher *launcher, enum mpi_build wanted);

/* The file of an accelerator; ends with a message if it is not there. */
void mpi_accelerator(enum mpi_build build, char path[PATH_MAX]);

/* ---- starting it (start.c) ----------------------------------------------------------------------- */

/* Set a variable for the job. */
void mpi_set(const char *name, const char *value);

/* Load the accelerator into all programs of the job, before what is loaded into them anyway. */
void mpi_preload(const char *accelerator);

/* The command line with options by which the launcher passes the variables on to other machines. */
char **mpi_command(const struct mpi_launcher *launcher, char **argv);

/* A file of this process, which goes with it; at most two. Ends with a message if there can be none. */
void mpi_temporary(char path[PATH_MAX]);

/* Become the command; ends with a message if that fails. */
_Noreturn void mpi_become(const struct mpi_launcher *launcher, char **command);

/* Run the command to its end; signals are passed on to it. Returns its status as of waitpid. */
int mpi_run(const struct mpi_launcher *launcher, char **command);

/* End as what had that status. */
_Noreturn void mpi_end(int status);

#endif
