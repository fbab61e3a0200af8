#include "job.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/here.h"
#include "cli/common/page.h"
#include "launch/exit.h"
#include "launch/launch.h"
#include "launch/records.h"
#include "launch/stats.h"
#include "count.h"
#include "debug.h"
#include "parts.h"
#include "unit/unit.h"

bool job_timeout(struct job *job, const char *text) {
    char *end;
    job->launch.timeout = strtod(text, &end);
    /* up to about 30 years, which CLOCK_MONOTONIC can hold; a NaN fails too */
    return end != text && !*end && job->launch.timeout > 0 && job->launch.timeout <= 1e9;
}

bool job_nested(const struct job *job, const char *command) {
    static const char *const launchers[] = {
        "mpirun",          "mpiexec",        "orterun",       "prterun",      "mpiexec.hydra",
        "mpiexec.openmpi", "mpirun.openmpi", "mpiexec.mpich", "mpirun.mpich", "srun"};
    for (int i = 0; i < job->launch.parts; i++) {
        const struct uno_part *part = &job->launch.part[i];
        const char *slash = strrchr(part->argv[0], '/'), *name = slash ? slash + 1 : part->argv[0];
        bool launcher = false;
        for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++)
            launcher = launcher || strcmp(name, launchers[k]) == 0;
        if (!launcher || job->launch.n < 2)
            continue;
        fprintf(stderr,
                "%s: %s is a launcher itself, and two launchers are nested: each of %d processes would start "
                "a job of its own; leave one of the two out\n",
                command, part->argv[0], job->launch.n);
        return true;
    }
    return false;
}

static bool show(void *page, const json_t *figures) {
    return page_write(page, figures, UNO_STATS_FORM);
}

bool job_page(struct job *job) {
    static struct page page;
    if (!job->html)
        return true;
    job->launch.show_stats = show;
    job->launch.show_argument = &page;
    return page_open(&page, "unisono run: --html", "stats", job->html);
}

static int start(struct job *job, const char *command) {
    static char hardware[PATH_MAX];
    struct uno_launch *launch = &job->launch;
    if (job_nested(job, command))
        return UNO_EXIT_USAGE;
    const char *why = job->debug ? debug_parts(launch, job->pes, &job->words) : NULL;
    if (why) {
        fprintf(stderr, "%s: --debug: %s\n", command, why);
        return UNO_EXIT_USAGE;
    }
    why = job->count ? count_parts(launch, &job->words) : NULL;
    if (why) {
        fprintf(stderr, "%s: --count: %s\n", command, why);
        return UNO_EXIT_USAGE;
    }
    if (launch->unit->process) {
        here_path(hardware, sizeof hardware, UNO_LIBEXEC, launch->unit->process);
        launch->hardware = hardware;
    }
    return job_page(job) ? uno_launch(launch) : UNO_EXIT_USAGE;
}

void job_observe(struct uno_launch *launch, struct uno_seen_share *share, bool wanted, const char *command) {
    if (!wanted) {
        unsetenv(UNO_SEEN_ENVIRONMENT); /* of a launcher that has started this one */
        return;
    }
    int error = uno_seen_make(share, launch->n);
    if (error) {
        fprintf(stderr, "%s: cannot make the memory for the recorded calls of %d ranks, %zu bytes: %s\n",
                command, launch->n, uno_seen_size(launch->n), strerror(-error));
        exit(EXIT_FAILURE);
    }
    setenv(UNO_SEEN_ENVIRONMENT, share->variable, 1);
    launch->seen = share;
}

int job_run(struct job *job, const char *command) {
    job_observe(&job->launch, &job->share, job->html || uno_records_wanted(&job->launch), command);
    parts_finish(&job->launch);
    int status = start(job, command);
    parts_free(&job->launch);
    uno_seen_drop(&job->share);
    free(job->words);
    return status;
}
