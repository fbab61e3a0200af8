/* unisono sort --check: is a file in order, and does it hold the records of another? */

#ifndef UNO_CLI_SORT_CHECK_H
#define UNO_CLI_SORT_CHECK_H

#include "records.h"

struct sort_checked {
    uint64_t
        disorder; /* the number of the first record that is less than the one before it; n: there is none */
    uint64_t sum[2]; /* a hash of all records, whatever their order */
    int error;       /* of reading */
};

/* Read a file of records with so many PEs. */
void sort_check(const struct sort_records *records, const struct uno_sort_key *key, int pes,
                struct sort_checked *checked);

#endif
