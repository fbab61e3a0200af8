/* The phases of p_sort, predicted by the copy-transfer model and measured, as in the paper's Table 3. Records
 * have 8 bytes, and keys are spread evenly. */

#ifndef UNO_SORT_MODEL_H
#define UNO_SORT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "exchange/sort/sort.h"

/* The keys that are sorted: the paper's 16-bit keys with 48 bits of payload, and 64-bit keys alone. */
enum uno_model_key { UNO_MODEL_U16, UNO_MODEL_U64, UNO_MODEL_KEYS };

enum { UNO_MODEL_RECORD = 8, UNO_MODEL_MOST_RECORDS = 1 << 29 /* of which each bucket fits the caches */ };

/* The sort's decisions for a given number of records (src/exchange/sort/). */
struct uno_sort_plan {
    uint64_t records;
    int pes;
    bool alone;       /* so few records that the first PE sorts all of them, as one bucket */
    bool past;        /* buckets are written past the caches */
    unsigned buckets; /* buckets of the first pass */
    unsigned shift;   /* bits of a key below those that name the bucket */
    bool twice;       /* the rest of the key is a digit by which buckets are dealt out again, past the caches;
                         else they are sorted within the caches */
    uint64_t in_bucket; /* records of a bucket */
    unsigned digit;     /* bits of a key by which a bucket is sorted at once */
};

struct uno_sort_plan uno_model_sort_plan(enum uno_model_key key, uint64_t records, int pes);

/* The basic rates, in MB/s of a PE while all PEs do the same, on arrays as large as those that are sorted. */
struct uno_sort_rates {
    double load, store; /* contiguous; stores past the caches where there is too much for them */
    double strided;     /* loads of a sample */
    double count;       /* load a record, and add 1 to the counter of its bucket; of its key if `twice` */
    double collect;     /* load a record, and store it in its bucket's row, which stays in a cache */
    double digit_count; /* as count, by a digit, for as many records as a bucket has, in a cache */
    double digit_store; /* load such records, and store each in its place by that digit, in a cache */
    double copy;        /* contiguous, from a cache, and through the caches */
};

/* Return the time of a phase by the model, in us; 0 if the sort does not have the phase. */
double uno_model_sort_phase(const struct uno_sort_plan *plan, const struct uno_sort_rates *rates,
                            enum uno_sort_phase phase);

struct uno_sort_measured {
    struct uno_sort_plan plan;
    struct uno_sort_rates rates;
    double phase[UNO_SORT_PHASES]; /* us of the slowest PE */
    double sort;                   /* us of all phases, and of the waits between them */
};

/* Measure with n PEs that are threads, and keep the least time of so many repetitions. Every result is
 * checked, and the process ends with an error if it is wrong. False: memory is short. */
bool uno_model_sort_measure(int n, uint64_t records, int repetitions,
                            struct uno_sort_measured measured[UNO_MODEL_KEYS]);

#endif
