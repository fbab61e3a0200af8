#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "harness.h"
#include "misuse.h"

/* Every PE must end within a second of the mistake; the least of several tries counts, since a machine may be
 * busy. */
#define LIMIT_SECONDS (1.0 * TEST_SLOW)
enum { TRIES = 5 };

/* Several machines take longer to start, and a PE that has left is believed to be gone only when nothing that
 * it sent can still come. */
#define HOSTS_SECONDS (5.0 * TEST_SLOW)

static bool only_messages(const char *text) {
    while (*text) {
        if (strncmp(text, "unisono", strlen("unisono")) != 0)
            return false;
        const char *end = strchr(text, '\n');
        if (!end)
            return false;
        text = end + 1;
    }
    return true;
}

/* Take the names of hosts or tiles out of messages, "PE 1 on node2" or "PE 1 on tile 1,0", which those of PEs
 * that share memory lack. */
static void forget_hosts(char *text) {
    static const char *const names[] = {" on node2", " on tile 1,0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char mark[16];
        snprintf(mark, sizeof mark, "%.8s", names[i]);
        for (char *at = text; (at = strstr(at, mark));)
            memmove(at, at + strlen(names[i]), strlen(at + strlen(names[i])) + 1);
    }
}

/* Return true if a mistake is told otherwise between machines or tiles: the reader of an extended message
 * finds what its writer finds within one; a message comes later than what it is compared with; or a survivor
 * still sleeps when its job is over, since PEs start at different times. */
static bool is_near(const struct misuse *m) {
    static const char *const names[] = {"much-longer",    "long-but-shorter", "not-requested-long",
                                        "requested-late", "extend-unread",    "tired"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(m->name, names[i]) == 0)
            return true;
    return false;
}

enum verdict { RIGHT, LATE, WRONG };

static enum verdict judge(const struct misuse *m, const struct child *c, bool team, bool hosts) {
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof m->expect / sizeof *m->expect; i++)
        if (m->expect[i] && !(team && i == SURVIVOR) && !strstr(c->error, m->expect[i]))
            wrong = m->expect[i];
    bool late = c->seconds > m->delay + LIMIT_SECONDS + (hosts ? HOSTS_SECONDS : 0);
    if (late)
        printf("misuse: %s: %.3f s is late\n", m->name, c->seconds);
    if (!wrong && c->status == 1 && only_messages(c->error))
        return late ? LATE : RIGHT;
    printf("misuse: %s: %s%s, exit status %d (expected 1), %.3f s; standard error:\n%s\n", m->name,
           wrong                     ? "lacks: "
           : only_messages(c->error) ? "message is right"
                                     : "has lines that are no message",
           wrong ? wrong : "", c->status, c->seconds, c->error);
    return WRONG;
}

static bool drive(const struct misuse *m, const char *program, char **words) {
    enum { MOST = 16 };
    char *argv[MOST + 2], n[16];
    int argc = 0;
    bool team = strcmp(*words, "{PROGRAM}") == 0, hosts = false;
    snprintf(n, sizeof n, "%d", m->pes);
    for (; *words && argc < MOST; words++) {
        hosts |= strcmp(*words, "--hostfile") == 0 || strncmp(*words, "mesh", 4) == 0;
        argv[argc++] = strcmp(*words, "{N}") == 0         ? n
                       : strcmp(*words, "{PROGRAM}") == 0 ? (char *)program
                                                          : *words;
    }
    if (hosts && is_near(m)) {
        printf("skipped: %s, which is told otherwise where PEs share no memory\n", m->name);
        return true;
    }
    argv[argc++] = (char *)m->name;
    argv[argc] = NULL;
    static struct child child;
    enum verdict verdict = LATE;
    for (int i = 0; i < TRIES && verdict == LATE; i++) {
        child_run(&child, argv, NULL, NULL);
        if (hosts)
            forget_hosts(child.error);
        verdict = judge(m, &child, team, hosts);
    }
    return verdict == RIGHT;
}

/* Run every step-th case, from number `first` on, among those with `least` to `most` PEs. Return how many go
 * wrong. */
static int drive_some(const char *program, char **words, int least, int most, int first, int step) {
    int wrong = 0, number = 0;
    for (int i = 0; i < misuse_count; i++)
        if (misuses[i].pes >= least && misuses[i].pes <= most && number++ % step == first)
            wrong += !drive(&misuses[i], program, words);
    return wrong;
}

/* Run every case on the unit whose start is given as words, in which {N} and {PROGRAM} are replaced. The
 * first word may be most=N: the unit has no more PEs. Cases of few PEs, which do little but wait, run several
 * at once. */
static int drive_all(const char *program, char **words) {
    enum { FEW = 8, AT_ONCE = 4 };
    int wrong = 0, cases = 0, most = TEST_MAX_PES, status;
    pid_t drivers[AT_ONCE];
    words += sscanf(*words, "most=%d", &most) == 1;
    fflush(NULL);
    for (int k = 0; k < AT_ONCE; k++) {
        drivers[k] = fork();
        if (drivers[k] < 0) {
            perror("fork");
            return TEST_FAILED;
        }
        if (drivers[k] == 0)
            exit(drive_some(program, words, 1, most < FEW ? most : FEW, k, AT_ONCE));
    }
    for (int k = 0; k < AT_ONCE; k++)
        wrong += waitpid(drivers[k], &status, 0) < 0 || !WIFEXITED(status) ? 1 : WEXITSTATUS(status);
    wrong += drive_some(program, words, FEW + 1, most, 0, 1);
    for (int i = 0; i < misuse_count; i++)
        cases += misuses[i].pes <= most;
    printf("misuse: %d cases, %d wrong\n", cases, wrong);
    return wrong ? TEST_FAILED : TEST_PASSED;
}

static int body(void *unused) {
    (void)unused;
    for (int i = 0; i < misuse_count; i++)
        if (test.word && strcmp(misuses[i].name, test.word) == 0) {
            misuses[i].body(p_iproc());
            return TEST_PASSED;
        }
    test_fail("no case %s", test.word ? test.word : "named");
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "drive") == 0)
        return drive_all(argv[0], argv + 2);
    return test_run(argc, argv, body);
}
