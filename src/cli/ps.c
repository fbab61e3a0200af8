/* unisono ps: this user's jobs. A job's memory has no name, but a process that has it open shows it in
 * /proc/PID/fd, and whoever may look there may map it. */

#define _GNU_SOURCE
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/launch.h"
#include "boot/report.h"
#include "commands.h"
#include "engine/channel_memory.h"
#include "engine/group.h"
#include "engine/kernel.h"
#include "engine/signature.h"
#include "options.h"

/* A job's memory, mapped to read. */
struct found {
    dev_t device;
    ino_t inode;
    size_t size;
    struct uno_job *job;
    uint64_t started;
    bool asked_for;
};

struct jobs {
    struct found *found;
    size_t count;
};

struct request {
    pid_t pid; /* the launcher of one job, or a process of it; 0: all jobs */
    bool json;
};

/* ---- finding jobs ----------------------------------------------------------------------------------------
 */

/* Whether this is the memory of a job, of this version, that is set up. */
static bool is_job(const struct found *found) {
    const struct uno_job *job = found->job;
    return job->magic == UNO_MAGIC && found->started && job->n >= 1 && job->n <= UNO_MAX_PES &&
           job->words == (job->n + 63) / 64 &&
           found->size == (job->mail_at ? job->mail_at + uno_mail_layout(job->n).size
                                        : uno_job_size(job->n, job->observe));
}

/* Map what is open as fd, unless it is among the jobs already. Returns the job; NULL if it is none. */
static struct found *take(struct jobs *jobs, int fd) {
    struct stat st;
    if (fstat(fd, &st) || (size_t)st.st_size < sizeof(struct uno_job))
        return NULL;
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->found[i].device == st.st_dev && jobs->found[i].inode == st.st_ino)
            return &jobs->found[i];
    struct found one = {.device = st.st_dev, .inode = st.st_ino, .size = (size_t)st.st_size};
    one.job = mmap(NULL, one.size, PROT_READ, MAP_SHARED, fd, 0);
    if (one.job == MAP_FAILED)
        return NULL;
    /* SYNC ORIGIN: launcher and program */
    one.started = uno_load64_acquire(&one.job->started);
    struct found *all = is_job(&one) ? realloc(jobs->found, (jobs->count + 1) * sizeof *all) : NULL;
    if (!all) {
        munmap(one.job, one.size);
        return NULL;
    }
    jobs->found = all;
    all[jobs->count] = one;
    return &all[jobs->count++];
}

/* Look through what the process has open. It may end meanwhile. */
static void look_into(struct jobs *jobs, pid_t process, const struct request *request) {
    char path[32], target[64];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d", (int)process);
    if (stat(path, &st) || st.st_uid != geteuid())
        return;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    DIR *open_files = opendir(path);
    for (struct dirent *entry; open_files && (entry = readdir(open_files));) {
        ssize_t length = readlinkat(dirfd(open_files), entry->d_name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = 0;
        if (strcmp(target, "/memfd:unisono (deleted)") != 0)
            continue;
        int fd = openat(dirfd(open_files), entry->d_name, O_RDONLY | O_CLOEXEC);
        struct found *found = fd < 0 ? NULL : take(jobs, fd);
        if (found)
            found->asked_for |=
                !request->pid || process == request->pid || found->job->launcher == request->pid;
        if (fd >= 0)
            close(fd);
    }
    if (open_files)
        closedir(open_files);
}

static int by_start(const void *a, const void *b) {
    uint64_t x = ((const struct found *)a)->started, y = ((const struct found *)b)->started;
    return (x > y) - (x < y);
}

/* The jobs that are asked for, the oldest first. Whether the processes could be listed. */
static bool find(struct jobs *jobs, const struct request *request) {
    DIR *proc = opendir("/proc");
    if (!proc)
        return false;
    for (struct dirent *entry; (entry = readdir(proc));)
        if (atoi(entry->d_name) > 0)
            look_into(jobs, atoi(entry->d_name), request);
    closedir(proc);
    size_t kept = 0;
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->found[i].asked_for)
            jobs->found[kept++] = jobs->found[i];
        else
            munmap(jobs->found[i].job, jobs->found[i].size);
    jobs->count = kept;
    if (kept)
        qsort(jobs->found, kept, sizeof *jobs->found, by_start);
    return true;
}

/* ---- showing them ----------------------------------------------------------------------------------------
 */

static double age(const struct found *found) {
    return (double)(uno_kernel_now() - found->started) / 1e9;
}

static void show(const struct found *found) {
    const struct uno_job *job = found->job;
    double s = age(found);
    long minutes = (long)(s / 60);
    printf("PID %d: %.*s; %d PE%s, for ", job->launcher, UNO_PROGRAM_TEXT, job->program, job->n,
           job->n == 1 ? "" : "s");
    if (minutes < 1)
        printf("%.1f s\n", s);
    else if (minutes < 60)
        printf("%ld min %.0f s\n", minutes, s - 60 * (double)minutes);
    else
        printf("%ld h %ld min\n", minutes / 60, minutes % 60);
    uno_report(stdout, found->job, NULL);
}

static json_t *members(const uint64_t *mask, const struct uno_job *job) {
    json_t *list = json_array();
    UNO_FOR_EACH_PE (k, mask, job->words)
        json_array_append_new(list, json_integer(k));
    return list;
}

static json_t *place_json(const struct uno_job *job, int k, const struct uno_place *place) {
    char op[UNO_SIGNATURE_TEXT];
    bool any = place->signature;
    return json_pack("{s:i, s:o, s:s, s:o, s:o, s:o, s:o}", "pe", k, "pid",
                     place->pid ? json_integer(place->pid) : json_null(), "state", place->state, "operation",
                     any ? json_string(uno_signature_text(place->signature, op)) : json_null(), "group",
                     any ? members(place->group, job) : json_null(), "seconds",
                     place->waited ? json_real((double)place->waited / 1e9) : json_null(), "missing",
                     members(place->missing_mask, job));
}

static json_t *job_json(const struct found *found) {
    const struct uno_job *job = found->job;
    struct uno_place *place = uno_places(found->job, NULL);
    json_t *list = json_array();
    for (int k = 0; place && k < job->n; k++)
        json_array_append_new(list, place_json(job, k, &place[k]));
    free(place);
    return json_pack("{s:i, s:s#, s:i, s:f, s:o}", "launcher", job->launcher, "program", job->program,
                     (int)strnlen(job->program, UNO_PROGRAM_TEXT), "pes", job->n, "seconds", age(found), "pe",
                     list);
}

static void show_all(const struct jobs *jobs, bool json) {
    json_t *list = json_array();
    for (size_t i = 0; i < jobs->count; i++)
        if (json)
            json_array_append_new(list, job_json(&jobs->found[i]));
        else
            show(&jobs->found[i]);
    if (json) {
        json_dumpf(list, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
        putchar('\n');
    } else if (!jobs->count) {
        printf("no jobs\n");
    }
    json_decref(list);
}

/* ---- the command -----------------------------------------------------------------------------------------
 */

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    char *end;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->pid)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s: name one process only", argument);
        errno = 0;
        long pid = strtol(argument, &end, 10);
        if (end == argument || *end || errno || pid < 1 || pid > INT32_MAX)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s: not the number of a process", argument);
        request->pid = (pid_t)pid;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Returns the exit status. */
static int answer(const struct request *request, struct jobs *jobs) {
    if (!find(jobs, request)) {
        perror("unisono ps: cannot read /proc");
        return EXIT_FAILURE;
    }
    if (request->pid && !jobs->count) {
        fprintf(stderr, "unisono ps: %d is no process of a job of yours; `unisono ps` shows all\n",
                (int)request->pid);
        return EXIT_FAILURE;
    }
    show_all(jobs, request->json);
    if (fflush(stdout)) {
        perror("unisono ps: cannot write standard output");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

int command_ps(int argc, char **argv) {
    static const struct argp_option options[] = {{"json", 'j', NULL, 0, "Write a JSON array", 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[PID]",
        .doc = "Show your running jobs and where their PEs are: all, or the one of the process PID.",
    };
    struct request request = {0};
    struct jobs jobs = {0};
    parse_options(&argp, argc, argv, 0, &request);
    int status = answer(&request, &jobs);
    for (size_t i = 0; i < jobs.count; i++)
        munmap(jobs.found[i].job, jobs.found[i].size);
    free(jobs.found);
    return status;
}
