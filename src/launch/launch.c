/* The life of a job: set up, start, watch, end. */

#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind.h"
#include "files.h"
#include "guard.h"
#include "hardware.h"
#include "memory.h"
#include "node.h"
#include "refuse.h"
#include "unit/unit.h"
#include "watch.h"

enum { OTHER_FILES = 32 }; /* descriptors besides the pipes */

/* Open standard input, output and error where they are closed, so that no pipe takes their places. */
static void open_standard(void) {
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    close(fd);
}

/* Raise the limit of open files: two pipes for each PE may be more than usual. */
static int raise_limit(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    struct rlimit *before = &run->spawn.files, now;
    rlim_t pes = (rlim_t)uno_node_pes(launch), need = pes * (launch->out ? 0 : 2) + OTHER_FILES;
    rlim_t wanted = need + pes; /* to watch those below wrappers */
    if (getrlimit(RLIMIT_NOFILE, before))
        return uno_refuse(EXIT_FAILURE, "cannot read the limit of open files: %s", strerror(errno));
    now = *before;
    if (before->rlim_cur >= wanted)
        return 0;
    now.rlim_cur = before->rlim_max < wanted ? before->rlim_max : wanted;
    if (before->rlim_max < need || setrlimit(RLIMIT_NOFILE, &now))
        return uno_refuse(EXIT_FAILURE,
                          "the output of %d PEs needs %llu open files, and the hard limit is %llu; raise it "
                          "(ulimit -Hn) or use --out",
                          (int)pes, (unsigned long long)need, (unsigned long long)before->rlim_max);
    return 0;
}

static int prepare(struct uno_run *run) {
    struct uno_spawn *spawn = &run->spawn;
    const struct uno_launch *launch = run->launch;
    spawn->launch = launch;
    spawn->launcher = getpid();
    spawn->pipe = signal(SIGPIPE, SIG_IGN);
    spawn->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (spawn->null < 0)
        return uno_refuse(
            EXIT_FAILURE,
            "cannot open /dev/null, which all PEs but 0 read: %s; a container or chroot needs a /dev "
            "(mount --bind /dev ROOT/dev)",
            strerror(errno));
    run->child = calloc((size_t)launch->n, sizeof *run->child);
    run->result = calloc((size_t)launch->n, sizeof *run->result);
    run->ended_open = calloc((size_t)launch->n, sizeof *run->ended_open);
    run->addressed = calloc((size_t)launch->n, sizeof *run->addressed);
    run->made = malloc(sizeof *run->made);
    bool memory = run->child && run->result && run->ended_open && run->addressed && run->made;
    bool files = pipe2(run->lifeline, O_CLOEXEC) == 0;
    int error = !files ? -errno : memory ? uno_spawn_environment(spawn) : -ENOMEM;
    if (!error && launch->node && !(error = launch->node->open(launch->node)))
        spawn->input = launch->node->input >= 0 ? launch->node->input : spawn->null;
    if (error)
        return uno_refuse(EXIT_FAILURE, "cannot set up the job: %s", strerror(-error));
    if (!uno_files_folder(launch))
        return EXIT_FAILURE;
    if (launch->bind && (spawn->processors_count = uno_bind_order(&spawn->processors)) < 0)
        return uno_refuse(EXIT_FAILURE, "--bind: cannot find out the processors: %s",
                          strerror(-spawn->processors_count));
    if (launch->show_bindings)
        uno_bind_show(spawn->processors, spawn->processors_count, launch);
    if (!uno_records_open(&run->records, launch))
        return EXIT_FAILURE;
    spawn->trace = run->records.trace.events;
    int status = raise_limit(run);
    if (!status)
        status = uno_memory_make(run);
    if (status)
        return status;
    const char *why =
        launch->gang ? uno_turns_begin(&run->turns, launch->gang, run->job, run->child, launch->n) : NULL;
    if (why)
        return uno_refuse(EXIT_FAILURE, "--gang: cannot take turns with other jobs: %s", why);
    if ((error = uno_output_open(&run->output, launch->n, launch->tag)) ||
        (error = uno_wrapped_open(&run->wrapped, launch->n)) || (error = uno_watch_open(run)))
        return uno_refuse(EXIT_FAILURE, "cannot set up the job: %s", strerror(-error));
    if (launch->node) {
        run->output.forward = launch->node->output;
        run->output.room = launch->node->room;
        run->output.to = launch->node;
    }
    return 0;
}

/* Open the destination of PE k's output (which = 0) or errors (1). Returns a descriptor, or -1 after a
 * message. */
static int open_output(struct uno_run *run, int k, int which) {
    if (uno_files_wanted(run->launch, which))
        return uno_files_open(run->launch, k, which);
    int fd = uno_output_pipe(&run->output, k, which);
    if (fd < 0)
        uno_refuse(0, "cannot make a pipe for PE %d: %s", k, strerror(-fd));
    return fd;
}

/* Start the processes, unless the job has to end before all have started. */
static int start(struct uno_run *run) {
    const struct uno_unit_row *unit = run->launch->unit;
    int error = unit->process ? uno_hardware_start(run) : 0;
    if (error == -ENOENT)
        return uno_refuse(EXIT_FAILURE,
                          "--unit %s: this Unisono was built without simulated units; they take Verilator",
                          unit->name);
    if (error)
        return uno_refuse(EXIT_FAILURE, "--unit %s: cannot run %s: %s", unit->name, run->launch->hardware,
                          strerror(-error));
    for (int k = 0; k < run->launch->n && run->phase < UNO_TERMINATED; k++) {
        const char *what;
        if (!uno_node_has(run->launch, k))
            continue;
        int out = open_output(run, k, 0), err = out < 0 ? -1 : open_output(run, k, 1);
        pid_t pid = err < 0 ? 0 : uno_spawn(&run->spawn, k, out, err, &what);
        if (out >= 0)
            close(out);
        if (err < 0)
            return EXIT_FAILURE;
        close(err);
        if (pid < 0)
            return uno_refuse_program(&run->launch->part[uno_spawn_part(run->launch, k)], k, what, -pid);
        run->child[k] = pid;
        uno_turns_born(&run->turns, k);
        run->alive++;
        uno_watch_step(run);
    }
    if (run->launch->node)
        run->launch->node->begun(run->launch->node);
    return 0;
}

static void release(struct uno_run *run) {
    uno_output_close(&run->output);
    uno_wrapped_close(&run->wrapped);
    uno_spawn_environment_free(&run->spawn);
    free(run->spawn.processors);
    uno_turns_free(&run->turns);
    uno_records_close(&run->records);
    free(run->child);
    free(run->result);
    free(run->ended_open);
    free(run->addressed);
    free(run->made);
}

static int work(void *argument, const sigset_t *mask, pid_t command) {
    const struct uno_launch *launch = argument;
    struct uno_run run = {.launch = launch,
                          .spawn.mask = *mask,
                          .spawn.input = STDIN_FILENO,
                          .command = command,
                          .records = UNO_RECORDS_NONE};
    open_standard();
    int status = prepare(&run);
    if (!status && !(status = start(&run)))
        status = uno_watch(&run);
    if (run.over && !launch->node && !uno_records_write(&run.records, uno_watch_interrupted, &run) && !status)
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
