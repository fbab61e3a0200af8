/* Frames on a stream of bytes in each direction, between the coordinator and an agent.
 *
 * A frame is its type and the length of its data, two numbers of 32 bits, then the data, and a newline, since
 * what passes the stream on may hold back a line that has no end yet, as srun does. In front of the agent's
 * first frame stands a mark, since what a login shell says before it starts the agent comes first. */

#ifndef UNO_FRAMES_H
#define UNO_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "frames.def"

enum uno_frame_type {
#define X(name, fields) UNO_FRAME_##name,
    UNO_FRAMES(X)
#undef X
        UNO_FRAME_TYPES
};

/* Flags of the frame JOB. */
enum uno_job_flag { UNO_JOB_BIND = 1, UNO_JOB_SHOW_BINDINGS = 2, UNO_JOB_STATS = 4, UNO_JOB_TRACE = 8 };

/* The end that follows a report: none, that of the job, or that of a job none of whose PEs can go on. */
enum uno_report_ends { UNO_REPORT_ONLY, UNO_REPORT_ENDS, UNO_REPORT_DEADLOCK };

/* The PEs of a node: one of them can go on; none can as far as the node sees; or none can for sure. */
enum uno_quiet_state { UNO_QUIET_NOT, UNO_QUIET_HERE, UNO_QUIET_APART };

/* The agent's mark. */
#define UNO_FRAME_MARK "\nUNISONO-AGENT\n"

enum { UNO_FRAME_MOST = 64 * 1024 * 1024 }; /* bytes of the longest frame: an environment may be long */

/* Bytes that wait to be written or looked at: from start to end. */
struct uno_bytes {
    char *data;
    size_t start, end, size;
};

struct uno_link {
    int in, out;             /* descriptors that do not block; -1: closed */
    int silent;              /* beats of this side since something has come: pulse.h */
    bool marked;             /* the other side's mark has come, or none is expected */
    struct uno_bytes coming; /* read, and not yet taken as frames */
    struct uno_bytes going;  /* to be written */
};

/* A frame that has come; its data lie in the link until uno_link_next is called again. */
struct uno_frame {
    enum uno_frame_type type;
    const char *data;
    size_t bytes;
};

/* Begin with these descriptors. mark: the other side says its mark first. */
void uno_link_open(struct uno_link *link, int in, int out, bool mark);

/* Close it, and free what it holds. */
void uno_link_close(struct uno_link *link);

/* Add a frame to those that are to be written: the fields of its row, an int32_t, a uint64_t, a const char *,
 * or a const void * and a size_t. */
void uno_link_put(struct uno_link *link, enum uno_frame_type type, ...);

/* Add a frame that has come by another link. */
void uno_link_pass(struct uno_link *link, const struct uno_frame *frame);

/* Write as much as is possible without waiting. Returns false if the other side does not read any more; then
 * nothing is to be written. */
bool uno_link_write(struct uno_link *link);

/* Read what has come. Returns false if the stream has ended. */
bool uno_link_read(struct uno_link *link);

/* Return 1 and the next frame that has come whole, 0: there is none yet, -1: this is no stream of frames. */
int uno_link_next(struct uno_link *link, struct uno_frame *frame);

/* Take a frame apart: pointers to an int32_t, a uint64_t, a const char *, or a const char * and a size_t, for
 * the fields of its row. Returns false if it does not have these. */
bool uno_frame_get(const struct uno_frame *frame, ...);

/* Append bytes. Ends the process with a message if there is no memory. */
void uno_bytes_add(struct uno_bytes *bytes, const void *data, size_t length);

/* Write the bytes to a descriptor that does not block, as far as it takes them now. Returns how many it took,
 * or -errno. */
ssize_t uno_bytes_write(struct uno_bytes *bytes, int fd);

#endif
