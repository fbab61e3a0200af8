/* The life of a job: set up, start, watch, end. */

#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bind.h"
#include "calls.h"
#include "engine/arrays.h"
#include "engine/channel/ring/memory.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "exit.h"
#include "guard.h"
#include "hardware.h"
#include "records.h"
#include "unit/rtl/port.h"
#include "unit/unit.h"
#include "watch.h"

enum { OTHER_FILES = 32 }; /* descriptors besides the pipes */

/* Write one line about an error before the job began. Returns status. */
static int refuse(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "unisono run: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    return status;
}

/* Open standard input, output and error where they are closed, so that no pipe takes their places. */
static void open_standard(void) {
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    close(fd);
}

/* Describe the job in its header, for observers outside the job. */
static void describe(struct uno_job *job, const struct uno_launch *launch, pid_t command) {
    size_t length = 0, room = sizeof job->program - 1;
    for (int i = 0; i < launch->parts; i++) {
        if (i && length < room)
            length += (size_t)snprintf(job->program + length, room - length + 1, " :");
        for (char **word = launch->part[i].argv; *word && length < room; word++)
            length +=
                (size_t)snprintf(job->program + length, room - length + 1, length ? " %s" : "%s", *word);
    }
    for (char *c = job->program; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?'; /* a terminal, and JSON, take any program's name */
    job->launcher = command;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    /* SYNC ORIGIN: launcher and program */
    uno_store64_release(&job->started, (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
}

/* The offsets of the parts of the job's memory; 0: the job does not have the part. */
struct sizes {
    size_t ports_at, buffers_at, mail_at, arrays_at, all;
};

/* Lay out the memory. Buffers, messages and arrays take a large file, little of which is used. A limit of
 * file sizes may forbid some of them; the job then has the parts that fit. */
static struct sizes sizes_of(int n, int observe, bool ports) {
    struct rlimit limit;
    size_t most = getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
    struct sizes s = {.all = uno_job_size(n, observe)};
    size_t buffers_at = uno_job_buffers_at(n, observe);
    if (ports) {
        s.ports_at = buffers_at;
        s.all = buffers_at += uno_ports_size(n);
    }
    size_t mail_at = uno_mail_at(buffers_at + uno_job_buffers_size(n, UNO_BUFFER));
    size_t arrays_at = uno_arrays_at(mail_at + uno_mail_layout(n).size);
    size_t end = arrays_at + (size_t)n * uno_arrays_part(n);
    if (mail_at <= most) {
        s.buffers_at = buffers_at;
        s.all = mail_at;
    }
    if (mail_at + uno_mail_layout(n).size <= most) {
        s.mail_at = mail_at;
        s.all = mail_at + uno_mail_layout(n).size;
    }
    if (end <= most) {
        s.arrays_at = arrays_at;
        s.all = end;
    }
    return s;
}

/* Set up the descriptors that the PEs get or may open. */
static void hand_out(struct uno_run *run, int memory) {
    struct stat st = {0};
    fstat(memory, &st);
    run->spawn.memory = memory;
    run->spawn.device = st.st_dev;
    run->spawn.inode = st.st_ino;
    run->job->lifeline = run->lifeline[0];
    run->job->trace_file = run->spawn.trace;
    if (run->spawn.trace < 0)
        return;
    fstat(run->spawn.trace, &st);
    run->job->trace_device = st.st_dev;
    run->job->trace_inode = st.st_ino;
}

static int make_memory(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    int observe = uno_records_wanted(launch);
    struct sizes sizes = sizes_of(launch->n, observe, launch->unit->process);
    size_t size =
        sizes.ports_at ? sizes.ports_at + uno_ports_size(launch->n) : uno_job_size(launch->n, observe);
    int fd = uno_kernel_memory("unisono");
    run->job = MAP_FAILED;
    /* the lock tells a PE that checks in whether its launcher still lives */
    if (fd >= 0 && uno_kernel_memory_size(fd, sizes.all) == 0 &&
        fcntl(fd, F_SETLK, &(struct flock){.l_type = F_WRLCK}) == 0)
        run->job = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (run->job == MAP_FAILED)
        return refuse(EXIT_FAILURE, "cannot make the job's memory, %zu bytes: %s%s", size, strerror(errno),
                      errno == EFBIG ? "; the limit of file sizes (ulimit -f) is below that" : "");
    uno_job_format(run->job, launch->n, uno_processors(), observe);
    snprintf(run->job->unit, sizeof run->job->unit, "%s", launch->unit->name);
    run->job->ports_at = sizes.ports_at;
    if (sizes.ports_at) {
        run->job->buffers = size; /* where these would be */
        uno_hardware_describe(run);
    }
    if (sizes.buffers_at)
        uno_job_set_buffers(run->job, sizes.buffers_at, UNO_BUFFER);
    run->job->mail_at = sizes.mail_at;
    run->job->arrays_at = sizes.arrays_at;
    run->job->arrays_part = uno_arrays_part(launch->n);
    hand_out(run, fd);
    describe(run->job, launch, run->command);
    memcpy(run->made, run->job, sizeof *run->made);
    return 0;
}

/* Raise the limit of open files: two pipes for each PE may be more than usual. */
static int raise_limit(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    struct rlimit *before = &run->spawn.files, now;
    rlim_t need = (rlim_t)launch->n * (launch->out ? 0 : 2) + OTHER_FILES;
    rlim_t wanted = need + (rlim_t)launch->n; /* to watch those below wrappers */
    if (getrlimit(RLIMIT_NOFILE, before))
        return refuse(EXIT_FAILURE, "cannot read the limit of open files: %s", strerror(errno));
    now = *before;
    if (before->rlim_cur >= wanted)
        return 0;
    now.rlim_cur = before->rlim_max < wanted ? before->rlim_max : wanted;
    if (before->rlim_max < need || setrlimit(RLIMIT_NOFILE, &now))
        return refuse(EXIT_FAILURE,
                      "the output of %d PEs needs %llu open files, and the hard limit is %llu; raise it "
                      "(ulimit -Hn) or use --out",
                      launch->n, (unsigned long long)need, (unsigned long long)before->rlim_max);
    return 0;
}

static int prepare(struct uno_run *run) {
    struct uno_spawn *spawn = &run->spawn;
    const struct uno_launch *launch = run->launch;
    spawn->n = launch->n;
    spawn->part = launch->part;
    spawn->parts = launch->parts;
    spawn->launcher = getpid();
    spawn->pipe = signal(SIGPIPE, SIG_IGN);
    spawn->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (spawn->null < 0)
        return refuse(
            EXIT_FAILURE,
            "cannot open /dev/null, which all PEs but 0 read: %s; a container or chroot needs a /dev "
            "(mount --bind /dev ROOT/dev)",
            strerror(errno));
    run->child = calloc((size_t)launch->n, sizeof *run->child);
    run->result = calloc((size_t)launch->n, sizeof *run->result);
    run->ended_open = calloc((size_t)launch->n, sizeof *run->ended_open);
    run->made = malloc(sizeof *run->made);
    bool memory = run->child && run->result && run->ended_open && run->made;
    bool files = pipe2(run->lifeline, O_CLOEXEC) == 0;
    int error = !files ? -errno : memory ? uno_spawn_environment(spawn) : -ENOMEM;
    if (error)
        return refuse(EXIT_FAILURE, "cannot set up the job: %s", strerror(-error));
    if (launch->out && mkdir(launch->out, 0777) && errno != EEXIST)
        return refuse(EXIT_FAILURE, "--out %s: cannot make this folder: %s", launch->out, strerror(errno));
    if (launch->bind && (spawn->processors_count = uno_bind_order(&spawn->processors)) < 0)
        return refuse(EXIT_FAILURE, "--bind: cannot find out the processors: %s",
                      strerror(-spawn->processors_count));
    if (launch->show_bindings)
        uno_bind_show(spawn->processors, spawn->processors_count, launch->n);
    if (!uno_records_open(run))
        return EXIT_FAILURE;
    int status = raise_limit(run);
    if (!status)
        status = make_memory(run);
    if (status)
        return status;
    const char *why =
        launch->gang ? uno_turns_begin(&run->turns, launch->gang, run->job, run->child, launch->n) : NULL;
    if (why)
        return refuse(EXIT_FAILURE, "--gang: cannot take turns with other jobs: %s", why);
    if ((error = uno_output_open(&run->output, launch->n, launch->tag)) ||
        (error = uno_wrapped_open(&run->wrapped, launch->n)) || (error = uno_watch_open(run)))
        return refuse(EXIT_FAILURE, "cannot set up the job: %s", strerror(-error));
    return 0;
}

/* The path that a pattern means for PE k: %r is its number, %% a percent sign. NULL: no memory. *own: PE k
 * has this path for itself. */
static char *path_of(const char *pattern, int k, bool *own) {
    char *path = NULL;
    size_t length;
    FILE *f = open_memstream(&path, &length);
    *own = false;
    for (const char *c = pattern; f && *c; c++)
        if (c[0] == '%' && c[1] == 'r' && c++)
            *own = fprintf(f, "%d", k) > 0;
        else
            fputc(c[0] == '%' && c[1] == '%' ? *c++ : *c, f);
    return f && fclose(f) == 0 ? path : NULL;
}

/* A file of one PE, or of all that the pattern does not tell apart. */
static int open_file(const char *pattern, int k) {
    bool own;
    char *path = path_of(pattern, k, &own);
    int first = k == 0 || own ? O_TRUNC : 0;
    int fd = path ? open(path, O_WRONLY | O_CREAT | first | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        refuse(0, "cannot write %s for PE %d: %s", path ? path : pattern, k, strerror(errno));
    free(path);
    return fd;
}

/* Open the destination of PE k's output (which = 0) or errors (1). Returns a descriptor, or -1 after a
 * message. */
static int open_output(struct uno_run *run, int k, int which) {
    if (run->launch->file[which])
        return open_file(run->launch->file[which], k);
    if (!run->launch->out) {
        int fd = uno_output_pipe(&run->output, k, which);
        if (fd < 0)
            refuse(0, "cannot make a pipe for PE %d: %s", k, strerror(-fd));
        return fd;
    }
    char *path;
    if (asprintf(&path, "%s/%d.%s", run->launch->out, k, which ? "err" : "out") < 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        refuse(0, "--out %s: cannot write %s: %s", run->launch->out, path, strerror(errno));
    free(path);
    return fd;
}

/* A name that is not in PATH may be that of a file in this folder, as of a script. */
static const char *found_here(const char *program) {
    struct stat st;
    if (stat(program, &st) || !S_ISREG(st.st_mode))
        return "";
    return access(program, X_OK)
               ? "; there is a file of this name in this folder: say which program runs it, "
                 "as in python3 x.py"
               : "; there is a program of this name in this folder: put ./ before it";
}

/* The same for a file that may not be executed. */
static const char *not_executable(const char *program) {
    struct stat st;
    if (stat(program, &st))
        return "";
    if (S_ISDIR(st.st_mode))
        return "; it is a folder";
    return access(program, X_OK)
               ? "; it is not executable: say which program runs it, as in python3 x.py, or "
                 "make it executable (chmod +x)"
               : "";
}

/* Report why the program of PE k could not be started. Returns the exit status. */
static int refuse_program(const struct uno_part *part, int k, const char *what, int error) {
    const char *program = part->argv[0];
    bool path = strchr(program, '/');
    if (what == UNO_SPAWN_FOLDER)
        return refuse(EXIT_FAILURE, "PE %d: %s %s: %s", k, what, part->folder, strerror(error));
    if (what)
        return refuse(EXIT_FAILURE, "PE %d: %s: %s", k, what, strerror(error));
    if (error == ENOENT && path && access(program, F_OK) == 0)
        return refuse(UNO_EXIT_NOT_EXECUTABLE, "cannot run %s: its interpreter does not exist", program);
    if (error == ENOENT || error == ENOTDIR)
        return refuse(UNO_EXIT_NOT_FOUND, "cannot find the program %s%s%s", program, path ? "" : " in PATH",
                      path ? "" : found_here(program));
    return refuse(UNO_EXIT_NOT_EXECUTABLE, "cannot run %s: %s%s", program, strerror(error),
                  error == EACCES ? not_executable(program) : "");
}

/* Start the processes, unless the job has to end before all have started. */
static int start(struct uno_run *run) {
    const struct uno_unit_row *unit = run->launch->unit;
    int error = unit->process ? uno_hardware_start(run) : 0;
    if (error == -ENOENT)
        return refuse(EXIT_FAILURE,
                      "--unit %s: this Unisono was built without simulated units; they take Verilator",
                      unit->name);
    if (error)
        return refuse(EXIT_FAILURE, "--unit %s: cannot run %s: %s", unit->name, run->launch->hardware,
                      strerror(-error));
    for (int k = 0; k < run->launch->n && run->phase < UNO_TERMINATED; k++) {
        const char *what;
        int out = open_output(run, k, 0), err = out < 0 ? -1 : open_output(run, k, 1);
        pid_t pid = err < 0 ? 0 : uno_spawn(&run->spawn, k, out, err, &what);
        if (out >= 0)
            close(out);
        if (err < 0)
            return EXIT_FAILURE;
        close(err);
        if (pid < 0)
            return refuse_program(&run->launch->part[uno_spawn_part(&run->spawn, k)], k, what, -pid);
        run->child[k] = pid;
        uno_turns_born(&run->turns, k);
        run->alive++;
        uno_watch_step(run);
    }
    return 0;
}

static void release(struct uno_run *run) {
    uno_output_close(&run->output);
    uno_wrapped_close(&run->wrapped);
    uno_spawn_environment_free(&run->spawn);
    free(run->spawn.processors);
    uno_turns_free(&run->turns);
    uno_records_drop(run);
    uno_calls_free(run->calls);
    free(run->child);
    free(run->result);
    free(run->ended_open);
    free(run->made);
}

static int work(void *argument, const sigset_t *mask, pid_t command) {
    struct uno_run run = {.launch = argument,
                          .spawn.mask = *mask,
                          .command = command,
                          .stats.file = -1,
                          .trace.timeline.file = -1};
    open_standard();
    int status = prepare(&run);
    if (!status && !(status = start(&run)))
        status = uno_watch(&run);
    if (run.over && !uno_records_write(&run) && !status)
        status = EXIT_FAILURE;
    release(&run);
    if (run.signal)
        uno_end_by_signal(run.signal);
    return status;
}

/* Clean up after a launcher that was killed. The guard calls this. */
static void sweep(void *argument, pid_t launcher) {
    uno_records_sweep(argument, launcher);
}

int uno_launch(const struct uno_launch *launch) {
    return uno_guard("unisono run: the launcher", work, sweep, (void *)launch);
}
