/* looker unisono run ...: run that job, which is correct, and look all the time for a deadlock. The launcher
 * looks ten times a second; this program looks as often as it can, and so at nearly each moment at which a
 * look could be mistaken. It fails if one is, or if the job fails. */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/jobs.h"
#include "launch/deadlock.h"
#include "rng.h"

enum { SKIPPED = 77 };

static struct uno_job *find(struct jobs *jobs, pid_t launcher, struct uno_mail **mail) {
    jobs_free(jobs);
    if (!jobs_find(jobs, 0, "looker"))
        return NULL;
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->found[i].job->launcher == launcher) {
            *mail = &jobs->found[i].mail;
            return jobs->found[i].job;
        }
    return NULL;
}

static bool all_rest(struct uno_job *job) {
    for (int k = 0; k < job->n; k++)
        if (uno_load64_relaxed(&uno_job_rest(job, job->n, k)->number) % 2 == 0)
            return false;
    return true;
}

/* Return true if a look finds a deadlock, although the job will end well. */
static bool mistaken(struct uno_job *job, const struct uno_mail *mail) {
    int *waits_for = uno_deadlock(job, mail);
    if (!waits_for)
        return false;
    printf("looker: ");
    uno_deadlock_cycle(stdout, job->n, waits_for);
    printf("\n");
    free(waits_for);
    return true;
}

struct looks {
    pthread_t thread;
    struct uno_job *job;
    const struct uno_mail *mail;
    unsigned long count, resting, mistaken;
};

static uno_atomic32 over;

static void *look_on(void *argument) {
    struct looks *looks = argument;
    while (!uno_load32_relaxed(&over)) {
        looks->count++;
        looks->resting += all_rest(looks->job);
        looks->mistaken += mistaken(looks->job, looks->mail);
    }
    return NULL;
}

/* Stop one process of the job after the other for some milliseconds, until the job ends. While a process is
 * stopped the others come to rest, although the event that it waits for has happened, or it still has
 * something to write. */
static void delay(const struct uno_job *job, pid_t pid, int *status) {
    struct rng chance = rng_for(1, 2, 3, 4);
    while (waitpid(pid, status, WNOHANG) == 0) {
        const struct uno_board *board = &job->board[rng_below(&chance, job->n)];
        if (uno_load32_relaxed(&board->state) == UNO_JOINED && kill(board->pid, SIGSTOP) == 0) {
            usleep(2000 + (useconds_t)rng_below(&chance, 4000));
            kill(board->pid, SIGCONT);
        }
        usleep(300);
    }
}

static struct looks look(struct uno_job *job, const struct uno_mail *mail, pid_t pid, int *status) {
    struct looks looks = {.job = job, .mail = mail};
    pthread_create(&looks.thread, NULL, look_on, &looks);
    delay(job, pid, status);
    uno_store32_relaxed(&over, 1);
    pthread_join(looks.thread, NULL);
    return looks;
}

int main(int argc, char **argv) {
    struct jobs jobs = {0};
    struct uno_job *job = NULL;
    struct uno_mail *mail = NULL;
    int status = 0;
    pid_t pid = argc > 1 ? fork() : -1;
    if (pid == 0)
        execvp(argv[1], argv + 1);
    if (pid <= 0)
        return 2;
    while (!job && waitpid(pid, &status, WNOHANG) == 0)
        job = find(&jobs, pid, &mail);
    if (!job) {
        printf("skipped: the job ended before it was found\n");
        return SKIPPED;
    }
    struct looks looks = look(job, mail, pid, &status);
    printf("looker: %lu looks, %lu of them while all PEs rested, %lu mistaken\n", looks.count, looks.resting,
           looks.mistaken);
    jobs_free(&jobs);
    return status || looks.mistaken;
}
