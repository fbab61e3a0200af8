#include "choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/common/here.h"
#include "failure.h"

/* A program into which nothing can be loaded, or whose library is a stranger. */
static void check_program(const struct mpi_program *p) {
    if (p->is_static)
        mpi_reject("%s is linked statically, and nothing can be loaded into it; link it with the shared MPI "
                   "library",
                   p->path);
    if (p->has_own)
        mpi_reject(
            "%s has its MPI library linked into it (libmpi.a), and its calls cannot be taken over; link "
            "it with the shared one",
            p->path);
    if (*p->library && !p->build)
        mpi_reject(
            "%s needs %s, for which there is no accelerator; there are some for libmpi.so.40 (Open MPI 4 "
            "and 5), libmpi.so.12 (MPICH and its relatives) and libmpi_abi.so (MPI 5)",
            p->path, p->library);
}

/* A launcher of one library starts a program of another one as so many programs of one rank. */
static void check_launcher(const struct mpi_launcher *l, const struct mpi_program *p) {
    enum { ABI_SINCE = 6 }; /* Open MPI's major version */
    bool wrong = (l->family == MPI_ORTE && p->build == MPI_MPICH) ||
                 (l->family == MPI_HYDRA && p->build == MPI_OPENMPI) ||
                 (l->family == MPI_ORTE && p->build == MPI_ABI && l->major && l->major < ABI_SINCE);
    if (wrong)
        mpi_reject("%s needs %s (%s), and %s is the launcher of %s; use the launcher of the library that the "
                   "program was compiled with; " MPI_WITHOUT,
                   p->path, p->library, mpi_known[p->build].name, l->path, l->version);
}

static enum mpi_build of_programs(const struct mpi_launcher *l) {
    const struct mpi_program *first = NULL;
    for (int i = 0; i < l->programs; i++) {
        const struct mpi_program *p = &l->program[i];
        check_program(p);
        if (!p->build)
            continue;
        check_launcher(l, p);
        if (first && first->build != p->build)
            mpi_reject("%s needs %s and %s needs %s; the programs of one job need the same MPI library",
                       first->path, first->library, p->path, p->library);
        first = p;
    }
    return first ? first->build : MPI_NO_BUILD;
}

enum mpi_build mpi_choose(const struct mpi_launcher *l, enum mpi_build wanted) {
    enum mpi_build needed = of_programs(l);
    if (wanted && needed && wanted != needed)
        mpi_reject("--mpi %s: the program needs the accelerator for %s (%s)", mpi_known[wanted].key,
                   mpi_known[needed].name, mpi_known[needed].key);
    if (wanted || needed)
        return wanted ? wanted : needed;
    if (l->family == MPI_ORTE)
        return MPI_OPENMPI;
    if (l->family == MPI_HYDRA)
        return MPI_MPICH;
    if (l->family == MPI_NEUTRAL)
        mpi_reject(
            "cannot tell which MPI the program under %s uses: it needs no MPI library itself; say it with "
            "--mpi openmpi, --mpi mpich or --mpi abi",
            l->path);
    mpi_reject(
        "cannot tell which MPI %s uses: it is no launcher that is known, and needs no MPI library itself; "
        "name the launcher before it, as in `unisono mpi mpirun -n 4 ./program`, or say which one it uses "
        "with --mpi openmpi, --mpi mpich or --mpi abi; " MPI_WITHOUT,
        l->path);
}

void mpi_accelerator(enum mpi_build build, char path[PATH_MAX]) {
    char file[64], beside[PATH_MAX];
    snprintf(file, sizeof file, "libunisono-mpi-%s.so", mpi_known[build].key);
    here_path(beside, PATH_MAX, UNO_ACCELERATORS, file);
    if (access(beside, R_OK) || !realpath(beside, path))
        mpi_reject(
            "the accelerator for %s is not there (%s): Unisono was built without an mpi.h of it; install "
            "one, configure again with -DUNISONO_PEERS=FOLDER (the one with include/mpi.h), and build",
            mpi_known[build].name, beside);
}
