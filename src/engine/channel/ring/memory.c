#define _GNU_SOURCE
#include "memory.h"

#include <sys/mman.h>

#include "engine/fault.h"
#include "engine/nodes.h"
#include "engine/sparse.h"

enum {
    PAGE = 65536, /* the largest there is, for jobs that look the same everywhere */
    FEW = 128,    /* PEs, up to which a ring is long */
    LINES_FEW = 64,
    LINES_MANY = 16,
};
#define HEAPS ((size_t)64 << 30) /* of all PEs together, if need be */
/* A PE maps so much of them for all PEs together at first, and between these limits for each: a job of few
 * PEs finds room for pieces of all sizes at once, and one of many leaves addresses to the program. */
#define FIRST ((size_t)256 << 20)
#define FIRST_LEAST ((size_t)1 << 20)
#define FIRST_MOST ((size_t)16 << 20)

struct uno_mail uno_mail_layout(int n) {
    struct uno_mail mail = {.n = (size_t)n, .lines = n <= FEW ? LINES_FEW : LINES_MANY};
    size_t rings = (size_t)((char *)uno_mail_ring(&mail, 0, n) - mail.base);
    mail.heaps = (rings + PAGE - 1) / PAGE * PAGE;
    mail.heap = HEAPS / mail.n / PAGE * PAGE;
    mail.size = mail.heaps + mail.n * mail.heap;
    return mail;
}

size_t uno_mail_at(size_t job) {
    return (job + PAGE - 1) / PAGE * PAGE;
}

uint64_t uno_mail_at_of(const struct uno_pe *pe) {
    size_t each = uno_nodes_each(pe->job) ? uno_mail_layout(pe->n).size : 0;
    return pe->job->mail_at + (uint64_t)pe->me * each;
}

size_t uno_mail_step(int n) {
    size_t step = FIRST / (size_t)n / FIRST_LEAST * FIRST_LEAST; /* whole cuts of heap.c */
    return step < FIRST_LEAST ? FIRST_LEAST : step > FIRST_MOST ? FIRST_MOST : step;
}

struct uno_mail uno_mail_map(struct uno_pe *pe) {
    struct uno_job *job = pe->job;
    struct uno_mail mail = uno_mail_layout(pe->n);
    if (!job->mail_at)
        uno_fail(pe,
                 "this job has no memory for messages: they take a file of up to %zu bytes, little of which "
                 "is used, and the launcher's limit of file sizes (ulimit -f) is lower",
                 mail.size);
    void *memory = job->mail_at == UNO_MAIL_OWN ? uno_sparse_private(&job->mail, mail.heaps)
                                                : uno_sparse_map(pe, uno_mail_at_of(pe), mail.heaps);
    if (!memory)
        uno_fail(pe,
                 "cannot map the rings for messages of %d PEs, %zu bytes: %m; a limit of addresses (ulimit "
                 "-v) must leave room for them",
                 pe->n, mail.heaps);
    mail.base = memory;
    return mail;
}

void uno_mail_unmap(const struct uno_mail *mail) {
    munmap(mail->base, mail->heaps);
}

void uno_mail_free(struct uno_job *job) {
    void *memory = (void *)(uintptr_t)uno_load64_relaxed(&job->mail);
    if (memory)
        munmap(memory, uno_mail_layout(job->n).heaps);
}
