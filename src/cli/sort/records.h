/* unisono sort: a file of records, and reading and writing it in parts. */

#ifndef UNO_CLI_SORT_RECORDS_H
#define UNO_CLI_SORT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exchange/sort/key.h"

struct sort_records {
    const char *path;
    int file;
    size_t record;
    uint64_t n;
};

/* Open a file that is to hold records of this size. Says what is wrong, and returns false, if it does not.
 * raw: take it for records, also if it looks like something else. */
bool sort_records_open(struct sort_records *records, const char *path, size_t record, bool raw);

/* Read or write all bytes. 0, or the error; ENODATA: the file ends before. */
int sort_read(int file, char *to, uint64_t bytes, uint64_t at);
int sort_write(int file, const char *from, uint64_t bytes, uint64_t at);

/* Let the system read bytes that will be wanted, while something else is done. */
void sort_read_ahead(int file, uint64_t bytes, uint64_t at);

/* The text of such an error. */
const char *sort_error(int error);

#endif
