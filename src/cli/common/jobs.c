/* A job's memory has no name, but a process that has it open shows it in /proc/PID/fd, and a user who may
 * look there may map it. */

#define _GNU_SOURCE
#include "jobs.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/exit.h"
#include "launch/memories.h"
#include "engine/arrays.h"
#include "engine/group.h"
#include "engine/kernel.h"
#include "engine/signature.h"

/* Return true if this is the header of a job of this version that is set up, in a memory of so many bytes. */
static bool is_job(const struct uno_job *job, size_t size, uint64_t started) {
    return job->magic == UNO_MAGIC && started && job->n >= 1 && job->n <= UNO_MAX_PES &&
           job->words == (job->n + 63) / 64 &&
           size == (job->arrays_at ? job->arrays_at + uno_arrays_size(job)
                    : job->mail_at ? job->mail_at + uno_mail_layout(job->n).size
                    : job->buffer  ? uno_mail_at(uno_job_mapped(job))
                                   : uno_job_size(job->n, job->observe));
}

/* Map the file that is open as fd, unless it is among the jobs already. Returns the job; NULL if it is
 * none. */
static struct found *take(struct jobs *jobs, int fd) {
    struct stat st;
    if (fstat(fd, &st) || (size_t)st.st_size < sizeof(struct uno_job))
        return NULL;
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->found[i].device == st.st_dev && jobs->found[i].inode == st.st_ino)
            return &jobs->found[i];
    struct found one = {.device = st.st_dev, .inode = st.st_ino, .size = sizeof *one.job};
    one.job = mmap(NULL, one.size, PROT_READ, MAP_SHARED, fd, 0);
    if (one.job == MAP_FAILED)
        return NULL;
    /* SYNC ORIGIN: launcher and program */
    one.started = uno_load64_acquire(&one.job->started);
    struct uno_job made = *one.job; /* which does not change while it is judged */
    munmap(one.job, one.size);
    one.size = is_job(&made, (size_t)st.st_size, one.started) ? uno_job_size(made.n, made.observe) : 0;
    one.job = one.size ? mmap(NULL, one.size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (one.job == MAP_FAILED)
        return NULL;
    struct found *all = realloc(jobs->found, (jobs->count + 1) * sizeof *all);
    if (!all) {
        munmap(one.job, one.size);
        return NULL;
    }
    one.mail = uno_shown_map(&made, fd);
    jobs->found = all;
    all[jobs->count] = one;
    return &all[jobs->count++];
}

struct search {
    struct jobs *jobs;
    pid_t asked_for;
};

/* Add the job, if it is one, that a process has open as fd. */
static bool look_at(void *argument, pid_t process, int fd) {
    struct search *search = argument;
    struct found *found = take(search->jobs, fd);
    if (found)
        found->asked_for |=
            !search->asked_for || process == search->asked_for || found->job->launcher == search->asked_for;
    return false;
}

static int by_start(const void *a, const void *b) {
    uint64_t x = ((const struct found *)a)->started, y = ((const struct found *)b)->started;
    return (x > y) - (x < y);
}

static void drop(struct found *found) {
    uno_shown_unmap(&found->mail);
    munmap(found->job, found->size);
}

/* Find the running jobs, or, if pid is not 0, only that of the process. Return true if the processes could be
 * listed. */
static bool find(struct jobs *jobs, pid_t pid) {
    struct search search = {jobs, pid};
    uno_memories("unisono", O_RDONLY, look_at, &search);
    if (errno)
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->found[i].asked_for)
            jobs->found[kept++] = jobs->found[i];
        else
            drop(&jobs->found[i]);
    jobs->count = kept;
    if (kept)
        qsort(jobs->found, kept, sizeof *jobs->found, by_start);
    return true;
}

bool jobs_find(struct jobs *jobs, pid_t pid, const char *command) {
    if (!find(jobs, pid)) {
        fprintf(stderr, "%s: cannot read /proc: %s\n", command, strerror(errno));
        return false;
    }
    if (pid && !jobs->count) {
        fprintf(stderr, "%s: %d is no process of a job of yours; `unisono ps` shows all\n", command,
                (int)pid);
        return false;
    }
    return true;
}

void jobs_free(struct jobs *jobs) {
    for (size_t i = 0; i < jobs->count; i++)
        drop(&jobs->found[i]);
    free(jobs->found);
    *jobs = (struct jobs){0};
}

const struct found *jobs_only(const struct jobs *jobs, const char *command, const char *name) {
    if (!jobs->count)
        fprintf(stderr, "%s: no jobs\n", command);
    if (jobs->count > 1)
        fprintf(stderr, "%s: %zu jobs of yours run; %s (`unisono ps` shows all)\n", command, jobs->count,
                name);
    return jobs->count == 1 ? jobs->found : NULL;
}

pid_t jobs_parse(const char *text, const struct argp_state *state) {
    char *end;
    errno = 0;
    long pid = strtol(text, &end, 10);
    if (end == text || *end || errno || pid < 1 || pid > INT32_MAX)
        argp_failure(state, UNO_EXIT_USAGE, 0, "%s: not the number of a process", text);
    return (pid_t)pid;
}

/* ---- showing them ------------------------------------------------------------------------------------ */

static double age(const struct found *found) {
    return (double)(uno_kernel_now() - found->started) / 1e9;
}

void jobs_write_title(FILE *f, const struct found *found) {
    const struct uno_job *job = found->job;
    int pes = uno_shown_pes(&found->mail);
    double s = age(found);
    long minutes = (long)(s / 60);
    fprintf(f, "PID %d: %.*s; %d PE%s, for ", job->launcher, UNO_PROGRAM_TEXT, job->program, pes,
            pes == 1 ? "" : "s");
    if (minutes < 1)
        fprintf(f, "%.1f s", s);
    else if (minutes < 60)
        fprintf(f, "%ld min %.0f s", minutes, s - 60 * (double)minutes);
    else
        fprintf(f, "%ld h %ld min", minutes / 60, minutes % 60);
    uint32_t turn = uno_load32_relaxed(&found->job->turn);
    if (turn != UNO_TURN_NONE)
        fprintf(f, ", in turns: %u so far, %s", uno_load32_relaxed(&found->job->turns),
                turn == UNO_TURN_OWN ? "and now" : "stopped now");
    fprintf(f, "\n");
}

static json_t *members(const uint64_t *mask, const struct found *found) {
    json_t *list = json_array();
    UNO_FOR_EACH_PE (k, mask, uno_shown_words(&found->mail))
        json_array_append_new(list, json_integer(k));
    return list;
}

json_t *jobs_number(int number) {
    return number < 0 ? json_null() : json_integer(number);
}

static json_t *counts(const struct uno_shown_all *all) {
    json_t *counts = json_object();
    for (int s = 0; all && s < UNO_SHOWN_STATES; s++)
        json_object_set_new(counts, uno_shown_name((enum uno_shown_state)s),
                            json_integer((json_int_t)all->count[s]));
    return counts;
}

json_t *jobs_place(const struct found *found, int k, const struct uno_place *place,
                   const struct uno_shown_all *all) {
    char op[UNO_SIGNATURE_TEXT];
    bool any = place->signature, exchanges = place->exchanges;
    return json_pack("{s:i, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "pe", k, "pid",
                     place->pid ? json_integer(place->pid) : json_null(), "state", place->state, "operation",
                     any ? json_string(uno_signature_text(place->signature, op)) : json_null(), "group",
                     any && !exchanges ? members(place->group, found) : json_null(), "peer",
                     jobs_number(exchanges ? place->peer : UNO_WILD), "type",
                     jobs_number(exchanges ? place->type : UNO_WILD), "seconds",
                     place->waited ? json_real((double)place->waited / 1e9) : json_null(), "missing",
                     members(place->missing_mask, found), "messages", counts(all));
}

json_t *jobs_describe(const struct found *found, json_t *list) {
    const struct uno_job *job = found->job;
    uint32_t turn = uno_load32_relaxed(&found->job->turn);
    json_t *turns = turn == UNO_TURN_NONE
                        ? json_null()
                        : json_pack("{s:i, s:b}", "count", (int)uno_load32_relaxed(&found->job->turns), "now",
                                    turn == UNO_TURN_OWN);
    return json_pack("{s:i, s:s#, s:i, s:f, s:o, s:o}", "launcher", job->launcher, "program", job->program,
                     (int)strnlen(job->program, UNO_PROGRAM_TEXT), "pes", uno_shown_pes(&found->mail),
                     "seconds", age(found), "turns", turns, "pe", list);
}
