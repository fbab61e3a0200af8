#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/kernel.h"

enum {
    PIECE = 64 * 1024,     /* a line that grows longer is passed on in pieces */
    READ = 64 * 1024,      /* bytes of one read */
    PENDING = 1024 * 1024, /* streams are not read while a sink has this much to write */
    EVENTS = 64,           /* streams read between two writes */
};

/* The time in ns that the beginning of a line waits for its end before a terminal shows it: nobody notices so
 * short a time, and a program that writes a line in pieces has written it by then. */
static const uint64_t MOMENT = 20 * 1000 * 1000;

/* Return true if standard output and error go to the same place: then one sink keeps the lines of both
 * whole. */
static bool same_place(void) {
    struct stat a, b;
    return fstat(STDOUT_FILENO, &a) == 0 && fstat(STDERR_FILENO, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

int uno_output_open(struct uno_output *out, int n, bool tag) {
    static const char *const name[] = {"standard output", "standard error"};
    *out =
        (struct uno_output){.tag_width = tag ? snprintf(NULL, 0, "%d", n - 1) : 0, .one_place = same_place()};
    out->epoll = epoll_create1(EPOLL_CLOEXEC);
    out->stream = calloc((size_t)n * 2, sizeof *out->stream);
    out->buffer = malloc(READ);
    if (out->epoll < 0 || !out->stream || !out->buffer)
        return -errno;
    for (int i = 0; i < 2; i++) {
        struct stat st;
        struct uno_sink *sink = &out->sink[i];
        *sink = (struct uno_sink){.fd = STDOUT_FILENO + i, .name = name[i]};
        sink->regular = fstat(sink->fd, &st) == 0 && S_ISREG(st.st_mode);
        sink->terminal = isatty(sink->fd);
        sink->streams = epoll_create1(EPOLL_CLOEXEC);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = sink};
        if (sink->streams < 0 || epoll_ctl(out->epoll, EPOLL_CTL_ADD, sink->streams, &event))
            return -errno;
    }
    return 0;
}

static struct uno_sink *sink_of(struct uno_output *out, int which) {
    return &out->sink[which && !(out->one_place && !out->forward)];
}

static int which_of(const struct uno_output *out, const struct uno_stream *stream) {
    return stream->sink == &out->sink[1];
}

struct uno_stream *uno_output_stream(struct uno_output *out, int pe, int which) {
    struct uno_stream *stream = &out->stream[out->count++];
    *stream = (struct uno_stream){.fd = -1, .pe = pe, .sink = sink_of(out, which)};
    return stream;
}

int uno_output_pipe(struct uno_output *out, int pe, int which) {
    int end[2];
    if (pipe2(end, O_CLOEXEC))
        return -errno;
    struct uno_stream *stream = &out->stream[out->count];
    *stream = (struct uno_stream){.fd = end[0], .pe = pe, .sink = sink_of(out, which)};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
    if (fcntl(end[0], F_SETFL, O_NONBLOCK) ||
        epoll_ctl(stream->sink->streams, EPOLL_CTL_ADD, end[0], &event)) {
        int error = errno;
        close(end[0]);
        close(end[1]);
        return -error;
    }
    out->count++;
    return end[1];
}

/* ---- from a stream to its sink ------------------------------------------------------------------------ */

static void append(char **data, size_t *end, size_t *size, const char *text, size_t length) {
    if (!length)
        return; /* there may be no buffer yet */
    if (*size - *end < length) {
        *size = (*end + length) * 2;
        *data = realloc(*data, *size);
        if (!*data) {
            static const char message[] = "unisono run: out of memory for the output of the PEs\n";
            if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
                (void)0; /* nobody is left to tell */
            _exit(EXIT_FAILURE);
        }
    }
    memcpy(*data + *end, text, length);
    *end += length;
}

static void put(struct uno_sink *sink, const char *text, size_t length) {
    if (sink->error)
        return;
    if (sink->start > sink->end / 2) {
        memmove(sink->data, sink->data + sink->start, sink->end - sink->start);
        sink->end -= sink->start;
        sink->start = 0;
    }
    append(&sink->data, &sink->end, &sink->size, text, length);
}

/* Pass on a line of the stream, or a piece of one. stream NULL: the line is the launcher's own. A line with a
 * tag, and one of the launcher, begins on a line of its own. */
static void pass(struct uno_output *out, struct uno_sink *sink, const struct uno_stream *stream,
                 const char *text, size_t length, bool complete) {
    if (sink->open && sink->open != stream) {
        if (out->tag_width || !stream)
            put(sink, "\n", 1);
        sink->open = NULL;
    }
    if (out->tag_width && stream && !sink->open) {
        char tag[32];
        put(sink, tag, (size_t)sprintf(tag, "[%*d] ", out->tag_width, stream->pe));
    }
    put(sink, text, length);
    sink->open = complete ? NULL : stream;
}

/* Pass on the text that is held, and the new text behind it, as a line or a piece of one. */
static void pass_held(struct uno_output *out, struct uno_stream *stream, const char *text, size_t length,
                      bool complete) {
    append(&stream->held, &stream->length, &stream->size, text, length);
    pass(out, stream->sink, stream, stream->held, stream->length, complete);
    stream->length = 0;
    stream->show = 0;
}

void uno_output_take(struct uno_output *out, struct uno_stream *stream, const char *text, size_t length) {
    const char *end = text + length, *newline;
    if (stream->length && (newline = memchr(text, '\n', length))) {
        pass_held(out, stream, text, (size_t)(newline + 1 - text), true);
        text = newline + 1;
    }
    while ((newline = out->tag_width ? memchr(text, '\n', (size_t)(end - text))
                                     : memrchr(text, '\n', (size_t)(end - text)))) {
        pass(out, stream->sink, stream, text, (size_t)(newline + 1 - text), true);
        text = newline + 1;
    }
    append(&stream->held, &stream->length, &stream->size, text, (size_t)(end - text));
    if (stream->length >= PIECE)
        pass_held(out, stream, "", 0, false);
    else if (stream->length && stream->sink->terminal && !stream->show) {
        stream->show = uno_kernel_now() + MOMENT;
        if (!out->show)
            out->show = stream->show; /* otherwise an earlier one is due first */
    }
}

/* Pass on the beginnings of lines whose moment is over, each stream's by itself: a line that another PE has
 * just begun is not torn. */
static void show_held(struct uno_output *out) {
    uint64_t now;
    if (!out->show || (now = uno_kernel_now()) < out->show)
        return;
    out->show = 0;
    for (int i = 0; i < out->count; i++) {
        struct uno_stream *stream = &out->stream[i];
        if (stream->show && stream->show <= now)
            pass_held(out, stream, "", 0, false);
        else if (stream->show && (!out->show || stream->show < out->show))
            out->show = stream->show;
    }
}

/* The stream has ended: pass on the rest of it. A line with a tag is completed. */
void uno_output_end(struct uno_output *out, struct uno_stream *stream) {
    if (stream->length)
        pass_held(out, stream, "", 0, false);
    if (stream->sink->open == stream && out->tag_width)
        pass(out, stream->sink, stream, "\n", 1, true);
    if (stream->fd >= 0) {
        close(stream->fd);
        if (out->forward)
            out->forward(out->to, stream->pe, which_of(out, stream), NULL, 0);
    }
    stream->fd = -1;
    free(stream->held);
    stream->held = NULL;
    stream->length = stream->size = 0;
    stream->show = 0;
}

/* Read from a stream. Returns true if more may follow at once. */
static bool read_stream(struct uno_output *out, struct uno_stream *stream) {
    ssize_t length = read(stream->fd, out->buffer, READ);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (length <= 0) {
        uno_output_end(out, stream);
        return false;
    }
    if (out->forward)
        out->forward(out->to, stream->pe, which_of(out, stream), out->buffer, (size_t)length);
    else
        uno_output_take(out, stream, out->buffer, (size_t)length);
    return true;
}

/* ---- from a sink to its reader ------------------------------------------------------------------------ */

/* The sink is broken: its streams are closed, so that whoever writes into one learns it as usual. */
static void break_sink(struct uno_output *out, struct uno_sink *sink, int error) {
    sink->error = error;
    sink->start = sink->end = 0;
    sink->open = NULL;
    for (int i = 0; i < out->count; i++)
        if (out->stream[i].sink == sink && out->stream[i].fd >= 0)
            uno_output_end(out, &out->stream[i]);
}

void uno_output_break(struct uno_output *out, int which) {
    break_sink(out, &out->sink[which], EPIPE);
}

static void write_sink(struct uno_output *out, struct uno_sink *sink) {
    /* A pipe that poll calls writable takes PIPE_BUF bytes without waiting. Making it non-blocking instead
     * would do so for everyone who shares it. */
    struct pollfd ready = {.fd = sink->fd, .events = POLLOUT};
    while (sink->start < sink->end && (sink->regular || poll(&ready, 1, 0) > 0)) {
        size_t length = sink->end - sink->start;
        if (!sink->regular && length > PIPE_BUF)
            length = PIPE_BUF;
        ssize_t written = write(sink->fd, sink->data + sink->start, length);
        if (written >= 0)
            sink->start += (size_t)written;
        else if (errno == EAGAIN)
            break;
        else if (errno != EINTR)
            break_sink(out, sink, errno);
    }
    if (sink->start == sink->end)
        sink->start = sink->end = 0;
}

/* Watch the sink while something is to be written, and its streams unless that is too much. */
static void watch_sink(struct uno_output *out, struct uno_sink *sink) {
    bool pending = sink->start < sink->end, paused = sink->end - sink->start >= PENDING;
    if (out->forward)
        paused = !out->room(out->to, sink == &out->sink[1]);
    struct epoll_event event = {.events = EPOLLOUT, .data.ptr = NULL};
    if (pending != sink->awaited &&
        epoll_ctl(out->epoll, pending ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, sink->fd, &event) == 0)
        sink->awaited = pending;
    event = (struct epoll_event){.events = paused ? 0 : EPOLLIN, .data.ptr = sink};
    if (paused != sink->paused && epoll_ctl(out->epoll, EPOLL_CTL_MOD, sink->streams, &event) == 0)
        sink->paused = paused;
}

static void write_all(struct uno_output *out) {
    for (int i = 0; i < 2; i++) {
        write_sink(out, &out->sink[i]);
        watch_sink(out, &out->sink[i]);
    }
}

void uno_output_step(struct uno_output *out) {
    struct epoll_event events[EVENTS];
    for (int i = 0; i < 2; i++) {
        struct uno_sink *sink = &out->sink[i];
        int count = sink->paused ? 0 : epoll_wait(sink->streams, events, EVENTS, 0);
        for (int e = 0; e < count; e++)
            read_stream(out, events[e].data.ptr);
    }
    show_held(out);
    write_all(out);
}

void uno_output_say(struct uno_output *out, const char *text, size_t length) {
    if (out->forward) {
        out->forward(out->to, -1, 1, text, length);
        return;
    }
    struct uno_sink *sink = sink_of(out, 1);
    pass(out, sink, NULL, text, length, true);
    write_all(out);
}

bool uno_output_finish(struct uno_output *out) {
    write_all(out);
    bool all = true;
    for (int i = 0; i < out->count; i++) {
        struct uno_stream *stream = &out->stream[i];
        while (stream->fd >= 0 && !stream->sink->paused) {
            if (!read_stream(out, stream) && stream->fd >= 0)
                uno_output_end(out, stream); /* whoever still has the pipe is none of ours */
            write_sink(out, stream->sink);
            watch_sink(out, stream->sink);
        }
        all &= stream->fd < 0;
    }
    return all && out->sink[0].end == 0 && out->sink[1].end == 0;
}

void uno_output_close(struct uno_output *out) {
    for (int i = 0; i < out->count; i++) {
        if (out->stream[i].fd >= 0)
            close(out->stream[i].fd);
        free(out->stream[i].held);
    }
    for (int i = 0; i < 2; i++)
        free(out->sink[i].data);
    free(out->stream);
    free(out->buffer);
}
