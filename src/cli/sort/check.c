#include "check.h"

#include <errno.h>
#include <papers.h>
#include <stdlib.h>

#include "engine/job.h"
#include "exchange/sort/crew.h"

enum { PART = 1 << 20 };

struct checking {
    const struct sort_records *records;
    const struct uno_sort_key *key;
    int pes;
    struct sort_checked of[UNO_MAX_PES];
};

/* The rounds of MurmurHash3's last step (Appleby), which let every bit of x change every bit of the result.
 */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdU;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53U;
    return x ^ x >> 33;
}

static uint64_t hash(const char *record, size_t bytes, uint64_t seed) {
    uint64_t h = seed ^ bytes;
    for (; bytes;) {
        uint64_t word = 0;
        size_t take = bytes < sizeof word ? bytes : sizeof word;
        memcpy(&word, record, take);
        h = mix(h ^ word) + 0x9e3779b97f4a7c15U;
        record += take;
        bytes -= take;
    }
    return mix(h);
}

/* The records `begin` to `end`, of which the first is compared with the one before it. */
static void check_part(struct checking *c, uint64_t begin, uint64_t end, struct sort_checked *checked) {
    size_t record = c->records->record;
    uint64_t at_once = PART / record ? PART / record : 1, before = 0;
    char *records = malloc(at_once * record);
    *checked = (struct sort_checked){.disorder = c->records->n, .error = records ? 0 : ENOMEM};
    if (begin && begin < end && !checked->error) {
        checked->error = sort_read(c->records->file, records, record, (begin - 1) * record);
        before = uno_sort_read(c->key, records);
    }
    for (uint64_t n; begin < end && !checked->error; begin += n) {
        n = end - begin < at_once ? end - begin : at_once;
        checked->error = sort_read(c->records->file, records, n * record, begin * record);
        for (uint64_t i = 0; i < n && !checked->error; i++) {
            const char *r = records + i * record;
            uint64_t value = uno_sort_read(c->key, r);
            if (value < before && checked->disorder == c->records->n)
                checked->disorder = begin + i;
            before = value;
            checked->sum[0] += hash(r, record, 1);
            checked->sum[1] += hash(r, record, 2);
        }
    }
    free(records);
}

static int check_pe(void *argument) {
    struct checking *c = argument;
    int me = p_iproc();
    check_part(c, uno_sort_part(c->records->n, me, c->pes), uno_sort_part(c->records->n, me + 1, c->pes),
               &c->of[me]);
    return 0;
}

void sort_check(const struct sort_records *records, const struct uno_sort_key *key, int pes,
                struct sort_checked *checked) {
    struct checking c = {.records = records, .key = key, .pes = pes};
    p_team(pes, check_pe, &c);
    *checked = (struct sort_checked){.disorder = records->n};
    for (int k = pes - 1; k >= 0; k--) {
        if (c.of[k].disorder < records->n)
            checked->disorder = c.of[k].disorder;
        if (c.of[k].error)
            checked->error = c.of[k].error;
        checked->sum[0] += c.of[k].sum[0];
        checked->sum[1] += c.of[k].sum[1];
    }
}
