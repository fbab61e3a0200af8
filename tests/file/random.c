/* Random collective reads and writes by random groups, of parts of all sizes, against a serial program: every
 * PE knows all members' parts, and has the expected file in its own memory. */

#include <errno.h>
#include <papers/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "harness.h"

enum { MOST = 8 << 20 /* bytes of a file */, OPERATIONS = 25 /* of one group on one file */ };

/* The expected content of the file. */
struct model {
    unsigned char *content;
    size_t size, at;
};

struct crew {
    uint64_t mask;
    int size, member[TEST_MAX_PES], rank;
};

/* Fill a member's part. */
static void fill(unsigned char *part, uint64_t seed, int member, size_t bytes) {
    uint64_t x = seed + (uint64_t)member * 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < bytes; i += sizeof x) {
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u + 1;
        memcpy(part + i, &x, bytes - i < sizeof x ? bytes - i : sizeof x);
    }
}

/* Choose the part of each member; together they fit into the file. */
static size_t sizes_of(struct rng *r, const struct crew *crew, size_t *bytes) {
    static const int most[] = {0, 1, 9, 64, 100, 5000, 16384, 17000, 300000, 1000000};
    int limit = most[rng_below(r, sizeof most / sizeof *most)];
    size_t all = 0;
    if (limit > 300 && crew->size > 4) /* no more than some MB at once */
        limit = limit * 4 / crew->size;
    for (int m = 0; m < crew->size; m++)
        all += bytes[m] = rng_below(r, 4) ? (size_t)rng_below(r, limit + 1) : (size_t)limit;
    return all;
}

static size_t before(const size_t *bytes, int m) {
    size_t sum = 0;
    for (int i = 0; i < m; i++)
        sum += bytes[i];
    return sum;
}

static void write_all(struct model *m, const struct crew *crew, int file, const size_t *bytes, uint64_t seed,
                      unsigned char *part) {
    size_t mine = bytes[crew->rank];
    fill(part, seed, crew->rank, mine);
    CHECK_INT((int64_t)mine, p_write(file, mine ? part : NULL, mine));
    memset(part, 0xee, mine); /* it may be changed */
    size_t all = before(bytes, crew->size);
    if (m->at > m->size && all) /* a gap */
        memset(m->content + m->size, 0, m->at - m->size);
    for (int k = 0; k < crew->size; m->at += bytes[k++])
        fill(m->content + m->at, seed, k, bytes[k]);
    if (all && m->at > m->size)
        m->size = m->at;
}

static void read_all(struct model *m, const struct crew *crew, int file, const size_t *bytes,
                     unsigned char *part) {
    size_t mine = bytes[crew->rank], from = m->at + before(bytes, crew->rank);
    size_t there = from < m->size ? m->size - from : 0, all = before(bytes, crew->size);
    memset(part, 0xcc, mine + 1);
    int64_t got = p_read(file, mine ? part : NULL, mine);
    CHECK_INT((int64_t)(mine < there ? mine : there), got);
    CHECK(memcmp(part, m->content + from, (size_t)got) == 0);
    CHECK_INT(0xcc, part[got]);
    there = m->at < m->size ? m->size - m->at : 0;
    m->at += all < there ? all : there;
}

static void seek(struct model *m, struct rng *r, int file) {
    static const int whence[] = {SEEK_SET, SEEK_CUR, SEEK_END};
    int way = rng_below(r, 3);
    int64_t from = way == 0 ? 0 : way == 1 ? (int64_t)m->at : (int64_t)m->size;
    int64_t to = rng_below(r, 3) ? rng_below(r, (int)m->size + 1) : (int64_t)m->size + rng_below(r, 100000);
    if (to > MOST / 2)
        to = 0;
    CHECK_INT(to, p_seek(file, to - from, whence[way]));
    m->at = (size_t)to;
    if (rng_below(r, 8) == 0)
        CHECK_INT(-EINVAL, p_seek(file, -to - 1, SEEK_SET));
}

static void go_to(struct model *m, int file, size_t at) {
    CHECK_INT((int64_t)at, p_seek(file, (int64_t)at, SEEK_SET));
    m->at = at;
}

/* Read, write at the same place, and read again: data that were read ahead before the write are out of
 * date. */
static void read_back(struct model *m, struct rng *r, const struct crew *crew, int file, const size_t *bytes,
                      unsigned char *part) {
    size_t few[TEST_MAX_PES];
    size_t at = m->size ? (size_t)rng_below(r, (int)m->size) / 2 : 0;
    for (int k = 0; k < crew->size; k++)
        few[k] = 50;
    go_to(m, file, at);
    read_all(m, crew, file, few, part);
    go_to(m, file, at);
    write_all(m, crew, file, bytes, rng_next(r), part);
    go_to(m, file, at);
    read_all(m, crew, file, few, part);
}

static void verify(const struct model *m, const char *path) {
    FILE *f = fopen(path, "rb");
    unsigned char *found = malloc(m->size + 1);
    CHECK(f && found);
    CHECK_INT((long long)m->size, (long long)fread(found, 1, m->size + 1, f));
    CHECK(memcmp(found, m->content, m->size) == 0);
    fclose(f);
    free(found);
}

/* Open a file in one group, use it, and close it. */
static void use(struct model *m, struct rng *r, const struct crew *crew, const char *path, const char *mode,
                unsigned char *part) {
    static size_t bytes_of[TEST_MAX_PES][64];
    size_t *bytes = bytes_of[p_iproc()];
    bool writes = strcmp(mode, "r") != 0;
    int file = p_open(path, mode);
    CHECK(file >= 0);
    m->at = 0;
    for (int i = 0; i < OPERATIONS; i++) {
        int what = rng_below(r, 10);
        size_t all = sizes_of(r, crew, bytes);
        for (int again = all < 100000 ? rng_below(r, 60) : 1; again > 0; again--) {
            uint64_t seed = rng_next(r);
            if (what == 0)
                seek(m, r, file);
            else if (m->at + all > MOST)
                go_to(m, file, 0);
            else if (what == 1 && writes)
                read_back(m, r, crew, file, bytes, part);
            else if (what < 7 && writes)
                write_all(m, crew, file, bytes, seed, part);
            else
                read_all(m, crew, file, bytes, part);
        }
    }
    CHECK_INT(0, p_close(file));
    if (crew->rank == 0)
        verify(m, path);
    p_wait();
}

static struct crew crew_of(struct rng *r, int me, int n) {
    struct crew crew = {0};
    int parts = rng_below(r, 3) + 1, mine = 0, label[TEST_MAX_PES];
    for (int k = 0; k < n; k++) {
        label[k] = rng_below(r, parts);
        mine = k == me ? label[k] : mine;
    }
    for (int k = 0; k < n; k++)
        if (label[k] == mine) {
            crew.rank = k == me ? crew.size : crew.rank;
            crew.member[crew.size++] = k;
            crew.mask |= UINT64_C(1) << k;
        }
    return crew;
}

static int body(void *unused) {
    (void)unused;
    int me = p_iproc(), n = p_nproc();
    uint64_t seed = test_seed();
    struct model m = {.content = malloc(MOST + (1 << 20))};
    unsigned char *part = malloc(1000001);
    char folder[FOLDER], path[FOLDER + 32];
    CHECK(m.content && part);
    folder_make(folder);
    for (long i = 0; i * 3 * OPERATIONS <= test.operations; i++) { /* at least once */
        struct rng common = rng_for(seed, 1, (uint64_t)i, 0);
        p_enqueue(ALL_MASK);
        p_wait();
        struct crew crew = crew_of(&common, me, n);
        struct rng r = rng_for(seed, 2, (uint64_t)i, crew.mask);
        p_enqueue(crew.mask);
        snprintf(path, sizeof path, "%s/%d", folder, crew.member[0]);
        m.size = 0;
        use(&m, &r, &crew, path, "w", part);
        use(&m, &r, &crew, path, "r+", part);
        use(&m, &r, &crew, path, "r", part);
        if (crew.rank == 0)
            unlink(path);
    }
    p_enqueue(ALL_MASK);
    folder_remove(folder);
    free(m.content);
    free(part);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) { /* these, and faults.c */
        puts("p_open\np_read\np_write\np_seek\np_close\np_fileError");
        return TEST_PASSED;
    }
    return test_run(argc, argv, body);
}
