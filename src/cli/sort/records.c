#define _GNU_SOURCE
#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sort_records_open(struct sort_records *records, const char *path, size_t record) {
    struct stat is;
    *records = (struct sort_records){.path = path, .record = record};
    records->file = open(path, O_RDONLY | O_CLOEXEC);
    if (records->file < 0 || fstat(records->file, &is)) {
        fprintf(stderr, "unisono sort: %s: cannot read it: %s\n", path, strerror(errno));
        return false;
    }
    if (!S_ISREG(is.st_mode))
        fprintf(stderr, "unisono sort: %s: not a file of records\n", path);
    else if ((uint64_t)is.st_size % record)
        fprintf(stderr, "unisono sort: %s: its size, %llu bytes, is no multiple of the record's, %zu\n", path,
                (unsigned long long)is.st_size, record);
    else {
        records->n = (uint64_t)is.st_size / record;
        return true;
    }
    close(records->file);
    return false;
}

int sort_read(int file, char *to, uint64_t bytes, uint64_t at) {
    while (bytes) {
        ssize_t got = pread(file, to, bytes, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got ? errno : ENODATA;
        to += got;
        at += (uint64_t)got;
        bytes -= (uint64_t)got;
    }
    return 0;
}

void sort_read_ahead(int file, uint64_t bytes, uint64_t at) {
    if (bytes)
        posix_fadvise(file, (off_t)at, (off_t)bytes, POSIX_FADV_WILLNEED);
}

int sort_write(int file, const char *from, uint64_t bytes, uint64_t at) {
    while (bytes) {
        ssize_t put = pwrite(file, from, bytes, (off_t)at);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return put ? errno : EIO;
        from += put;
        at += (uint64_t)put;
        bytes -= (uint64_t)put;
    }
    return 0;
}

const char *sort_error(int error) {
    return error == ENODATA ? "it ends before its size says" : strerror(error);
}
