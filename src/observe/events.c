#include "events.h"

#include <fcntl.h>

#include "engine/expect.h"

void uno_seen_trace_begin(struct uno_seen_trace *trace, struct uno_seen_memory *memory, int me) {
    bool opened;
    *trace = (struct uno_seen_trace){
        .memory = memory,
        .own = uno_seen_rank(memory, me),
        .me = me,
        .handed = {memory->trace.file, memory->trace.launcher, memory->trace.device, memory->trace.inode},
    };
    trace->file = memory->trace.most ? uno_handed_open(&trace->handed, &opened) : -1;
    if (trace->file >= 0 && !opened)
        trace->file = fcntl(trace->file, F_DUPFD_CLOEXEC, 0);
}

void uno_seen_trace_end(struct uno_seen_trace *trace) {
    if (trace->file >= 0)
        uno_handed_close(&trace->handed, trace->file);
    trace->file = -1;
}

/* Append the chunk, which is full, to the file. When the file has as many as it may have, no more events are
 * recorded. */
static UNO_COLD void write_chunk(struct uno_seen_trace *trace) {
    struct uno_seen_rank *own = trace->own;
    uint64_t place = uno_add64_relaxed(&trace->memory->trace.chunks, 1);
    if (place >= trace->memory->trace.most) {
        uno_seen_trace_end(trace);
        return;
    }
    if (!uno_handed_write(&trace->handed, trace->file, own->event, sizeof own->event,
                          (off_t)place * (off_t)sizeof own->event))
        own->lost += UNO_SEEN_EVENTS - 1;
    own->chunks++; /* from now on the launcher does not take the chunk from the memory */
    own->events = 0;
}

void uno_seen_event(struct uno_seen_trace *trace, struct uno_seen_event event) {
    struct uno_seen_rank *own = trace->own;
    if (!own->events)
        own->event[own->events++] =
            (struct uno_seen_event){.what = UNO_SEEN_CHUNK, .number = own->chunks, .rank = trace->me};
    own->event[own->events] = event;
    uno_fence_light();
    if (++own->events == UNO_SEEN_EVENTS)
        write_chunk(trace);
}
