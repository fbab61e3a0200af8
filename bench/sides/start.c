#include "start.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol.h"

struct member {
    pthread_t thread;
    int me, n;
    int (*body)(int me, int n);
};

static void *run_thread(void *argument) {
    struct member *m = argument;
    m->body(m->me, m->n);
    return NULL;
}

static int start_threads(int n, int (*body)(int me, int n)) {
    struct member m[BENCH_MAX_PES];
    for (int k = 0; k < n; k++) {
        m[k] = (struct member){.me = k, .n = n, .body = body};
        if (pthread_create(&m[k].thread, NULL, run_thread, &m[k])) {
            fprintf(stderr, "bench worker: cannot start thread %d of %d\n", k + 1, n);
            return 1;
        }
    }
    for (int k = 0; k < n; k++)
        pthread_join(m[k].thread, NULL);
    return 0;
}

static int start_processes(int n, int (*body)(int me, int n)) {
    for (int k = 0; k < n; k++) {
        pid_t pid = fork();
        if (pid < 0) {
            perror("bench worker: fork");
            return 1;
        }
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(body(k, n));
        }
    }
    int status, worst = 0;
    while (wait(&status) > 0)
        worst |= status != 0;
    return worst;
}

int bench_start(int n, bool threads, int (*body)(int me, int n)) {
    return threads ? start_threads(n, body) : start_processes(n, body);
}
