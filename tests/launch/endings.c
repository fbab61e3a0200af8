/* endings CASE: ways to end that are not p_exit or an error.
 *
 *     handler        a PE fails, and so does its exit handler
 *     handler-wait   likewise, in an operation; all PEs
 *     team-handler   likewise, in a team of threads
 *     before         likewise, in a program that is no PE
 *     team-exit      a member of a team ends its thread
 *     half-said      the last PE is killed while it records its failure */

#define _GNU_SOURCE
#include <papers.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/job.h"

static void fail(void) {
    p_error("the handler has failed, too");
}

static void wait(void) {
    p_wait();
}

static int fail_as_member(void *unused) {
    (void)unused;
    if (p_iproc() == 1)
        p_error("a member has failed");
    p_wait();
    return 0;
}

static int end_thread(void *unused) {
    (void)unused;
    if (p_iproc() == 1)
        pthread_exit(NULL);
    p_wait();
    return 0;
}

/* The job's memory. */
static struct uno_job *job(void) {
    int fd = atoi(getenv("UNISONO_JOB"));
    void *memory = mmap(NULL, sizeof(struct uno_job), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void be_killed(void) {
    if (p_iproc() == p_nproc() - 1) {
        uno_store32_release(&job()->fault, UNO_FAULT_OF + (uint32_t)p_iproc());
        raise(SIGKILL);
    }
    p_wait();
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strstr(what, "handler"))
        atexit(strcmp(what, "handler-wait") ? fail : wait);
    if (!strcmp(what, "team-handler"))
        return p_team(3, fail_as_member, NULL);
    if (!strcmp(what, "team-exit"))
        return p_team(3, end_thread, NULL);
    if (!strcmp(what, "before")) {
        atexit(fail);
        p_error("this is no PE");
    }
    p_init();
    p_wait();
    if (!strcmp(what, "half-said"))
        be_killed();
    p_error("the program has failed");
}
