/* Errors of files: every member learns of the same one, and no incomplete file looks complete. */

#include <errno.h>
#include <papers/file.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "harness.h"

enum { LARGE = 100000, SMALL = 100 };

static char folder[TEST_MAX_PES][FOLDER];

/* The path of a file in the folder. */
static const char *in_folder(const char *name) {
    static char path[TEST_MAX_PES][FOLDER + 64];
    snprintf(path[p_iproc()], sizeof path[0], "%s/%s", folder[p_iproc()], name);
    return path[p_iproc()];
}

/* Check that all members have got this error, of that PE. */
static void told(const char *path, const char *what, int culprit, int error) {
    char text[400];
    snprintf(text, sizeof text, "%s: cannot %s: PE %d: %s", path, what, culprit, strerror(error));
    if (strcmp(text, p_fileError()) != 0)
        test_fail("expected \"%s\", received \"%s\"", text, p_fileError());
}

static void make(const char *path, const char *text, mode_t mode) {
    if (p_enumerate() == 0) {
        FILE *f = fopen(path, "w");
        CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
        CHECK(chmod(path, mode) == 0);
    }
    p_wait();
}

static void holds(const char *path, const char *text) {
    char found[100] = "";
    p_wait();
    FILE *f = fopen(path, "r");
    CHECK(f);
    found[fread(found, 1, sizeof found - 1, f)] = 0;
    fclose(f);
    CHECK(strcmp(text, found) == 0);
    p_wait();
}

static void gone(const char *path) {
    p_wait();
    if (p_enumerate() == 0)
        CHECK(unlink(path) == 0);
    p_wait();
}

static void unopened(void) {
    const char *path = in_folder("none/file");
    CHECK_INT(-ENOENT, p_open(path, "w"));
    told(path, "open it", 0, ENOENT);
    CHECK_INT(-ENOENT, p_open(path, "r"));
    CHECK_INT(-ENOENT, p_open("", "w"));
    CHECK_INT(-EISDIR, p_open("/", "w"));
    CHECK_INT(-EISDIR, p_open("/", "r+"));
    CHECK_INT(-ETXTBSY, p_open("/proc/self/exe", "r+")); /* nobody may write a program that runs */
    if (geteuid()) {
        path = in_folder("sealed");
        make(path, "x", 0444);
        CHECK_INT(-EACCES, p_open(path, "r+"));
        gone(path);
    }
    path = in_folder("pipe");
    if (p_iproc() == 0)
        CHECK(mkfifo(path, 0600) == 0);
    p_wait();
    CHECK_INT(-ESPIPE, p_open(path, "r"));
    CHECK_INT(-ESPIPE, p_open(path, "w"));
    gone(path);
}

static void read_only(void) {
    char letter = 'y';
    const char *path = in_folder("read");
    make(path, "x", 0644);
    int f = p_open(path, "r");
    CHECK(f >= 0);
    CHECK_INT(-EBADF, p_write(f, &letter, 1));
    told(path, "write it", 0, EBADF);
    CHECK_INT(p_iproc() == 0, p_read(f, &letter, 1)); /* reading goes on */
    CHECK_INT(p_iproc() ? 'y' : 'x', letter);
    CHECK_INT(0, p_close(f));
    holds(path, "x");
    gone(path);
}

/* Write to the device that is always full. */
static void full(void) {
    static const char data[LARGE];
    int f = p_open("/dev/full", "w");
    CHECK(f >= 0);
    CHECK_INT(-ENOSPC, p_write(f, data, p_iproc() == p_nproc() - 1 ? LARGE : 0));
    told("/dev/full", "write it", p_nproc() - 1, ENOSPC);
    CHECK_INT(-ENOSPC, p_write(f, data, 0)); /* it stays so */
    CHECK_INT(-ENOSPC, p_seek(f, 0, SEEK_SET));
    CHECK_INT(-ENOSPC, p_close(f));
    /* small pieces, which are written later, except by members on several machines: the next operation
     * reports the error */
    int now = test_apart() ? -ENOSPC : SMALL;
    for (int end = 0; end < 4; end++) {
        f = p_open("/dev/full", "w");
        CHECK(f >= 0);
        CHECK_INT(now, p_write(f, data, SMALL));
        if (end == 1)
            CHECK_INT(-ENOSPC, p_seek(f, 0, SEEK_SET));
        if (end == 2)
            CHECK_INT(-ENOSPC, p_read(f, NULL, 0));
        for (int64_t i = 0, r = 0; end == 3 && r >= 0; i++) {
            r = p_write(f, data, SMALL);
            CHECK(r == SMALL || r == -ENOSPC);
            CHECK(i < (2 << 20) / SMALL);
        }
        CHECK_INT(-ENOSPC, p_close(f));
        told("/dev/full", "write it", 0, ENOSPC);
    }
}

/* Limit the bytes of files of this process; no signal reports more. */
static void limit(rlim_t bytes) {
    struct rlimit now;
    p_wait();
    CHECK(getrlimit(RLIMIT_FSIZE, &now) == 0);
    now.rlim_cur = bytes < now.rlim_max ? bytes : now.rlim_max;
    CHECK(setrlimit(RLIMIT_FSIZE, &now) == 0);
    p_wait();
}

static void no_room(const char *path, size_t bytes, int culprit) {
    static const char data[LARGE];
    int f = p_open(path, "w");
    CHECK(f >= 0);
    int64_t r = p_write(f, data, bytes);
    if (bytes > SMALL) {
        CHECK_INT(-EFBIG, r);
        told(path, "write it", culprit, EFBIG);
    }
    CHECK_INT(-EFBIG, p_close(f));
    told(path, "write it", culprit, EFBIG);
    holds(path, "before");
}

static void too_large(void) {
    char byte = 0;
    const char *path = in_folder("limited");
    make(path, "before", 0644);
    int last = p_nproc() - 1, f = p_open(in_folder("first"), "w"); /* its memory, before the limit */
    CHECK_INT(1, p_write(f, &byte, 1));
    CHECK_INT(0, p_close(f));
    signal(SIGXFSZ, SIG_IGN);
    gone(in_folder("first"));
    path = in_folder("limited");
    limit((rlim_t)last * LARGE + LARGE / 2); /* the part of the last member does not fit */
    no_room(path, LARGE, last);
    limit(10);
    no_room(path, SMALL, 0);
    limit(RLIM_INFINITY);
    gone(path);
}

/* The file ends within a member's part. */
static void short_reads(void) {
    static char part[TEST_MAX_PES][LARGE];
    const char *path = in_folder("short");
    int me = p_iproc(), n = p_nproc();
    int f = p_open(path, "w");
    for (int large = 0; large < 2; large++) {
        size_t bytes = large ? LARGE : SMALL;
        CHECK_INT(0, p_seek(f, 0, SEEK_SET));
        /* the last member has a half of its part, the others all of theirs */
        size_t mine = me == n - 1 ? bytes / 2 : bytes;
        memset(part[me], me + 1, bytes);
        CHECK_INT((int64_t)mine, p_write(f, part[me], mine));
        CHECK_INT(0, p_seek(f, 0, SEEK_SET));
        memset(part[me], 0, bytes);
        CHECK_INT((int64_t)mine, p_read(f, part[me], bytes));
        CHECK_INT(me + 1, part[me][mine - 1]);
        CHECK_INT(0, part[me][bytes - 1] * (me == n - 1));
        CHECK_INT(0, p_read(f, part[me], bytes));
        CHECK_INT((int64_t)(bytes * (size_t)n - bytes / 2), p_seek(f, 0, SEEK_CUR));
    }
    CHECK_INT(0, p_close(f));
    gone(path);
}

static void replaces(void) {
    char letter = (char)('a' + p_enumerate());
    const char *path = in_folder("old");
    struct stat is;
    make(path, "before", 0640);
    if (p_iproc() == 0)
        CHECK(symlink("old", in_folder("link")) == 0);
    p_wait();
    int f = p_open(in_folder("link"), "w");
    CHECK_INT(1, p_write(f, &letter, 1));
    CHECK_INT(p_nproc(), p_seek(f, 0, SEEK_CUR));
    holds(in_folder("old"), "before");
    int other = p_open(in_folder("old"), "r"); /* two at once, the old one and the new one */
    CHECK(other >= 0 && other != f);
    CHECK_INT(0, p_close(f));
    CHECK_INT(6, p_seek(other, 0, SEEK_END));
    CHECK_INT(0, p_close(other));
    CHECK(lstat(in_folder("link"), &is) == 0 && S_ISLNK(is.st_mode));
    CHECK(stat(in_folder("old"), &is) == 0 && (is.st_mode & 07777) == 0640);
    CHECK_INT(p_nproc(), (long long)is.st_size);
    gone(in_folder("link"));
    gone(in_folder("old"));
}

static int body(void *unused) {
    (void)unused;
    CHECK(*p_fileError() == 0);
    folder_make(folder[p_iproc()]);
    unopened();
    read_only();
    full();
    too_large();
    short_reads();
    replaces();
    if (test_apart()) {
        test_skips("a file without a name");
    } else { /* an open file is forgotten: the folder is empty */
        int f = p_open(in_folder("open"), "w");
        CHECK_INT(SMALL, p_write(f, folder[p_iproc()], SMALL));
    }
    folder_remove(folder[p_iproc()]);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
