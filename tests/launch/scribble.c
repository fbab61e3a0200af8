/* scribble PATTERN PART: the last PE writes over the job's memory: bytes of ff or 00, or random ones, over
 * all of it ("all") or all but the header ("boards"). Then everybody waits to be ended. Or PATTERN is "more",
 * and the header has far more PEs at every other moment; or "pid", and every PE is the process PART. */

#define _GNU_SOURCE
#include <papers.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/job.h"

enum { MOST = 8 << 20 }; /* the rest is sparse, and large */

static void say(void) {
    if (write(STDOUT_FILENO, "scribbled\n", 10) != 10)
        _exit(3);
}

static _Noreturn void have_more(struct uno_job *job) {
    int n = job->n, words = job->words;
    say();
    for (;;) {
        job->n = UNO_MAX_PES;
        job->words = UNO_WORDS;
        usleep(20);
        job->n = n;
        job->words = words;
        usleep(20);
    }
}

static void scribble(const char *pattern, const char *part) {
    int fd = atoi(getenv("UNISONO_JOB"));
    struct stat st;
    if (fstat(fd, &st))
        _exit(3);
    size_t size = st.st_size < MOST ? (size_t)st.st_size : MOST;
    unsigned char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        _exit(3);
    struct uno_job *job = (struct uno_job *)(void *)memory;
    if (!strcmp(pattern, "more"))
        have_more(job);
    if (!strcmp(pattern, "pid")) {
        for (int k = 0; k < job->n; k++)
            job->board[k].pid = atoi(part);
        say();
        return;
    }
    for (size_t i = strcmp(part, "all") ? offsetof(struct uno_job, board) : 0; i < size; i++)
        memory[i] = pattern[0] == 'r' ? (unsigned char)random() : pattern[0] == 'f' ? 0xff : 0;
    say();
}

/* An operation that the others have left when the last PE returns from here: each of them tells it, by a
 * signal that is queued. */
static void meet(void) {
    int last = p_nproc() - 1;
    sigset_t left;
    sigemptyset(&left);
    sigaddset(&left, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &left, NULL);
    int32_t pid = p_putget32(getpid(), last);
    if (p_iproc() < last && sigqueue(pid, SIGRTMIN, (union sigval){0}))
        _exit(3);
    for (int k = 0; p_iproc() == last && k < last; k++)
        while (sigwaitinfo(&left, NULL) < 0)
            ;
}

int main(int argc, char **argv) {
    p_init();
    meet();
    if (argc > 2 && p_iproc() == p_nproc() - 1)
        scribble(argv[1], argv[2]);
    for (;;)
        pause();
}
