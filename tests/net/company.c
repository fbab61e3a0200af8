/* Members as threads and as processes. */

#include "company.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void pause_for(double seconds) {
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&t, &t) && errno == EINTR)
        ;
}

void fail(const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "net: %s\n", text);
    _exit(1);
}

bool go_on(struct member *m) {
    struct uno_net_event event;
    if (!m->kind->poll(m->net, &event))
        return false;
    if (event.what == UNO_NET_ARRIVED ? !m->arrived : !m->ended)
        fail("member %d: an event of kind %d that nobody awaits: %s", m->me, event.what,
             event.text ? event.text : "");
    if (event.what == UNO_NET_ARRIVED)
        m->arrived(m, &event);
    else
        m->ended(m, &event);
    return true;
}

void meet(struct member *m) {
    uno_add32_seq_cst(&m->company->arrivals, 1);
    uint32_t all = ++m->meetings * (uint32_t)m->company->members;
    while (uno_load32_acquire(&m->company->arrivals) < all)
        if (!m->net || !go_on(m))
            pause_for(1e-5);
}

void send_patiently(struct member *m, int to, const struct iovec *parts, int count, void *context) {
    int error;
    while ((error = m->kind->send(m->net, m->peer[to], parts, count, context)) == -EAGAIN)
        go_on(m);
    if (error)
        fail("member %d cannot send: %s", m->me, strerror(-error));
}

void leave(struct member *m) {
    m->kind->close(m->net);
    m->net = NULL;
}

static void *member(void *argument) {
    struct member *m = argument;
    struct company *company = m->company;
    char error[UNO_NET_ERROR];
    m->net = m->kind->open(&company->wishes, error);
    if (!m->net)
        fail("%s", error);
    company->address_bytes[m->me] = m->kind->address(m->net, company->address[m->me]);
    meet(m);
    for (int k = 0; k < company->members; k++)
        if (k != m->me)
            CHECK(m->kind->name_peer(m->net, company->address[k], company->address_bytes[k], &m->peer[k]) ==
                  0);
    company->body(m);
    if (m->net)
        leave(m);
    return NULL;
}

static void run_threads(struct member *members, int count) {
    pthread_t threads[MEMBERS];
    for (int k = 0; k < count; k++)
        CHECK(pthread_create(&threads[k], NULL, member, &members[k]) == 0);
    for (int k = 0; k < count; k++)
        pthread_join(threads[k], NULL);
}

static void run_processes(struct member *members, int count) {
    pid_t pids[MEMBERS];
    fflush(stdout);
    for (int k = 0; k < count; k++) {
        pids[k] = fork();
        CHECK(pids[k] >= 0);
        if (pids[k] == 0) {
            alarm(SECONDS);
            member(&members[k]);
            _exit(0);
        }
    }
    bool failed = false;
    for (int k = 0; k < count; k++) {
        int status;
        CHECK(wait(&status) > 0);
        if (status && !failed)
            for (int i = 0; i < count; i++)
                kill(pids[i], SIGKILL); /* they would wait for it */
        if (WIFSIGNALED(status) && !failed)
            fprintf(stderr, "net: a member was ended by signal %d\n", WTERMSIG(status));
        failed |= status != 0;
    }
    if (failed)
        _exit(1);
}

void company_run(struct company *company, void (*body)(struct member *m)) {
    struct company *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    *shared = *company;
    shared->body = body;
    struct member members[MEMBERS];
    for (int k = 0; k < company->members; k++)
        members[k] = (struct member){.company = shared, .kind = company->kind, .me = k};
    (company->processes ? run_processes : run_threads)(members, company->members);
    munmap(shared, sizeof *shared);
}
