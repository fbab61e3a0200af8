/* unisono run: how the program that is started finds Unisono's MPI library. The loader looks into
 * LD_LIBRARY_PATH before it looks into the folders that most programs name, and so finds the library there.
 * It looks into the folders of an old DT_RPATH even before that. If a program, or a library of it, has such
 * folders with another MPI library, LD_PRELOAD loads ours of the same name: the loader does not look for a
 * library whose name is loaded already. Where calls are recorded, libraries of the same names that do so
 * (mpi/observe, and for libunisono src/observe) are in front of ours, by both ways. Below a program that
 * needs no MPI library itself, such as a shell, another library (mpi/library/first) keeps LD_LIBRARY_PATH so.
 */

#define _GNU_SOURCE
#include "library.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/here.h"
#include "cli/mpi/launcher.h"
#include "observe/memory.h"

/* The library for each ABI, and libunisono, which a program finds itself; the folder of its file, and that of
 * the library which records its calls. */
static const struct {
    const char *name, *folder, *observed;
    enum mpi_build build;
} libraries[] = {
    {"libmpi_abi.so.1", "mpi/lib", "mpi/observed", MPI_ABI},
    {"libmpi.so.12", "mpi/lib/others", "mpi/observed", MPI_MPICH},
    {"libmpifort.so.12", "mpi/lib/others", NULL, MPI_MPICH},
    {"libmpi.so.40", "mpi/lib/others", "mpi/observed", MPI_OPENMPI},
    {"libmpi_mpifh.so.40", "mpi/lib/others", NULL, MPI_OPENMPI},
    {"libunisono.so.0", NULL, "observed", MPI_NO_BUILD},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

struct needs {
    bool observed;           /* calls are recorded */
    struct mpi_file file;    /* the program's file */
    char system[PATH_MAX];   /* the loader's folder, with the system's libraries, which have no DT_RPATH */
    bool others;             /* the program needs libraries that are neither there nor ours */
    bool needed;             /* the program needs the library, for any ABI */
    bool ours;               /* the program needs libunisono: it is a PE, and starts none */
    bool strange[LIBRARIES]; /* the libraries that the loader finds elsewhere */
};

/* ---- the environment --------------------------------------------------------------------------------- */

/* Put text before (`front`), or behind, the value of a variable. */
static void add(const char *name, const char *text, bool front) {
    const char *before = getenv(name);
    char *all;
    if (!before || !*before) {
        setenv(name, text, 1);
        return;
    }
    if (asprintf(&all, "%s:%s", front ? text : before, front ? before : text) < 0)
        return;
    setenv(name, all, 1);
    free(all);
}

/* ---- programs ---------------------------------------------------------------------------------------- */

/* Return the next word of a line, or NULL. */
static char *word(char **line) {
    char *found = strsep(line, " \t");
    while (found && !*found)
        found = strsep(line, " \t");
    return found;
}

/* If the file is a script, replace its path by that of its interpreter; env looks for its program in PATH.
 * Return true if it was one. */
static bool interpreted(char path[PATH_MAX]) {
    char text[PATH_MAX], *line = text + 2, *name;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (length < 3 || memcmp(text, "#!", 2) != 0)
        return false;
    text[length] = 0;
    text[strcspn(text, "\n")] = 0;
    name = word(&line);
    const char *slash = name ? strrchr(name, '/') : NULL;
    if (slash && strcmp(slash, "/env") == 0)
        do
            name = word(&line);
        while (name && (*name == '-' || strchr(name, '=')));
    return name && mpi_find_file(name, NULL, path);
}

/* ---- the libraries that a program would load ---------------------------------------------------------- */

static bool same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static bool has(const char *folder, const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

/* Write the path of the library that the program is to load; empty: the one that it finds. */
static void own_file(char path[PATH_MAX], const struct needs *needs, int library) {
    const char *observed = needs->observed ? libraries[library].observed : NULL;
    const char *folder = observed ? observed : libraries[library].folder;
    *path = 0;
    if (folder)
        here_path(path, PATH_MAX, UNO_ACCELERATORS, folder);
    if (folder)
        snprintf(path + strlen(path), PATH_MAX - strlen(path), "/%s", libraries[library].name);
}

static int number_of(const char *name) {
    int i = 0;
    while (i < LIBRARIES && strcmp(name, libraries[i].name) != 0)
        i++;
    return i;
}

/* Note a library that the program itself needs. */
static void look_at(void *to, const char *name, const char *file) {
    struct needs *needs = to;
    int i = number_of(name);
    bool library = i < LIBRARIES && libraries[i].folder;
    char *slash;
    (void)file;
    if (!*needs->system && realpath(needs->file.loader, needs->system) &&
        (slash = strrchr(needs->system, '/')))
        *slash = 0;
    needs->needed = needs->needed || library;
    needs->ours = needs->ours || (i < LIBRARIES && !library);
    needs->others = needs->others || (!library && !has(needs->system, name));
}

/* Note a library that the program would load, and its file. */
static void look_where(void *to, const char *name, const char *file) {
    struct needs *needs = to;
    int i = number_of(name);
    char own[PATH_MAX];
    if (i == LIBRARIES)
        return;
    own_file(own, needs, i);
    needs->needed = needs->needed || libraries[i].folder;
    needs->strange[i] = access(own, R_OK) == 0 && !same_file(own, file);
}

/* Look into the folders of the program's DT_RPATH for a library of one ABI: a program that loads an MPI
 * library later, as Python does, would find it there. */
static void look_into(struct needs *needs, char *folders, const char *program) {
    enum mpi_build found = MPI_NO_BUILD;
    bool there[LIBRARIES] = {false};
    const char *slash = strrchr(program, '/');
    for (char *folder; (folder = strsep(&folders, ":"));) {
        if (!*folder)
            continue;
        bool origin = strncmp(folder, "$ORIGIN", 7) == 0 || strncmp(folder, "${ORIGIN}", 9) == 0;
        const char *rest = origin ? folder + (folder[1] == '{' ? 9 : 7) : folder;
        int length = origin && slash ? (int)(slash - program) : 0;
        for (int i = 0; i < LIBRARIES; i++) {
            char path[PATH_MAX];
            snprintf(path, sizeof path, "%.*s%s/%s", length, program, rest, libraries[i].name);
            if (!libraries[i].folder || access(path, R_OK))
                continue;
            if (found && found != libraries[i].build)
                return;
            found = libraries[i].build;
            there[i] = true;
        }
    }
    for (int i = 0; i < LIBRARIES; i++)
        needs->strange[i] = needs->strange[i] || there[i];
}

/* Add a path to LD_PRELOAD, unless it contains a character at which the loader divides that list. */
static void add_preloaded(const char *path) {
    if (!strpbrk(path, ": "))
        add("LD_PRELOAD", path, false);
}

/* The address sanitizer's library ends a program in which it is not the first library, unless this option is
 * set. */
static void preload_first(void) {
    char path[PATH_MAX];
    here_path(path, sizeof path, UNO_ACCELERATORS, "mpi/first.so");
    if (access(path, R_OK))
        return;
    add_preloaded(path);
    add("ASAN_OPTIONS", "verify_asan_link_order=0", false);
}

static void preload(const char *program, const char *start, bool observed) {
    enum { SCRIPTS = 4 }; /* an interpreter may be a script, too */
    struct needs needs = {.observed = observed};
    char path[PATH_MAX], real[PATH_MAX];
    if (!mpi_find_file(program, start, path))
        return;
    for (int i = 0; i < SCRIPTS && interpreted(path); i++)
        continue;
    if (!realpath(path, real))
        return;
    mpi_read(real, &needs.file, look_at, &needs);
    if (*needs.file.loader && (*needs.file.folders || needs.others))
        mpi_ask_loader(real, needs.file.loader, look_where, &needs);
    if (!needs.needed)
        look_into(&needs, needs.file.folders, real);
    for (int i = 0; i < LIBRARIES; i++)
        if (needs.strange[i]) {
            own_file(path, &needs, i);
            add_preloaded(path);
        }
    if (!needs.needed && !needs.ours)
        preload_first();
}

/* Put a folder of libraries in front of those in which the loader looks, if it is there. */
static bool show_folder(const char *name) {
    char folder[PATH_MAX];
    here_path(folder, sizeof folder, UNO_ACCELERATORS, name);
    bool there = access(folder, X_OK) == 0;
    if (there)
        add("LD_LIBRARY_PATH", folder, true);
    return there;
}

char *library_show(const char *program, const char *start) {
    char path[PATH_MAX];
    bool records = getenv(UNO_SEEN_ENVIRONMENT);
    show_folder("mpi/lib/others");
    bool there = show_folder("mpi/lib");
    if (records) {
        show_folder("mpi/observed");
        show_folder("observed");
    }
    if (there || records)
        preload(program, start, records);
    if (!there)
        return NULL;
    /* mpi4py's wheel looks into the folder of the program python first, where MPI libraries of PyPI are */
    here_path(path, sizeof path, UNO_ACCELERATORS,
              records ? "mpi/observed/libmpi.so.12" : "mpi/lib/others/libmpi.so.12");
    setenv("MPI4PY_LIBMPI", path, 0);
    here_path(path, sizeof path, UNO_ACCELERATORS, "mpi/lib");
    return realpath(path, NULL);
}
