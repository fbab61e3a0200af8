#define _GNU_SOURCE
#include "report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/aside.h"
#include "cli/common/page.h"
#include "cli/common/print.h"
#include "crossovers.h"
#include "failure.h"
#include "launch/exit.h"
#include "profile.h"
#include "profile_table.h"
#include "start.h"

struct mpi_report {
    const struct mpi_options *options;
    char path[PATH_MAX];  /* where rank 0 writes the profile */
    struct aside profile; /* the file of --profile=FILE */
    struct page page;
};

/* The format of a profile. */
enum { FORM = JSON_INDENT(1) | JSON_REAL_PRECISION(9) };

bool mpi_report_wanted(const struct mpi_options *o) {
    return o->profile || o->profile_file || o->plot || o->html || o->check;
}

/* Check that the file of a plot can be written, before the job runs. */
static void claim(const char *file) {
    FILE *f = fopen(file, "w");
    if (!f)
        mpi_reject("--plot %s: %s", file, strerror(errno));
    fclose(f);
}

struct mpi_report *mpi_report_open(const struct mpi_options *o) {
    static struct mpi_report report;
    report.options = o;
    if (o->plot)
        claim(o->plot);
    if (o->html && !page_open(&report.page, "unisono mpi: --html", "profile", o->html))
        exit(UNO_EXIT_USAGE);
    if (o->profile_file && !aside_open(&report.profile, "unisono mpi: --profile", o->profile_file, 0))
        exit(UNO_EXIT_USAGE);
    /* beside the user's file, since other machines may see that folder */
    mpi_temporary(report.path, o->profile_file ? report.profile.as.path : NULL);
    mpi_set("UNISONO_MPI_PROFILE", report.path);
    return &report;
}

/* Write the user's file from the saved profile. */
static bool write_profile(struct aside *profile, const struct mpi_profile *p) {
    FILE *f = uno_aside_stream(&profile->as);
    bool written = f && json_dumpf(p->json, f, FORM) == 0 && fputc('\n', f) != EOF;
    if (f && fclose(f))
        written = false;
    if (written)
        return aside_finish(profile);
    fprintf(stderr, "unisono mpi: cannot write %s: %s\n", profile->as.path, strerror(errno));
    return false;
}

/* Report the outcome of the check. Return true if all results were equal. */
static bool tell_check(const struct mpi_profile *p) {
    if (p->compared < 0) {
        fprintf(stderr, "unisono mpi: nothing was compared%s%s\n",
                p->off ? ": the accelerator was off: " : "", p->off ? p->off : "");
        return false;
    }
    fprintf(stderr,
            "unisono mpi: %.0f results of accelerated collectives were compared with the MPI library's; ",
            p->compared);
    if (p->different > 0)
        fprintf(stderr, "%.0f differ\n", p->different);
    else
        fprintf(stderr, "all are the same\n");
    return !(p->different > 0);
}

static bool show(struct mpi_report *report, struct mpi_profile *p) {
    const struct mpi_options *o = report->options;
    struct mpi_times times = {0};
    char path[PATH_MAX];
    bool good = true;
    if (mpi_crossovers_path(path))
        mpi_times_read(&times, path);
    mpi_profile_save(p, &times);
    free(times.time);
    if (o->profile)
        mpi_profile_table(stderr, p);
    if (o->profile_file)
        good = write_profile(&report->profile, p);
    if (o->plot && !print_plot("unisono mpi", "mpi_plot.py", p->json, o->plot))
        good = false;
    if (o->html && !page_write(&report->page, p->json, FORM))
        good = false;
    return (!o->check || tell_check(p)) && good;
}

/* Return the exit status after an error here: that of the job, unless the job succeeded. */
static int failed(int status) {
    return status ? status : W_EXITCODE(EXIT_FAILURE, 0);
}

static int close_report(struct mpi_report *report, int status) {
    struct mpi_profile profile;
    bool empty = false;
    FILE *f = fopen(report->path, "r");
    if (!f || fgetc(f) == EOF)
        empty = true;
    if (f)
        fclose(f);
    const char *wrong = empty ? NULL : mpi_profile_read(&profile, report->path);
    if (empty) {
        fprintf(stderr, "unisono mpi: there is no profile: rank 0 did not come to MPI_Finalize%s\n",
                status ? ""
                       : ", or the accelerator was not loaded into it (see --verbose), or it ran on another "
                         "machine, whose files are not seen here");
        return failed(status);
    }
    if (wrong) {
        fprintf(stderr, "unisono mpi: the profile %s cannot be read: %s\n", report->path, wrong);
        return failed(status);
    }
    bool good = show(report, &profile);
    json_decref(profile.json);
    free(profile.row);
    free(profile.message);
    return good ? status : failed(status);
}

int mpi_report_close(struct mpi_report *report, int status) {
    status = close_report(report, status);
    if (report->options->profile_file)
        aside_drop(&report->profile);
    return status;
}
