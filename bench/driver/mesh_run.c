/* The runs on the simulated chip: what a run prints goes into files without a name. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/here.h"
#include "failure.h"
#include "mesh_part.h"
#include "progress.h"

enum { WORDS = 16, LOOK_NS = 2000000 };

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

static _Noreturn void become(char *const argv[], const int output[2], pid_t driver) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != driver)
        _exit(1);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(output[0], 1);
    dup2(output[1], 2);
    execv(argv[0], argv);
    fprintf(stderr, "%s: %m\n", argv[0]);
    _exit(127);
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

double mesh_run(const char *side, int pes, const char *const *words, char **output) {
    char unisono[4096], name[64], program[4096], n[16];
    const char *argv[WORDS] = {unisono, "run", "--unit", "mesh=4x4", "-n", n, "--count", program};
    int at = 8, files[2] = {memfd_create("output", MFD_CLOEXEC), memfd_create("errors", MFD_CLOEXEC)};
    here_path(unisono, sizeof unisono, UNO_BIN, "unisono");
    snprintf(name, sizeof name, "bench-mesh-%s", side);
    here_path(program, sizeof program, ".", name);
    snprintf(n, sizeof n, "%d", pes);
    while (*words && at < WORDS - 1)
        argv[at++] = *words++;
    pid_t driver = getpid(), run = files[0] < 0 || files[1] < 0 ? -1 : fork();
    if (run < 0)
        bench_fail("cannot start %s: %m", unisono);
    if (run == 0)
        become((char *const *)argv, files, driver);
    int status = await(run);
    *output = text_of(files[0]);
    char *errors = text_of(files[1]), *found = strstr(errors, "mesh: ");
    double clocks = found ? strtod(found + strlen("mesh: "), NULL) : 0;
    if (status || clocks <= 0)
        bench_fail("%s %s %s with %d PEs broke off%s%s", name, argv[8], argv[9], pes,
                   *errors ? ". It printed:\n" : ", without a word", errors);
    free(errors);
    return clocks;
}
