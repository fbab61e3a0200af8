/* unisono run: start the processes of a parallel program. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot/environment.h"
#include "commands.h"
#include "engine/job.h"
#include "engine/processors.h"

int command_run(int argc, char **argv) {
    int n = argc > 3 && strcmp(argv[1], "-n") == 0 ? atoi(argv[2]) : 0;
    if (n < 1 || n > UNO_MAX_PES) {
        fprintf(stderr, "usage: unisono run -n N program [argument ...]\n");
        return 2;
    }
    int fd = memfd_create("unisono", 0);
    size_t size = uno_job_size(n);
    struct uno_job *job = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)size) == 0)
        job = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (job == MAP_FAILED) {
        perror("unisono run");
        return 1;
    }
    uno_job_format(job, n, uno_processors());
    for (int k = 0; k < n; k++)
        if (fork() == 0) {
            char value[32];
            snprintf(value, sizeof value, "%d,%d", fd, k);
            setenv(UNO_ENVIRONMENT, value, 1);
            execvp(argv[3], argv + 3);
            perror(argv[3]);
            _exit(127);
        }
    int status, worst = 0;
    while (wait(&status) > 0) {
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        worst = code > worst ? code : worst;
    }
    return worst;
}
