/* unisono sort: a file of records, and reading and writing it in parts. */

#ifndef UNO_CLI_SORT_RECORDS_H
#define UNO_CLI_SORT_RECORDS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exchange/sort/key.h"
#include "engine/bytes.h"

struct sort_records {
    const char *path;
    int file;
    size_t record;
    uint64_t n;
};

/* Open a file that is to hold records of this size. Says what is wrong, and returns false, if it does not.
 * raw: take it for records, also if it looks like something else. */
bool sort_records_open(struct sort_records *records, const char *path, size_t record, bool raw);

/* Read all bytes. 0, or the error; ENODATA: the file ends before. */
static inline int sort_read(int file, char *to, uint64_t bytes, uint64_t at) {
    size_t got;
    int error = -uno_file_get(file, to, bytes, at, &got);
    return error || got == bytes ? error : ENODATA;
}

/* Let the system read bytes that will be wanted, while something else is done. */
static inline void sort_read_ahead(int file, uint64_t bytes, uint64_t at) {
    if (bytes)
        posix_fadvise(file, (off_t)at, (off_t)bytes, POSIX_FADV_WILLNEED);
}

/* The text of such an error. */
const char *sort_error(int error);

#endif
