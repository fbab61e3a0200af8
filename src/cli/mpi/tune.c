#define _GNU_SOURCE
#include "tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch/text.h"
#include "cli/common/here.h"
#include "crossovers.h"
#include "failure.h"
#include "profile.h"
#include "start.h"

enum { SIZES = 40, OPERATIONS = 40, LOSS_COUNTS = 5, FOR_PEOPLE = 8 /* bytes */ };

/* ---- running the measuring program ------------------------------------------------------------------- */

/* The names under which the loader knows the library of each build. */
static const char *const libraries[MPI_BUILDS][2] = {
    [MPI_OPENMPI] = {"libmpi.so.40"},
    [MPI_MPICH] = {"libmpi.so.12", "libmpich.so.12"},
    [MPI_ABI] = {"libmpi_abi.so.1", "libmpi_abi.so.0"},
};

struct words {
    char *word[64 + 16];
    int count;
};

static void add(struct words *words, const char *word) {
    char *copy = strdup(word);
    if (!copy)
        mpi_fail(EXIT_FAILURE, "no memory");
    if (words->count == sizeof words->word / sizeof *words->word - 1)
        mpi_reject("--tune: the launcher has too many arguments");
    words->word[words->count++] = copy;
}

/* Add the launcher's own library, if it lies beside it; otherwise the one that the loader finds. */
static void add_libraries(struct words *words, const struct mpi_launcher *launcher, enum mpi_build build) {
    char *self = realpath(launcher->path, NULL), path[PATH_MAX + 64];
    char *slash = self ? strrchr(self, '/') : NULL;
    for (int i = 0; i < 2 && libraries[build][i] && slash; i++) {
        snprintf(path, sizeof path, "%.*s/../lib/%s", (int)(slash - self), self, libraries[build][i]);
        if (access(path, R_OK) == 0)
            add(words, path);
    }
    for (int i = 0; i < 2 && libraries[build][i]; i++)
        add(words, libraries[build][i]);
    free(self);
}

/* Return the launcher with its options, and the measuring program with its arguments. */
static char **command(const struct mpi_options *o, const struct mpi_launcher *launcher, enum mpi_build build,
                      const char *file, const char *mode) {
    static struct words words;
    char path[PATH_MAX], module[64];
    words = (struct words){0};
    for (char **word = o->argv; *word; word++)
        add(&words, *word);
    here_path(path, sizeof path, UNO_LIBEXEC, "mpi-tune");
    add(&words, path);
    snprintf(module, sizeof module, "mpi-tune-%s.so", mpi_known[build].key);
    here_path(path, sizeof path, UNO_LIBEXEC, module);
    add(&words, path);
    add(&words, file);
    add(&words, mode);
    add_libraries(&words, launcher, build);
    return mpi_command(launcher, words.word);
}

/* Run the measuring program once; end with its status if it fails. */
static void run(const struct mpi_options *o, const struct mpi_launcher *launcher, enum mpi_build build,
                const char *file, const char *mode) {
    char **words = command(o, launcher, build, file, mode);
    if (o->verbose) {
        fprintf(stderr, "unisono mpi: starts:");
        for (char **word = words; *word; word++)
            fprintf(stderr, " %s", *word);
        fputc('\n', stderr);
    }
    int status = mpi_run(launcher, words);
    if (status) {
        if (WIFEXITED(status))
            fprintf(stderr, "unisono mpi: the measuring program failed under %s\n", launcher->path);
        mpi_end(status);
    }
}

/* ---- the findings ------------------------------------------------------------------------------------ */

/* One operation, its sizes ascending. */
struct operation {
    char name[MPI_OPERATION];
    int sizes;
    struct size {
        double bytes, accelerated, library; /* seconds */
    } size[SIZES];
    int taken; /* of the sizes, those that the accelerator takes over at all; from the least */
};

struct findings {
    int operations;
    struct operation operation[OPERATIONS];
};

static struct operation *find(struct findings *all, const char *name) {
    for (int i = 0; i < all->operations; i++)
        if (strcmp(all->operation[i].name, name) == 0)
            return &all->operation[i];
    if (all->operations == OPERATIONS)
        mpi_fail(EXIT_FAILURE, "the measuring program knows too many collectives");
    struct operation *o = &all->operation[all->operations++];
    *o = (struct operation){0};
    snprintf(o->name, sizeof o->name, "%s", name);
    return o;
}

static void read_figures(struct findings *all, const char *path) {
    char name[MPI_OPERATION];
    struct size s;
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%39s %lf %lf %lf", name, &s.bytes, &s.accelerated, &s.library) == 4) {
        struct operation *o = find(all, name);
        if (o->sizes < SIZES)
            o->size[o->sizes++] = s;
    }
    if (f)
        fclose(f);
    if (!all->operations)
        mpi_fail(EXIT_FAILURE,
                 "the measuring program wrote no figures; does its rank 0 run on this machine?");
}

/* Return the lower end of the range of a profile that contains a size. */
static double bin(double bytes) {
    return bytes < 1 ? 0 : exp2(floor(log2(bytes)));
}

/* Read from the profile of the trial run which sizes the accelerator takes over. */
static void read_taken(struct findings *all, const struct mpi_profile *p) {
    for (int i = 0; i < all->operations; i++) {
        struct operation *o = &all->operation[i];
        bool taken = true;
        for (o->taken = 0; o->taken < o->sizes && taken; o->taken += taken) {
            taken = false;
            for (size_t r = 0; r < p->rows; r++)
                if (strcmp(p->row[r].name, o->name) == 0 && p->row[r].bytes == bin(o->size[o->taken].bytes))
                    taken = taken || p->row[r].accelerated > 0;
        }
    }
}

/* The sizes for which the accelerator is better: indices from `first` to before `end`. */
struct band {
    int first, end;
};

/* Return the band of sizes that gains most in all, by the logarithm of the ratio. A loss counts more than a
 * gain, so that a wrong crossover is rather too low than too high. A gain counts up to a bound, so that one
 * disturbed measurement does not outweigh the sizes before it. Small sizes are left out only if they clearly
 * lose. */
static struct band crossover(const struct operation *o) {
    double sum = 0, best = 0;
    struct band band = {0, 0};
    for (int i = 0, first = 0; i < o->taken; i++) {
        double gain = log(o->size[i].library / o->size[i].accelerated);
        sum += gain < 0 ? LOSS_COUNTS * gain : fmin(gain, log(1.5));
        if (sum > best) {
            best = sum;
            band = (struct band){first, i + 1};
        } else if (sum < LOSS_COUNTS * log(0.9)) {
            sum = 0;
            first = i + 1;
        }
    }
    return band;
}

/* ---- showing and keeping it -------------------------------------------------------------------------- */

/* Return true if the operation has a crossover. A barrier has no size and is always accelerated; the
 * accelerator knows no line for it. */
static bool has_crossover(const struct operation *o) {
    return o->sizes > 1;
}

/* Write the band as a user's line has it, "65536", "all" or "0": fewer than so many bytes; and in a second
 * word the least bytes, if they are not 0. */
static void limit(const struct operation *o, char text[64]) {
    struct band band = {0, o->taken};
    if (has_crossover(o))
        band = crossover(o);
    if (band.end == o->sizes)
        snprintf(text, 32, "all");
    else
        snprintf(text, 32, "%.0f", band.end ? o->size[band.end].bytes : 0);
    if (band.first)
        snprintf(text + strlen(text), 32, " %.0f", o->size[band.first].bytes);
}

enum { DESCRIPTION = 160 };

/* Write the band for the user. */
static void describe(const struct operation *o, char text[DESCRIPTION]) {
    char words[64], *from;
    limit(o, words);
    from = strchr(words, ' ');
    if (from)
        *from++ = 0;
    snprintf(text, DESCRIPTION, "%s%s%s",
             !o->taken                   ? "not accelerated"
             : strcmp(words, "all") == 0 ? "always"
             : strcmp(words, "0") == 0   ? "never"
                                         : words,
             from ? ", from " : "", from ? from : "");
}

static void show(const struct findings *all, const struct mpi_profile *p) {
    printf("%s, %d ranks:\n\n  %-24s %18s %25s\n  %-24s %18s %12s %12s\n", p->library, p->ranks, "",
           "efficient below", "8 bytes:", "collective", "bytes", "accelerated", "the library");
    for (int i = 0; i < all->operations; i++) {
        const struct operation *o = &all->operation[i];
        char text[DESCRIPTION], time[2][UNO_DURATION];
        const struct size *s = &o->size[0];
        while (s->bytes < FOR_PEOPLE && s < &o->size[o->sizes - 1])
            s++;
        describe(o, text);
        printf("  %-24s %18s %12s %12s\n", o->name, text, uno_duration(s->accelerated * 1e9, time[0]),
               uno_duration(s->library * 1e9, time[1]));
    }
}

static void keep(const struct findings *all, const struct mpi_profile *p, const char *path) {
    char *text, machine[400], date[32];
    size_t length;
    time_t now = time(NULL);
    const char *key = mpi_known[p->build].key;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        mpi_fail(EXIT_FAILURE, "no memory");
    here_machine(machine, sizeof machine);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    fprintf(f, "# measured %s %d: %s, %s, %s\n", key, p->ranks, p->library, machine, date);
    for (int i = 0; i < all->operations; i++) {
        char below[64];
        limit(&all->operation[i], below);
        if (all->operation[i].taken && has_crossover(&all->operation[i]))
            fprintf(f, "below %-8s %-24s %3d %10s\n", key, all->operation[i].name, p->ranks, below);
    }
    for (int i = 0; i < all->operations; i++)
        for (int s = 0; s < all->operation[i].taken; s++)
            fprintf(f, "time  %-8s %-24s %3d %10.0f %12.3f %12.3f\n", key, all->operation[i].name, p->ranks,
                    all->operation[i].size[s].bytes, all->operation[i].size[s].accelerated * 1e6,
                    all->operation[i].size[s].library * 1e6);
    fclose(f);
    mpi_crossovers_write(path, p->build, p->ranks, text);
    free(text);
    printf("\nKept in %s, which later runs go by.\n", path);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void check(const struct mpi_options *o, const struct mpi_launcher *launcher, enum mpi_build build) {
    char path[PATH_MAX], module[64];
    if (launcher->family == MPI_ITSELF)
        mpi_reject("--tune takes an MPI launcher without a program, as in `unisono mpi --tune mpirun -n 4`; "
                   "%s is no "
                   "launcher that is known",
                   o->argv[0]);
    if (launcher->programs)
        mpi_reject(
            "--tune takes the launcher without a program, as in `unisono mpi --tune mpirun -n 4`; here is %s",
            launcher->program[0].path);
    snprintf(module, sizeof module, "mpi-tune-%s.so", mpi_known[build].key);
    here_path(path, sizeof path, UNO_LIBEXEC, module);
    if (access(path, R_OK))
        mpi_reject("the measuring program for %s is not there (%s)", mpi_known[build].name, path);
}

/* Run everything once without measuring: the profile shows which sizes are taken over. */
static void try_all(const struct mpi_options *o, const struct mpi_launcher *launcher, enum mpi_build build,
                    const char *file, struct mpi_profile *p) {
    char path[PATH_MAX];
    mpi_temporary(path, NULL);
    mpi_set("UNISONO_MPI_PROFILE", path);
    run(o, launcher, build, file, "once");
    unsetenv("UNISONO_MPI_PROFILE");
    const char *wrong = mpi_profile_read(p, path);
    if (!wrong && !p->off && p->ranks > 1 && p->nodes == 1)
        return;
    if (wrong)
        mpi_fail(EXIT_FAILURE, "the accelerator wrote no profile in a trial run: %s", wrong);
    if (p->off)
        mpi_fail(EXIT_FAILURE, "the accelerator was off in a trial run: %s", p->off);
    mpi_reject(p->ranks == 1 ? "--tune needs at least 2 ranks, as in `unisono mpi --tune mpirun -n 4`"
                             : "--tune measures the ranks of one machine, and these run on several");
}

/* Warn about the machine's load: two measurements at once spoil each other. */
static void tell_load(void) {
    double load;
    if (getloadavg(&load, 1) == 1 && load >= 1)
        fprintf(stderr, "unisono mpi: warning: the machine is busy (load %.1f); the figures will be poor\n",
                load);
}

int mpi_tune(const struct mpi_options *o, const struct mpi_launcher *launcher, enum mpi_build build) {
    static struct findings all;
    struct mpi_profile profile;
    char path[PATH_MAX], file[PATH_MAX];
    check(o, launcher, build);
    if (o->tune_file)
        snprintf(path, sizeof path, "%s", o->tune_file);
    else if (!mpi_crossovers_path(path))
        mpi_reject("--tune: there is no place for the result; set HOME, or say --tune=FILE");
    mpi_set("UNISONO_MPI_TUNE", "all");
    mpi_temporary(file, NULL);
    try_all(o, launcher, build, file, &profile);
    mpi_crossovers_try(path);
    tell_load();
    fprintf(stderr, "unisono mpi: measuring, which takes about a minute\n");
    run(o, launcher, build, file, "measure");
    read_figures(&all, file);
    read_taken(&all, &profile);
    show(&all, &profile);
    keep(&all, &profile, path);
    json_decref(profile.json);
    free(profile.row);
    free(profile.message);
    return 0;
}
