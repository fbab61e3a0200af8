/* Goes between a PE and its unit. A job that does not observe never comes here, and pays nothing. */

#include "observed.h"

#include "engine/environment.h"
#include "engine/fault.h"
#include "engine/kernel.h"
#include "engine/observe.h"
#include "unit/unit.h"

static void add(uno_atomic64 *counter, uint64_t amount) {
    uno_store64_relaxed(counter, uno_load64_relaxed(counter) + amount);
}

static uint64_t event_number(const struct uno_job *job, const struct uno_record *record) {
    return job->observe & UNO_TRACE ? uno_load64_relaxed(&record->events) % UNO_EVENTS : 0;
}

struct uno_event *uno_record_present(struct uno_job *job, struct uno_record *record) {
    return &record->event[event_number(job, record)];
}

/* ---- the file ---------------------------------------------------------------------------------------- */

/* The PE's events fill its record: append them to the job's file, as one chunk. */
static UNO_COLD void write_chunk(struct uno_job *job, struct uno_record *record) {
    off_t place = uno_add32_seq_cst(&job->chunks, 1);
    struct uno_handed file = {.device = job->trace_device, .inode = job->trace_inode};
    if (!uno_handed_write(&file, (int)record->file, record->event, sizeof record->event,
                          place * (off_t)sizeof record->event))
        add(&record->dropped, UNO_EVENTS);
}

/* ---- the unit ---------------------------------------------------------------------------------------- */

/* Open the job's file of events; it stays open as long as the process lives. */
static int open_file(struct uno_pe *pe) {
    struct uno_handed file;
    int me;
    bool opened;
    if (uno_environment(&file, &me) != 1)
        uno_fail(pe, "p_init: " UNO_ENVIRONMENT " has changed");
    file.fd = pe->job->trace_file;
    file.device = pe->job->trace_device;
    file.inode = pe->job->trace_inode;
    int fd = uno_handed_open(&file, &opened);
    if (fd < 0)
        uno_fail(pe,
                 "p_init: the launcher's file descriptor %d is gone, which --trace needs: a program between "
                 "`unisono run` and this one closed it, and the launcher, process %d, cannot be asked: %m",
                 file.fd, (int)file.launcher);
    return fd;
}

static void begin(struct uno_pe *pe) {
    struct uno_record *record = uno_record(pe->job, pe->me);
    if (pe->job->observe & UNO_TRACE)
        record->file = open_file(pe);
    pe->polls = 0; /* those do not tell who was not there at once */
    uno_store64_relaxed(&record->began, uno_kernel_now());
}

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    struct uno_job *job = pe->job;
    struct uno_record *record = uno_record(job, pe->me);
    struct uno_event *event = uno_record_present(job, record);
    pe->board->awaited = pe->me;
    event->group = pe->group.id;
    event->signature = (uint16_t)signature;
    event->pe = (uint32_t)pe->me;
    /* a killed process leaves the fields that it had stored: the times vouch for the others, so they are
     * stored last */
    uno_fence_light();
    event->began = uno_kernel_now();
    const void *const *data = pe->recorded->meet(pe, signature, in, words);
    event->last = (uint16_t)pe->board->awaited;
    uno_fence_light();
    event->ended = uno_kernel_now();
    uint64_t ns = event->ended - event->began;
    unsigned op = uno_signature_op(signature);
    add(&record->op[op].count, 1);
    add(&record->op[op].waited, ns);
    if (event->last != pe->me)
        add(&record->waited_for[event->last], ns);
    if (UNO_UNLIKELY(event == &record->event[UNO_EVENTS - 1]))
        write_chunk(job, record);
    add(&record->events, 1);
    return data;
}

/* Where the calls of the PE are recorded, --stats has the figures of its operations from there, and needs no
 * clock here; only whom a PE waited for that ends in an operation. */
static const void *const *meet_recorded(struct uno_pe *pe, unsigned signature, const uint64_t *in,
                                        unsigned words) {
    pe->board->awaited = pe->me;
    return pe->recorded->meet(pe, signature, in, words);
}

static void leave(struct uno_pe *pe) {
    if (pe->recorded->leave)
        pe->recorded->leave(pe);
}

static void part(struct uno_pe *pe) {
    uno_store64_relaxed(&uno_record(pe->job, pe->me)->ended, uno_kernel_now());
    if (pe->recorded->part)
        pe->recorded->part(pe);
}

static void interrupt(struct uno_pe *pe) {
    pe->recorded->interrupt(pe);
}

static const struct uno_unit observed = {
    .meet = meet,
    .leave = leave,
    .interrupt = interrupt,
    .part = part,
};

static const struct uno_unit recorded = {
    .meet = meet_recorded,
    .leave = leave,
    .interrupt = interrupt,
    .part = part,
};

/* The library in front of this one that records calls (observe/pes) has this: it returns 1 if it records
 * those of the PE that joins a job now. Without that library, as in a program that was linked with an
 * archive, there is none. */
extern int p_recorded(void) __attribute__((weak, visibility("default")));

void uno_observe(struct uno_pe *pe) {
    bool elsewhere = !(pe->job->observe & UNO_TRACE) && p_recorded && p_recorded();
    pe->recorded = pe->unit;
    pe->unit = elsewhere ? &recorded : &observed;
    uno_record(pe->job, pe->me)->elsewhere = elsewhere;
    begin(pe);
}

/* ---- afterwards -------------------------------------------------------------------------------------- */

void uno_record_close(struct uno_job *job, int k, uint64_t now) {
    struct uno_record *record = uno_record(job, k);
    struct uno_event *event = uno_record_present(job, record);
    if (!uno_load64_relaxed(&record->began) || uno_load64_relaxed(&record->ended))
        return;
    int awaited = job->board[k].awaited;
    event->last = (uint16_t)(awaited < 0 || awaited >= job->n ? k : awaited);
    uno_store64_relaxed(&record->ended, now);
    if (record->elsewhere || event->ended >= event->began)
        return;
    uint64_t ns = now - event->began;
    event->ended = now;
    uno_store64_relaxed(&record->unfinished, 1);
    add(&record->op[uno_signature_op(event->signature)].waited, ns);
    if (event->last != k)
        add(&record->waited_for[event->last], ns);
}
