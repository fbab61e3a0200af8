#define _GNU_SOURCE
#include "map.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine/kernel.h"

static struct uno_job *map(int fd) {
    struct uno_job header;
    if (pread(fd, &header, sizeof header, 0) != sizeof header || header.magic != UNO_MAGIC ||
        !header.ports_at)
        return NULL;
    void *memory = mmap(NULL, uno_job_mapped(&header), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void uno_hardware_begin(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* a terminal sends it to all; the launcher ends this process */
    uno_kernel_start();
}

struct uno_job *uno_hardware_map(int argc, char **argv) {
    struct uno_job *job = argc == 2 ? map(atoi(argv[1])) : NULL;
    if (!job) {
        fprintf(stderr,
                "unisono: the hardware is no program to call; it is started by `unisono run --unit`\n");
        exit(EXIT_FAILURE);
    }
    return job;
}
