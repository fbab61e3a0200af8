/* The runs on the simulated chip: what a run prints goes into files without a name. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/here.h"
#include "child.h"
#include "failure.h"
#include "mesh_part.h"
#include "progress.h"

enum { LOOK_NS = 2000000 };

static int rows_begun, rows_all;

void mesh_progress_begin(int rows) {
    rows_all = rows;
}

void mesh_progress(const struct mesh_part *part, int size, int pes) {
    bench_progress(rows_begun++, rows_all, "%s %d, %d PEs", part->word, size, pes);
}

void mesh_progress_end(void) {
    bench_progress(rows_all, rows_all, " ");
}

/* Wait for the end of a run, and end it if this program is interrupted. Returns its status. */
static int await(pid_t run) {
    int status;
    pid_t ended;
    while ((ended = waitpid(run, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (bench_interrupted) {
            kill(run, SIGTERM);
            while (waitpid(run, &status, 0) < 0 && errno == EINTR)
                continue;
            bench_fail("interrupted");
        }
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return status;
}

/* The text of a file, without a last newline. */
static char *text_of(int file) {
    off_t size = lseek(file, 0, SEEK_END);
    char *text = calloc((size_t)size + 1, 1);
    if (!text || pread(file, text, (size_t)size, 0) != size)
        bench_fail("cannot read what a run printed: %m");
    close(file);
    if (size && text[size - 1] == '\n')
        text[size - 1] = 0;
    return text;
}

double mesh_run(const struct mesh_part *part, const char *side, int pes, int size, int times, char **output) {
    char unisono[4096], name[64], program[4096], n[16], of_size[16], of_times[16];
    const char *argv[] = {unisono,   "run",   "--unit",   "mesh=4x4", "-n",     n,
                          "--count", program, part->word, of_size,    of_times, NULL};
    int files[2] = {memfd_create("output", MFD_CLOEXEC), memfd_create("errors", MFD_CLOEXEC)};
    here_path(unisono, sizeof unisono, UNO_BIN, "unisono");
    snprintf(name, sizeof name, "bench-mesh-%s", side);
    here_path(program, sizeof program, ".", name);
    snprintf(n, sizeof n, "%d", pes);
    snprintf(of_size, sizeof of_size, "%d", size);
    snprintf(of_times, sizeof of_times, "%d", times);
    pid_t driver = getpid(), run = files[0] < 0 || files[1] < 0 ? -1 : fork();
    if (run < 0)
        bench_fail("cannot start %s: %m", unisono);
    if (run == 0)
        bench_become((char *const *)argv, driver, files[0], files[1]);
    int status = await(run);
    *output = text_of(files[0]);
    char *errors = text_of(files[1]), *found = strstr(errors, "mesh: ");
    double clocks = found ? strtod(found + strlen("mesh: "), NULL) : 0;
    if (status || clocks <= 0)
        bench_fail("%s %s %d with %d PEs broke off%s%s", name, part->word, size, pes,
                   *errors ? ". It printed:\n" : ", without a word", errors);
    free(errors);
    return clocks;
}
