#define _GNU_SOURCE
#include "memory.h"

#include <sys/mman.h>

#include "engine/fault.h"

enum {
    PAGE = 65536, /* the largest there is, for jobs that look the same everywhere */
    FEW = 128,    /* PEs, up to which a ring is long */
    LINES_FEW = 64,
    LINES_MANY = 16,
};
#define HEAPS ((size_t)64 << 30) /* of all PEs together, if need be */

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

/* PEs that are threads, and a job of one: whoever comes first maps it. */
static void *map_private(struct uno_job *job, size_t size) {
    /* SYNC MAIL: the zeros there */
    void *memory = (void *)(uintptr_t)uno_load64_acquire(&job->mail);
    if (memory)
        return memory;
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return memory;
    madvise(memory, size, MADV_DONTDUMP);
    /* SYNC MAIL: the zeros there */
    if (uno_cas64_acq_rel(&job->mail, 0, (uint64_t)(uintptr_t)memory))
        return memory;
    munmap(memory, size);
    return (void *)(uintptr_t)uno_load64_acquire(&job->mail); /* SYNC MAIL: the zeros there */
}

/* A second mapping of the memory that holds the job, which goes on where the job ends. The descriptor may be
 * closed by now. */
static void *map_shared(struct uno_job *job, size_t size) {
    char *memory = mremap(job, 0, job->mail_at + size, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED)
        return memory;
    munmap(memory, job->mail_at);
    madvise(memory + job->mail_at, size, MADV_DONTDUMP);
    return memory + job->mail_at;
}

struct uno_mail uno_mail_map(struct uno_pe *pe) {
    struct uno_job *job = pe->job;
    struct uno_mail mail = uno_mail_layout(pe->n);
    if (!job->mail_at)
        uno_fail(pe,
                 "this job has no memory for messages: they take a file of up to %zu bytes, little of which "
                 "is used, and the launcher's limit of file sizes (ulimit -f) is lower",
                 mail.size);
    void *memory = job->mail_at == UNO_MAIL_OWN ? map_private(job, mail.size) : map_shared(job, mail.size);
    if (memory == MAP_FAILED)
        uno_fail(pe, "cannot map the memory for messages, %zu bytes, of which little is used: %m", mail.size);
    mail.base = memory;
    return mail;
}

void uno_mail_unmap(const struct uno_mail *mail) {
    munmap(mail->base, mail->size);
}

void uno_mail_free(struct uno_job *job) {
    void *memory = (void *)(uintptr_t)uno_load64_relaxed(&job->mail);
    if (memory)
        munmap(memory, uno_mail_layout(job->n).size);
}
