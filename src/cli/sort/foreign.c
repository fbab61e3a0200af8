#include "foreign.h"

#include <stdio.h>
#include <string.h>

#include "engine/bytes.h"

enum { EDGE = 64 * 1024 /* bytes of either end that are looked at */ };

/* The bytes that follow the first one of a character of UTF-8; -1: no text begins so. */
static int following(unsigned char c) {
    if (c < 0x80)
        return c >= ' ' ? (c == 0x7f ? -1 : 0) : (c >= '\t' && c <= '\r' ? 0 : -1);
    return c < 0xc2 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : -1;
}

static bool continues(unsigned char c) {
    return (c & 0xc0) == 0x80;
}

/* Bytes from the middle of a file, in UTF-8, of which ASCII is a part. The characters at both ends may be cut
 * off. */
static bool is_text(const unsigned char *p, size_t n) {
    size_t i = 0;
    while (i < n && i < 3 && continues(p[i]))
        i++;
    while (i < n) {
        int more = following(p[i++]);
        if (more < 0)
            return false;
        for (; more && i < n; more--)
            if (!continues(p[i++]))
                return false;
    }
    return true;
}

/* One end of a file: the bytes from `at` on. */
struct edge {
    unsigned char byte[EDGE];
    uint64_t at;
    size_t n;
};

static bool read_edge(struct edge *edge, int file, uint64_t at, uint64_t bytes) {
    size_t got;
    edge->at = at;
    edge->n = bytes - at < EDGE ? bytes - at : EDGE;
    return !uno_file_get(file, edge->byte, edge->n, at, &got) && got == edge->n;
}

/* False: a record ends there that is not the end of a line. */
static bool lines_fit(const struct edge *edge, size_t record) {
    for (uint64_t end = edge->at / record * record + record; end <= edge->at + edge->n; end += record)
        if (end > edge->at && edge->byte[end - 1 - edge->at] != '\n')
            return false;
    return true;
}

bool sort_foreign(const char *path, int file, uint64_t bytes, size_t record) {
    static const char npy[] = "\x93NUMPY";
    struct edge first, last;
    if (!read_edge(&first, file, 0, bytes) ||
        !read_edge(&last, file, bytes > EDGE ? bytes - EDGE : 0, bytes)) /* reading it will tell why */
        return false;
    if (first.n > strlen(npy) && memcmp(first.byte, npy, strlen(npy)) == 0) {
        fprintf(stderr,
                "unisono sort: %s: an array in NumPy's .npy format, whose header is no record; write the "
                "records alone, as numpy.load(\"%s\").tofile(\"FILE\") does, or sort header and all with "
                "--raw\n",
                path, path);
        return true;
    }
    bool lines = memchr(first.byte, '\n', first.n) || memchr(last.byte, '\n', last.n);
    if (!lines || !is_text(first.byte, first.n) || !is_text(last.byte, last.n) ||
        (lines_fit(&first, record) && lines_fit(&last, record)))
        return false;
    fprintf(
        stderr,
        "unisono sort: %s: lines of text, which do not end where records of --record %zu do; sort lines with "
        "sort(1), or these bytes all the same with --raw\n",
        path, record);
    return true;
}
