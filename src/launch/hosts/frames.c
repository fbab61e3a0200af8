#define _GNU_SOURCE
#include "frames.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ = 64 * 1024, NOISE = 256 * 1024 };

static const char *const fields[] = {
#define X(name, fields) fields,
    UNO_FRAMES(X)
#undef X
};

static const char END = '\n';

struct head {
    uint32_t type, bytes;
};

/* ---- bytes ------------------------------------------------------------------------------------------- */

/* Return room for so many bytes behind the present ones. */
static char *room(struct uno_bytes *bytes, size_t length) {
    if (bytes->start > bytes->end / 2) {
        memmove(bytes->data, bytes->data + bytes->start, bytes->end - bytes->start);
        bytes->end -= bytes->start;
        bytes->start = 0;
    }
    if (bytes->size - bytes->end < length) {
        bytes->size = (bytes->end + length) * 2;
        bytes->data = realloc(bytes->data, bytes->size);
        if (!bytes->data) {
            fprintf(stderr, "unisono run: out of memory for what goes between the machines\n");
            exit(EXIT_FAILURE);
        }
    }
    return bytes->data + bytes->end;
}

void uno_bytes_add(struct uno_bytes *bytes, const void *data, size_t length) {
    if (!length)
        return;
    memcpy(room(bytes, length), data, length);
    bytes->end += length;
}

ssize_t uno_bytes_write(struct uno_bytes *bytes, int fd) {
    size_t before = bytes->start;
    while (bytes->start < bytes->end) {
        ssize_t written = write(fd, bytes->data + bytes->start, bytes->end - bytes->start);
        if (written >= 0)
            bytes->start += (size_t)written;
        else if (errno == EAGAIN)
            break;
        else if (errno != EINTR)
            return -errno;
    }
    ssize_t took = (ssize_t)(bytes->start - before);
    if (bytes->start == bytes->end)
        bytes->start = bytes->end = 0;
    return took;
}

/* ---- the link ---------------------------------------------------------------------------------------- */

void uno_link_open(struct uno_link *link, int in, int out, bool mark) {
    *link = (struct uno_link){.in = in, .out = out, .marked = !mark};
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

void uno_link_close(struct uno_link *link) {
    if (link->in >= 0)
        close(link->in);
    if (link->out >= 0 && link->out != link->in)
        close(link->out);
    free(link->coming.data);
    free(link->going.data);
    *link = (struct uno_link){.in = -1, .out = -1};
}

void uno_link_put(struct uno_link *link, enum uno_frame_type type, ...) {
    struct uno_bytes *going = &link->going;
    struct head head = {.type = type};
    if (link->out < 0)
        return;
    uno_bytes_add(going, &head, sizeof head);
    size_t from = going->end - going->start;
    va_list arguments;
    va_start(arguments, type);
    for (const char *field = fields[type]; *field; field++) {
        if (*field == 'i') {
            int32_t value = va_arg(arguments, int32_t);
            uno_bytes_add(going, &value, sizeof value);
        } else if (*field == 'u') {
            uint64_t value = va_arg(arguments, uint64_t);
            uno_bytes_add(going, &value, sizeof value);
        } else if (*field == 's') {
            const char *text = va_arg(arguments, const char *);
            uno_bytes_add(going, text, strlen(text) + 1);
        } else {
            const void *data = va_arg(arguments, const void *);
            uno_bytes_add(going, data, va_arg(arguments, size_t));
        }
    }
    va_end(arguments);
    head.bytes = (uint32_t)(going->end - going->start - from);
    memcpy(going->data + going->start + from - sizeof head, &head, sizeof head);
    uno_bytes_add(going, &END, sizeof END);
}

void uno_link_pass(struct uno_link *link, const struct uno_frame *frame) {
    struct head head = {frame->type, (uint32_t)frame->bytes};
    if (link->out < 0)
        return;
    uno_bytes_add(&link->going, &head, sizeof head);
    uno_bytes_add(&link->going, frame->data, frame->bytes);
    uno_bytes_add(&link->going, &END, sizeof END);
}

bool uno_link_write(struct uno_link *link) {
    if (link->out < 0)
        return false;
    if (uno_bytes_write(&link->going, link->out) >= 0)
        return true;
    link->going.start = link->going.end = 0;
    if (link->out != link->in)
        close(link->out);
    link->out = -1;
    return false;
}

bool uno_link_read(struct uno_link *link) {
    if (link->in < 0)
        return false;
    ssize_t length = read(link->in, room(&link->coming, READ), READ);
    if (length < 0)
        return errno == EAGAIN || errno == EINTR;
    link->coming.end += (size_t)length;
    link->silent = 0;
    return length > 0;
}

/* Pass over everything in front of the mark. Returns as uno_link_next does. */
static int find_mark(struct uno_link *link) {
    struct uno_bytes *coming = &link->coming;
    size_t length = coming->end - coming->start, mark = sizeof UNO_FRAME_MARK - 1;
    char *from = coming->data + coming->start;
    char *found = length ? memmem(from, length, UNO_FRAME_MARK, mark) : NULL;
    if (!found)
        return length > NOISE ? -1 : 0;
    coming->start += (size_t)(found - from) + mark;
    link->marked = true;
    return 1;
}

int uno_link_next(struct uno_link *link, struct uno_frame *frame) {
    struct uno_bytes *coming = &link->coming;
    struct head head;
    int found = link->marked ? 1 : find_mark(link);
    if (found <= 0)
        return found;
    if (coming->end - coming->start < sizeof head)
        return 0;
    memcpy(&head, coming->data + coming->start, sizeof head);
    if (head.type >= UNO_FRAME_TYPES || head.bytes > UNO_FRAME_MOST)
        return -1;
    if (coming->end - coming->start < sizeof head + head.bytes + sizeof END)
        return 0;
    *frame = (struct uno_frame){(enum uno_frame_type)head.type, coming->data + coming->start + sizeof head,
                                head.bytes};
    coming->start += sizeof head + head.bytes + sizeof END;
    return frame->data[head.bytes] == END ? 1 : -1;
}

bool uno_frame_get(const struct uno_frame *frame, ...) {
    const char *at = frame->data, *end = at + frame->bytes;
    bool fits = true;
    va_list arguments;
    va_start(arguments, frame);
    for (const char *field = fields[frame->type]; fits && *field; field++) {
        size_t left = (size_t)(end - at), size = *field == 'i' ? sizeof(int32_t) : sizeof(uint64_t);
        if (*field == 's') {
            const char **text = va_arg(arguments, const char **);
            const char *zero = left ? memchr(at, 0, left) : NULL;
            *text = at;
            size = zero ? (size_t)(zero + 1 - at) : left + 1;
        } else if (*field == 'b') {
            *va_arg(arguments, const char **) = at;
            *va_arg(arguments, size_t *) = size = left;
        } else {
            void *number = va_arg(arguments, void *);
            if (left >= size)
                memcpy(number, at, size);
        }
        fits = left >= size;
        at += fits ? size : 0;
    }
    va_end(arguments);
    return fits && at == end;
}
