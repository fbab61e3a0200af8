#include "job.h"

#include <stdio.h>
#include <string.h>

#include "observe.h"

/* Return the offset of the records of sleeping PEs (rest.h): behind the header, the boards, and in a wide job
 * the masks. */
static size_t rests_at(int n) {
    int words = (n + 63) / 64;
    size_t masks = words > 1 ? (size_t)n * UNO_SLOTS * (size_t)words * sizeof(uint64_t) : 0;
    return offsetof(struct uno_job, board) + (size_t)n * sizeof(struct uno_board) + (masks + 63) / 64 * 64;
}

/* Return the offset of the PEs' processors, behind those, and that of the records (observe.h), behind these.
 */
static size_t processors_at(int n) {
    return rests_at(n) + (size_t)n * sizeof(struct uno_rest);
}
static size_t records_at(int n) {
    return processors_at(n) + ((size_t)n * sizeof(uno_atomic32) + 63) / 64 * 64;
}

size_t uno_record_size(int n) {
    return (offsetof(struct uno_record, waited_for) + (size_t)n * sizeof(uno_atomic64) + 63) / 64 * 64;
}

size_t uno_job_size(int n, int observe) {
    return records_at(n) + (observe ? (size_t)n * uno_record_size(n) : 0);
}

void uno_job_format(struct uno_job *job, int n, int processors, int observe) {
    job->magic = UNO_MAGIC;
    job->n = n;
    job->words = (n + 63) / 64;
    job->processors = processors;
    job->observe = observe;
    job->trace_file = -1;
}

void uno_job_restore(struct uno_job *job, const struct uno_job *made) {
    job->magic = made->magic;
    job->n = made->n;
    job->words = made->words;
    job->processors = made->processors;
    job->observe = made->observe;
    job->trace_file = made->trace_file;
    job->trace_device = made->trace_device;
    job->trace_inode = made->trace_inode;
    job->lifeline = made->lifeline;
    job->launcher = made->launcher;
    job->buffer = made->buffer;
    job->buffers = made->buffers;
    job->ports_at = made->ports_at;
    job->nodes_at = made->nodes_at;
    job->mail_at = made->mail_at;
    job->arrays_at = made->arrays_at;
    job->arrays_part = made->arrays_part;
    memcpy(job->unit, made->unit, sizeof job->unit);
    memcpy(job->program, made->program, sizeof job->program);
    uno_store64_relaxed(&job->started, uno_load64_relaxed(&made->started));
}

/* A buffer and one line more: the buffers of many PEs spread over all sets of a cache. */
static size_t buffer_step(uint32_t buffer) {
    return (size_t)buffer + 64;
}

size_t uno_job_buffers_at(int n, int observe) {
    enum { PAGE = 4096 };
    return (uno_job_size(n, observe) + PAGE - 1) / PAGE * PAGE;
}

size_t uno_job_buffers_size(int n, uint32_t buffer) {
    return (size_t)n * UNO_SLOTS * buffer_step(buffer);
}

size_t uno_job_mapped(const struct uno_job *job) {
    if (job->buffer)
        return job->buffers + uno_job_buffers_size(job->n, job->buffer);
    return job->ports_at || job->nodes_at ? job->buffers : uno_job_size(job->n, job->observe);
}

void uno_job_set_buffers(struct uno_job *job, uint64_t at, uint32_t buffer) {
    job->buffers = at;
    job->buffer = buffer;
}

void *uno_job_buffer(struct uno_job *job, int k, unsigned slot) {
    return (char *)job + job->buffers + ((size_t)k * UNO_SLOTS + slot) * buffer_step(job->buffer);
}

struct uno_record *uno_record(struct uno_job *job, int k) {
    return (struct uno_record *)(void *)((char *)job + records_at(job->n) +
                                         (size_t)k * uno_record_size(job->n));
}

struct uno_rest *uno_job_rest(struct uno_job *job, int n, int k) {
    return (struct uno_rest *)(void *)((char *)job + rests_at(n)) + k;
}

uno_atomic32 *uno_job_processor(struct uno_job *job) {
    return (uno_atomic32 *)(void *)((char *)job + processors_at(job->n));
}

uno_atomic64 *uno_job_group(struct uno_job *job, int n, int k, unsigned slot) {
    uno_atomic64 *masks = (uno_atomic64 *)(void *)&job->board[n];
    return masks + ((size_t)k * UNO_SLOTS + slot) * (size_t)((n + 63) / 64);
}

static void write_fault(struct uno_job *job, int k, const char *text) {
    job->fault_pe = k;
    snprintf(job->fault_text, sizeof job->fault_text, "%s", text);
    /* SYNC FAULT: who failed and how */
    uno_store32_release(&job->fault, UNO_FAULT);
}

bool uno_job_set_fault(struct uno_job *job, int k, const char *text, uint64_t about) {
    bool first = uno_cas32_acq_rel(&job->fault, UNO_FINE, UNO_FAULT_OF + (uint32_t)k);
    if (first) {
        job->fault_about = about;
        write_fault(job, k, text);
    }
    return first;
}

void uno_job_finish_fault(struct uno_job *job, int k, const char *text) {
    if (uno_load32_relaxed(&job->fault) == UNO_FAULT_OF + (uint32_t)k)
        write_fault(job, k, text);
}
