/* Anything that `unisono inspect` reads may be taken in and written again between any two of its
 * instructions. So here another process does that: it lets the observer go on by single instructions, and
 * every now and then empties a ring and fills it with other messages and requests; so often that no view is
 * steady. What is shown must nevertheless be of one message each: its length follows from its type, or from
 * the number of the request. */

#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/messages.h"
#include "engine/channel/channel.h"
#include "rng.h"

enum { PES = 2, STANDING = 4, LENGTHS = 89, SKIPPED = 77 };

/* The number of disturbances, and the most instructions between them: some for each line that is read. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ROUNDS = 300, APART = 1500 };
#else
enum { ROUNDS = 1000, APART = 150 };
#endif

static struct uno_outlet out;
static struct uno_inlet in;
static uint64_t type, request;

static uint64_t length(uint64_t number) {
    return number * 37 % LENGTHS;
}

static void write_one(void) {
    static const char data[LENGTHS];
    uint64_t word = uno_channel_word(0, (int)(type & 0xffffff));
    struct uno_piece piece = {.total = length(type & 0xffffff)};
    if (type & 1)
        uno_ring_put(&out, UNO_KIND_SHORT, word, data, piece.total % (UNO_RING_FIRST + 1));
    else
        uno_ring_put(&out, UNO_KIND_FIRST, word, &piece, sizeof piece);
    type++;
}

/* Write all lines of the ring, and all requests, once more and then some. */
static void go_round(void) {
    for (uint64_t i = 0; i <= out.mask + 3; i++) {
        uno_ring_take(&in, 1);
        write_one();
    }
    for (int i = 0; i <= UNO_REQUESTS + 3; i++) {
        uno_store64_relaxed(&in.ring->arrived, request - UNO_REQUESTS / 2);
        request++;
        uno_ring_request(&in, request, length(request), 0);
    }
}

static uint64_t expected(const struct uno_shown *m) {
    if (m->state == UNO_PENDING)
        return length(m->order);
    uint64_t bytes = length((uint64_t)m->type);
    return m->type & 1 ? bytes % (UNO_RING_FIRST + 1) : bytes;
}

static struct seen { size_t of[UNO_SHOWN_STATES], looks, unsteady; } * seen; /* shared by both processes */

static bool look(const struct uno_mail *mail) {
    struct uno_shown_all all;
    bool right = uno_shown_look(mail, 1, true, &all);
    seen->looks++;
    seen->unsteady += !all.steady;
    for (size_t i = 0; i < all.messages; i++) {
        const struct uno_shown *m = &all.message[i];
        seen->of[m->state]++;
        if (m->bytes == expected(m))
            continue;
        printf("shown: %s, type %d, order %llu: %llu bytes, not %llu\n", uno_shown_name(m->state), m->type,
               (unsigned long long)m->order, (unsigned long long)m->bytes, (unsigned long long)expected(m));
        right = false;
    }
    uno_shown_free(&all);
    return right;
}

static void *share(size_t bytes) {
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        exit(1);
    return memory;
}

/* The process that looks, until it sees what cannot be. */
static _Noreturn void child(const struct uno_mail *mail) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
        _exit(SKIPPED);
    raise(SIGSTOP);
    while (look(mail))
        ;
    fflush(stdout);
    _exit(1);
}

/* Step the child, and disturb it every now and then. Its exit status, or 0 if it has seen nothing wrong. */
static int disturb(pid_t pid) {
    struct rng chance = rng_for(1, 2, 3, 4);
    int status;
    for (int round = 0; round < ROUNDS; round++, go_round())
        for (int steps = 1 + rng_below(&chance, APART); steps; steps--) {
            if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
                return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
            if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
                return errno == EIO ? SKIPPED : 1;
        }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return 0;
}

int main(void) {
    struct uno_mail mail = uno_mail_layout(PES);
    mail.base = share(mail.heaps);
    seen = share(sizeof *seen);
    struct uno_box *box = uno_mail_box(&mail, 1);
    uno_store64_relaxed(&box->writer[0], 1);
    uno_store64_relaxed(&box->extended[0], 1);
    struct uno_ring *ring = uno_mail_ring(&mail, 0, 1);
    out = (struct uno_outlet){.ring = ring, .mask = mail.lines - 1, .limit = UINT64_MAX};
    in = (struct uno_inlet){.ring = ring, .mask = mail.lines - 1};
    for (int i = 0; i < STANDING; i++)
        write_one();
    request = UNO_REQUESTS;

    /* Both run on one processor: then neither waits for the other to wake up. */
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pid_t pid = fork();
    if (pid == 0)
        child(&mail);
    int status = disturb(pid);
    printf("shown: %zu looks, %zu of them unsteady; %zu messages, %zu requests\n", seen->looks,
           seen->unsteady, seen->of[UNO_ARRIVING], seen->of[UNO_PENDING]);
    return status ? status : !seen->of[UNO_ARRIVING] || !seen->of[UNO_PENDING] || !seen->unsteady;
}
