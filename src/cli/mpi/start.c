/* unisono mpi: the job's environment, its command line, its start and its end. */

#define _GNU_SOURCE
#include "start.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "launch/exit.h"
#include "launch/guard.h"

static const char preload[] = "LD_PRELOAD", own[] = "UNISONO_MPI";

void mpi_set(const char *name, const char *value) {
    if (setenv(name, value, 1))
        mpi_fail(EXIT_FAILURE, "cannot set %s: %s", name, strerror(errno));
}

void mpi_preload(const char *library) {
    const char *before = getenv(preload);
    char *all;
    if (strpbrk(library, ": "))
        mpi_reject("%s: the loader cannot load a file with a blank or colon in its path; move Unisono",
                   library);
    if (asprintf(&all, "%s%s%s", library, before && *before ? ":" : "", before ? before : "") < 0)
        mpi_fail(EXIT_FAILURE, "no memory");
    mpi_set(preload, all);
    free(all);
}

/* ---- the command line -------------------------------------------------------------------------------- */

struct words {
    char **word;
    size_t count;
};

static void add(struct words *words, const char *word) {
    words->word = realloc(words->word, (words->count + 2) * sizeof *words->word);
    char *copy = words->word && word ? strdup(word) : NULL;
    if (!words->word || (word && !copy))
        mpi_fail(EXIT_FAILURE, "no memory");
    words->word[words->count++] = copy;
}

/* Add the options by which a launcher passes these variables to programs on any machine: Open MPI's passes
 * none to another machine, MPICH's all unless it is told otherwise, and srun all. */
static void add_options(struct words *words, enum mpi_family family) {
    for (char **e = environ; *e && (family == MPI_ORTE || family == MPI_HYDRA); e++) {
        char name[64];
        int length = (int)strcspn(*e, "=");
        if (length >= (int)sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", length, *e);
        if (strcmp(name, preload) != 0 && strncmp(name, own, sizeof own - 1) != 0)
            continue;
        add(words, family == MPI_ORTE ? "-x" : "-genv");
        add(words, name);
        if (family == MPI_HYDRA)
            add(words, *e + length + 1);
    }
}

char **mpi_command(const struct mpi_launcher *launcher, char **argv) {
    struct words words = {0};
    add(&words, *argv++);
    add_options(&words, launcher->family);
    for (; *argv; argv++) {
        add(&words, *argv);
        /* Open MPI's -x is for the programs up to the next colon */
        if (launcher->family == MPI_ORTE && strcmp(*argv, ":") == 0)
            add_options(&words, launcher->family);
    }
    add(&words, NULL);
    return words.word;
}

/* ---- temporary files ----------------------------------------------------------------------------------- */

/* The temporary folders of this process, which has one thread; no other user can write into them. */
static char temporary[2][PATH_MAX];
static int temporaries;

/* Remove a folder with its files, those too that a killed rank has left in it. */
static void remove_folder(const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

static void remove_temporaries(void) {
    while (temporaries > 0)
        remove_folder(temporary[--temporaries]);
}

void mpi_temporary(char path[PATH_MAX], const char *beside) {
    static const char name[] = "/result";
    const char *tmp = getenv("TMPDIR");
    char model[PATH_MAX], *folder = temporary[temporaries];
    int length =
        beside ? snprintf(model, sizeof model, "%s.XXXXXX", beside)
               : snprintf(model, sizeof model, "%s/unisono-mpi-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
    if (length >= (int)sizeof model || !mkdtemp(model))
        mpi_fail(EXIT_FAILURE, "cannot make a temporary folder, %s: %s", model,
                 strerror(length >= (int)sizeof model ? ENAMETOOLONG : errno));
    if (!realpath(model, folder) || strlen(folder) + sizeof name > PATH_MAX) {
        rmdir(model);
        mpi_fail(EXIT_FAILURE, "cannot find the temporary folder %s again", model);
    }
    if (!temporaries++)
        atexit(remove_temporaries);
    strcpy(stpcpy(path, folder), name);
}

/* ---- the process ------------------------------------------------------------------------------------- */

void mpi_become(const struct mpi_launcher *launcher, char **command) {
    execv(launcher->path, command);
    mpi_fail(UNO_EXIT_NOT_EXECUTABLE, "cannot run %s: %s", launcher->path,
             errno == ENOENT ? "its interpreter does not exist" : strerror(errno));
}

int mpi_run(const struct mpi_launcher *launcher, char **command) {
    sigset_t signals, mask;
    uno_guard_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    signal(SIGCHLD, SIG_DFL); /* a process that ignores SIGCHLD cannot wait for its children */
    pid_t self = getpid(), child = fork();
    if (child < 0)
        mpi_fail(EXIT_FAILURE, "cannot start a process: %s", strerror(errno));
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* a launcher then ends its programs */
        if (getppid() != self)
            _exit(EXIT_FAILURE);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        mpi_become(launcher, command);
    }
    return uno_guard_watch(child, &signals);
}

void mpi_end(int status) {
    if (WIFEXITED(status))
        exit(WEXITSTATUS(status));
    fflush(NULL);
    remove_temporaries();
    uno_end_by_signal(WTERMSIG(status));
}
