#define _GNU_SOURCE
#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foreign.h"

bool sort_records_open(struct sort_records *records, const char *path, size_t record, bool raw) {
    struct stat is;
    *records = (struct sort_records){.path = path, .record = record};
    records->file = open(path, O_RDONLY | O_CLOEXEC);
    if (records->file < 0 || fstat(records->file, &is)) {
        fprintf(stderr, "unisono sort: %s: cannot read it: %s\n", path, strerror(errno));
        return false;
    }
    uint64_t bytes = (uint64_t)is.st_size;
    if (!S_ISREG(is.st_mode)) {
        fprintf(stderr, "unisono sort: %s: not a file of records\n", path);
    } else if (!raw && sort_foreign(path, records->file, bytes, record)) {
        ; /* which it has said */
    } else if (bytes % record) {
        fprintf(stderr, "unisono sort: %s: its size, %llu bytes, is no multiple of the record's, %zu\n", path,
                (unsigned long long)bytes, record);
    } else {
        records->n = bytes / record;
        return true;
    }
    close(records->file);
    return false;
}

const char *sort_error(int error) {
    return error == ENODATA ? "it ends before its size says" : strerror(error);
}
