/* The output of the PEs, which is passed on in whole lines, and unchanged: without tags, no byte is added.
 *
 * Each PE writes into two pipes (streams), and their lines go on to the launcher's own standard output and
 * error (sinks). A line is passed on when it is complete; one that grows beyond a bound goes on in pieces,
 * and so does one that somebody may look at, on a terminal, when its end has not come within a moment: a
 * prompt, or a bar that shows progress. If a sink's reader is slow, its streams are not read until it has
 * caught up, so the PEs that write wait, nothing is lost, and the launcher goes on with everything else. */

#ifndef UNO_OUTPUT_H
#define UNO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uno_stream {
    int fd; /* the pipe's end to read, -1 once closed */
    int pe;
    struct uno_sink *sink;
    char *held; /* the beginning of a line */
    size_t length, size;
    uint64_t show; /* CLOCK_MONOTONIC ns when that goes on to a terminal; 0: nothing waits for this */
};

struct uno_sink {
    int fd;
    const char *name;
    char *data; /* bytes that are still to be written: from start to end */
    size_t start, end, size;
    const struct uno_stream *open; /* the stream whose line was passed on last, without its end */
    int streams;                   /* an epoll set of the streams of this sink */
    bool regular;                  /* a write does not depend on a reader */
    bool terminal;
    bool paused;  /* the streams are not read */
    bool awaited; /* in the epoll set of the output until it can be written to */
    int error;    /* errno of the write that failed; nothing is written any more */
};

struct uno_output {
    struct uno_sink sink[2]; /* standard output and error */
    bool one_place;          /* both go to the same place, so the first serves for both */
    struct uno_stream *stream;
    int count;     /* streams */
    int epoll;     /* readable when uno_output_step has something to do */
    uint64_t show; /* CLOCK_MONOTONIC ns by which show of a stream may be due; 0: none is set */
    int tag_width; /* columns of a PE's number in the tag of a line; 0: no tags */
    char *buffer;
    /* With `forward`, everything goes to that function, as it was read, instead of to the sinks, as long as
     * `room` says that there is room for more. */
    void (*forward)(void *to, int pe, int which, const char *text, size_t length);
    bool (*room)(void *to, int which);
    void *to;
};

/* Get ready for the streams of n PEs. Returns 0 or -errno. */
int uno_output_open(struct uno_output *out, int n, bool tag);

/* Make a pipe for PE `pe`'s standard output (which = 0) or error (1). Returns the end to write into, which
 * the caller closes, or -errno. */
int uno_output_pipe(struct uno_output *out, int pe, int which);

/* Add a stream of PE `pe` without a pipe: its output is handed over by uno_output_take, and its end by
 * uno_output_end. */
struct uno_stream *uno_output_stream(struct uno_output *out, int pe, int which);
void uno_output_take(struct uno_output *out, struct uno_stream *stream, const char *text, size_t length);
void uno_output_end(struct uno_output *out, struct uno_stream *stream);

/* Nobody reads the output (which = 0) or the errors (1) of any PE any more: whoever writes into one of these
 * learns it as usual. */
void uno_output_break(struct uno_output *out, int which);

/* Read and write as much as is possible without waiting. */
void uno_output_step(struct uno_output *out);

/* Write a line of the launcher's own to standard error. */
void uno_output_say(struct uno_output *out, const char *text, size_t length);

/* Write the rest, when nobody writes into the streams any more. This is called again and again until it
 * returns true: all is written. */
bool uno_output_finish(struct uno_output *out);

/* Free what it holds. *out may also be zeros. */
void uno_output_close(struct uno_output *out);

#endif
