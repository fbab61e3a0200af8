/* PEs that the kernel has put on one processor, while another one is idle, spread by themselves; the first
 * ones stay, and all of them if strangers run. The job is a piece of memory here, in which this process says
 * where its PEs are. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "engine/processors.h"
#include "engine/spread.h"
#include "engine/start.h"

enum {
    PES = 4,
    ON_ONE = PES / 2,
    ROUNDS = 8,
    PATIENCE = 1000,
    LIFE = 60,
    PASSED = 0,
    FAILED = 1,
    SKIPPED = 77
};

static struct uno_pe *pe;

static bool calm(void) {
    return uno_kernel_running() <= PES;
}

/* Let all PEs be on this processor; this one, which is due to look, looks. Return true if it has moved
 * away. */
static bool goes(int me) {
    uint32_t here = uno_kernel_processor();
    for (int k = 0; k < PES; k++)
        uno_store32_relaxed(&pe->processor[k], here);
    pe->me = me;
    pe->spread = 0;
    uno_spread(pe, here);
    return uno_load32_relaxed(&pe->processor[me]) != here && uno_kernel_processor() != here;
}

/* A process that runs until it is killed, or this one has been for long. */
static pid_t start_stranger(void) {
    pid_t pid = fork();
    if (pid < 0) {
        perror("fork");
        exit(FAILED);
    }
    if (!pid) {
        alarm(LIFE);
        for (;;)
            ;
    }
    return pid;
}

/* While strangers run no PE goes, as far as this process is not moved by others: most of the time. */
static int gone_among_strangers(void) {
    pid_t stranger[PES + 1];
    int gone = 0;
    for (int i = 0; i <= PES; i++)
        stranger[i] = start_stranger();
    for (int i = 0; i < PATIENCE && calm(); i++)
        uno_kernel_pause(1000 * 1000);
    for (int i = 0; i < ROUNDS; i++)
        gone += goes(PES - 1);
    for (int i = 0; i <= PES; i++) {
        kill(stranger[i], SIGKILL);
        waitpid(stranger[i], NULL, 0);
    }
    return gone;
}

static int failed(const char *what, int count) {
    printf("%s: %d of %d times\n", what, count, ROUNDS);
    return FAILED;
}

int main(void) {
    static uint64_t memory[1 << 16] __attribute__((aligned(4096)));
    struct uno_job *job = (struct uno_job *)memory;
    int gone = 0, looked = 0;
    if (uno_job_size(PES, 0) > sizeof memory)
        return failed("a job has room here", 0);
    if (uno_processors() < 2) {
        printf("skipped: one processor: there is nowhere to go\n");
        return SKIPPED;
    }
    uno_job_format(job, PES, PES / ON_ONE, 0);
    if (!(pe = uno_pe_start_here(job, 0)))
        return FAILED;
    for (int me = 0; me < ON_ONE; me++)
        for (int i = 0; i < ROUNDS; i++) {
            goes(me);
            if (pe->spread)
                return failed("one of the first has looked for another processor", i);
        }
    for (int i = 0; i < PATIENCE && looked < ROUNDS; i++) {
        bool before = calm(), went = before && goes(PES - 1);
        if (before && (went || calm())) {
            looked++;
            gone += went;
        } else {
            uno_kernel_pause(5 * 1000 * 1000);
        }
    }
    if (looked < ROUNDS) {
        printf("skipped: other programs run all the time\n");
        return SKIPPED;
    }
    if (gone < ROUNDS - 2)
        return failed("the last one goes to an idle processor", gone);
    int wrong = gone_among_strangers();
    if (wrong > ROUNDS / 2)
        return failed("it goes to a processor where strangers run", wrong);
    return PASSED;
}
