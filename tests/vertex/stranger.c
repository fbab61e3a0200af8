/* A PE is killed and reaped, and before anyone knows a stranger has its process id. It has memory where the
 * PE had asked for a message, which must stay as it is.
 *
 * Each process of the launcher forks the PE, as a shell would. That of PE 1 stops the launcher, so that it
 * cannot say what has happened, and makes the stranger, which writes what has become of its memory into the
 * file that the command line names. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vertex.h>

#include "harness.h"

enum { BYTES = 100000, LATER_US = 100 * 1000, PATIENCE = 50, MESSAGES = 2 };

static char name[] = "stranger";
static char wanted[MESSAGES][BYTES];

static bool is_stranger(int pid) {
    char path[64], seen[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    FILE *file = fopen(path, "r");
    bool is = file && fgets(seen, sizeof seen, file) && strncmp(seen, name, strlen(name)) == 0;
    if (file)
        fclose(file);
    return is;
}

static void run(void) {
    static char data[BYTES];
    int sent, received[MESSAGES];
    p_init();
    int me = p_iproc(), pid = (int)p_putget32(getpid(), 1);
    nextend(1 - me);
    for (int i = 0; me == 1 && i < MESSAGES; i++)
        nrcvreq(wanted[i], BYTES, 0, &received[i]);
    p_wait();
    if (me == 1) {
        nwait(&received[0]);
        kill(getppid(), SIGUSR1);
        pause(); /* until that kills it */
    }
    memset(data, 1, BYTES);
    nsend(data, BYTES, 1, &sent);
    nwait(&sent);
    for (double end = test_now() + PATIENCE; !is_stranger(pid) && test_now() < end;)
        usleep(1000);
    usleep(LATER_US);
    nsend(data, BYTES, 1, &sent);
    kill(pid, SIGUSR1);
    pause();
}

static void say(const char *path, const char *word) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, word, strlen(word)) < 0)
        perror(path);
    close(file);
}

static void be_stranger(const char *path, const sigset_t *awaited) {
    const struct timespec limit = {PATIENCE, 0};
    prctl(PR_SET_NAME, name);
    if (sigtimedwait(awaited, NULL, &limit) < 0)
        say(path, "nobody has come");
    else
        say(path, memchr(wanted, 1, sizeof wanted) ? "written" : "untouched");
    _exit(0);
}

/* Take the place of the PE whose process was this one. */
static void replace(pid_t pe, const char *path, const sigset_t *awaited) {
    kill(getppid(), SIGSTOP);
    kill(pe, SIGKILL);
    waitpid(pe, NULL, 0);
    struct clone_args how = {.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&pe, .set_tid_size = 1};
    long stranger = syscall(SYS_clone3, &how, sizeof how);
    if (stranger == 0)
        be_stranger(path, awaited);
    if (stranger < 0)
        say(path, "not allowed"); /* to choose a process id */
    else
        waitpid(pe, NULL, 0);
    kill(getppid(), SIGCONT);
}

int main(int argc, char **argv) {
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR1);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, NULL);
    pid_t pe = fork();
    if (argc != 2 || pe < 0)
        return TEST_FAILED;
    if (pe == 0)
        run();
    int signal = 0;
    sigwait(&awaited, &signal);
    if (signal == SIGUSR1)
        replace(pe, argv[1], &awaited);
    else
        waitpid(pe, NULL, 0);
    return TEST_FAILED; /* the job has: what counts is in the file */
}
