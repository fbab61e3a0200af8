/* unisono mpi: the program that starts the MPI job. Which words of its command line name programs depends on
 * which of its options take values; those are in tables. */

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "launch/exit.h"

/* ---- files ------------------------------------------------------------------------------------------- */

static bool is_executable(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool mpi_find_file(const char *word, const char *folder, char path[PATH_MAX]) {
    if (strchr(word, '/')) {
        snprintf(path, PATH_MAX, "%s", word);
        if (!is_executable(path) && folder && *word != '/')
            snprintf(path, PATH_MAX, "%s/%s", folder, word);
        return is_executable(path);
    }
    const char *list = getenv("PATH");
    for (const char *at = list ? list : "/bin:/usr/bin"; at;
         at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        int length = (int)strcspn(at, ":");
        snprintf(path, PATH_MAX, "%.*s/%s", length ? length : 1, length ? at : ".", word);
        if (is_executable(path))
            return true;
    }
    return false;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- the launcher ------------------------------------------------------------------------------------ */

/* Programs that are asked for their version, by the beginnings of their names. */
static const char *const launchers[] = {"mpirun", "mpiexec", "orterun", "prterun", "hydra"};

/* The answers by which launchers are recognized. */
static const struct {
    const char *text; /* a part of the answer */
    enum mpi_family family;
    const char *version; /* the text before the version */
    const char *name;    /* the name that users know */
} answers[] = {
    {"(Unisono)", MPI_OWN, "(Unisono) ", "Unisono"}, {"(Open MPI)", MPI_ORTE, "(Open MPI) ", "Open MPI"},
    {"OpenRTE", MPI_ORTE, "OpenRTE) ", "Open MPI"},  {"PRRTE", MPI_ORTE, "PRRTE) ", "PRRTE"},
    {"HYDRA", MPI_HYDRA, "Version:", "Hydra"},       {"Intel(R) MPI", MPI_HYDRA, "Version ", "Intel MPI"},
    {"MPICH", MPI_HYDRA, "Version:", "Hydra"},
};

/* The launchers that are recognized by name, since their answer says nothing. */
static const struct {
    const char *name;
    enum mpi_family family;
    const char *version;
} by_name[] = {
    {"prterun", MPI_ORTE, "Open MPI"},
    {"orterun", MPI_ORTE, "Open MPI"},
    {"mpiexec.gforker", MPI_HYDRA, "MPICH's gforker"},
    {"srun", MPI_NEUTRAL, "Slurm"},
};

static bool is_launcher(const char *name) {
    bool known = false;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        known = known || strncmp(name, launchers[i], strlen(launchers[i])) == 0;
    for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
        known = known || strcmp(name, by_name[i].name) == 0;
    return known;
}

static _Noreturn void fail_to_find(const char *word) {
    bool path = strchr(word, '/');
    if (path && access(word, F_OK) == 0)
        mpi_fail(UNO_EXIT_NOT_EXECUTABLE, "cannot run %s", word);
    if (is_launcher(base_name(word)))
        mpi_fail(UNO_EXIT_NOT_FOUND,
                 "cannot find %s%s: `unisono mpi` takes the launcher of the MPI library that the program was "
                 "compiled for, such as Open MPI's (Debian: openmpi-bin) or MPICH's (mpich); " MPI_WITHOUT,
                 word, path ? "" : " in PATH");
    mpi_fail(UNO_EXIT_NOT_FOUND, "cannot find %s%s", word, path ? "" : " in PATH");
}

static void read_answer(struct mpi_launcher *launcher, const char *answer) {
    for (size_t i = 0; i < sizeof answers / sizeof *answers && !launcher->family; i++) {
        if (!strstr(answer, answers[i].text))
            continue;
        const char *number = strstr(answer, answers[i].version);
        number = number ? number + strlen(answers[i].version) : "";
        number += strspn(number, " \t");
        launcher->family = answers[i].family;
        launcher->major = atoi(number);
        snprintf(launcher->version, sizeof launcher->version, "%s%s%.*s", answers[i].name,
                 launcher->major ? " " : "", launcher->major ? (int)strcspn(number, " ,\n") : 0, number);
    }
}

static void find_family(struct mpi_launcher *launcher) {
    const char *name = base_name(launcher->path);
    char answer[8192], *argv[] = {launcher->path, "--version", NULL};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strncmp(name, launchers[i], strlen(launchers[i])) == 0 && !launcher->family &&
            mpi_ask(argv, answer, sizeof answer))
            read_answer(launcher, answer);
    for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
        if (!launcher->family && strcmp(name, by_name[i].name) == 0) {
            launcher->family = by_name[i].family;
            snprintf(launcher->version, sizeof launcher->version, "%s", by_name[i].version);
        }
}

/* ---- its command line -------------------------------------------------------------------------------- */

/* Options with one value and with two, separated by blanks, without their dashes. */
static const struct {
    const char *one, *two;
} options_of[] = {
    [MPI_ORTE] =
        {" n np c N H host hostfile machinefile default-hostfile x wd wdir map-by rank-by bind-to "
         "npernode npersocket output output-filename timeout prefix path personality dvm dvm-uri "
         "ompi-server report-pid report-uri stdin stream-buffering tune am xml-file cpu-set cpu-list "
         "slot-list preload-files initial-errhandler with-ft display runtime-options rtos pset "
         "max-restarts cpus-per-proc cpus-per-rank max-vm-size novm-size debugger app ",
         " mca gmca omca gomca pmixmca gpmixmca prtemca gprtemca "},
    [MPI_HYDRA] =
        {" n np f hosts host hostlist hostfile machinefile machine wdir path ppn perhost configfile "
         "bind-to map-by membind iface nameserver rmk launcher launcher-exec bootstrap bootstrap-exec "
         "usize prepend-pattern outfile-pattern errfile-pattern genvlist envlist genvexcl "
         "ckpoint-interval ckpoint-prefix ckpoint-num ckpointlib demux profile arch soft file s "
         "gpus-per-proc gpu-subdevs-per-proc hostgroup localhost pmi-port-range ",
         " genv env "},
    [MPI_NEUTRAL] =
        {" n N c p t w x A J o e i q r m D d G B M C L ntasks nodes cpus-per-task partition time "
         "nodelist exclude account job-name output error input chdir distribution ntasks-per-node "
         "cpu-bind mem-bind mpi export gres constraint mem mem-per-cpu qos reservation threads-per-core "
         "het-group jobid ",
         " "},
};

static bool is_listed(const char *list, const char *name) {
    char word[64];
    int length = snprintf(word, sizeof word, " %s ", name);
    return length < (int)sizeof word && strstr(list, word);
}

/* End with an error for an option that would keep the accelerator's variables from the programs. */
static void check_option(const struct mpi_launcher *launcher, const char *word, const char *before) {
    static const char preload[] = "LD_PRELOAD";
    size_t length = sizeof preload - 1;
    bool is_set = strncmp(word, preload, length) == 0 && word[length] == '=';
    bool is_pair = strcmp(word, preload) == 0 && launcher->family == MPI_HYDRA &&
                   is_listed(options_of[MPI_HYDRA].two, before + strspn(before, "-"));
    if (is_set || is_pair)
        mpi_reject(
            "%s %s would displace the accelerator, which is loaded by LD_PRELOAD too; set LD_PRELOAD in "
            "the environment of unisono mpi, which keeps it",
            before, word);
    static const char export[] = "--export=";
    if (launcher->family == MPI_NEUTRAL && strncmp(word, export, sizeof export - 1) == 0 &&
        !strstr(word, "ALL"))
        mpi_reject(
            "%s keeps the accelerator's variables from the program; add ALL to it, as in --export=ALL,NAME",
            word);
}

/* Return the program's place in argv. argv is where one context of the command line begins; without a program
 * the place is that of the context's end (":" or NULL). */
static char **find_program(struct mpi_launcher *launcher, char **argv, const char *folder) {
    const char *one = options_of[launcher->family].one, *two = options_of[launcher->family].two, *before = "";
    bool known = true; /* whether the word before this one has had all its values */
    struct mpi_program *program = &launcher->program[launcher->programs];
    for (; *argv && strcmp(*argv, ":") != 0; before = *argv++) {
        const char *name = *argv + strspn(*argv, "-");
        check_option(launcher, *argv, before);
        if (**argv != '-' || !*name) {
            if (mpi_find_file(*argv, folder, program->path)) {
                launcher->programs++;
                return argv;
            }
            if (known)
                return argv; /* it is the program, wherever it is */
            known = true;
            continue;
        }
        int values = is_listed(two, name) ? 2 : is_listed(one, name);
        known = values || strchr(name, '=');
        for (int i = 0; i < values && argv[1] && strcmp(argv[1], ":") != 0; i++) {
            if (is_listed(" wdir wd ", name))
                folder = argv[1];
            before = *argv++;
            check_option(launcher, *argv, before);
        }
    }
    return argv;
}

static void find_programs(struct mpi_launcher *launcher, char **argv) {
    while (*argv && launcher->programs < MPI_PROGRAMS) {
        argv = find_program(launcher, argv, NULL);
        while (*argv && strcmp(*argv, ":") != 0)
            argv++;
        if (*argv)
            argv++;
    }
}

/* Open MPI's launchers start nothing as root unless an option or two variables ask for it. Their own word on
 * that fills a screen, and knows nothing of `unisono run`. */
static void check_root(const struct mpi_launcher *launcher, char **argv) {
    bool allowed = launcher->family != MPI_ORTE || geteuid() != 0 ||
                   (getenv("OMPI_ALLOW_RUN_AS_ROOT") && getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")) ||
                   (getenv("PRTE_ALLOW_RUN_AS_ROOT") && getenv("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"));
    for (char **word = argv + 1; *word && !allowed; word++) {
        const char *name = *word + strspn(*word, "-");
        allowed = **word == '-' && is_listed(" allow-run-as-root help h version V ", name);
    }
    if (!allowed)
        mpi_reject("%s starts no program as root (%s): put --allow-run-as-root behind it, as in `unisono mpi "
                   "mpirun --allow-run-as-root -n 4 ./program`; " MPI_WITHOUT,
                   argv[0], launcher->version);
}

void mpi_launcher_find(struct mpi_launcher *launcher, char **argv) {
    if (!mpi_find_file(argv[0], NULL, launcher->path))
        fail_to_find(argv[0]);
    find_family(launcher);
    check_root(launcher, argv);
    if (launcher->family == MPI_OWN)
        mpi_reject("%s is Unisono's own launcher, whose MPI library has these collectives: leave `unisono "
                   "mpi` out, or name the launcher of another MPI library by its path",
                   launcher->path);
    if (launcher->family == MPI_ITSELF) {
        launcher->programs = 1;
        memcpy(launcher->program[0].path, launcher->path, sizeof launcher->path);
    } else {
        find_programs(launcher, argv + 1);
    }
    for (int i = 0; i < launcher->programs; i++)
        mpi_look(&launcher->program[i]);
}
