#include "check.h"

#include <papers.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/common/print.h"
#include "engine/job.h"
#include "exchange/sort/crew.h"
#include "records.h"

enum { PART = 1 << 20 };

struct checked {
    uint64_t
        disorder; /* the number of the first record that is less than the one before it; n: there is none */
    uint64_t sum[2]; /* a hash of all records, whatever their order */
    int error;       /* of reading */
};

struct checking {
    const struct sort_records *records;
    const struct uno_sort_key *key;
    int pes;
    struct checked of[UNO_MAX_PES];
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
static void check_part(struct checking *c, uint64_t begin, uint64_t end, struct checked *checked) {
    size_t record = c->records->record;
    uint64_t at_once = PART / record ? PART / record : 1, before = 0;
    char *records = malloc(at_once * record);
    *checked = (struct checked){.disorder = c->records->n, .error = records ? 0 : ENOMEM};
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

static void check_all(const struct sort_records *records, const struct uno_sort_key *key, int pes,
                      struct checked *checked) {
    struct checking c = {.records = records, .key = key, .pes = pes};
    p_team(pes, check_pe, &c);
    *checked = (struct checked){.disorder = records->n};
    for (int k = pes - 1; k >= 0; k--) {
        if (c.of[k].disorder < records->n)
            checked->disorder = c.of[k].disorder;
        if (c.of[k].error)
            checked->error = c.of[k].error;
        checked->sum[0] += c.of[k].sum[0];
        checked->sum[1] += c.of[k].sum[1];
    }
}

/* False: the file cannot be read, which has been said. */
static bool look(const struct sort_request *request, const char *path, struct sort_records *records,
                 struct checked *checked) {
    if (!sort_records_open(records, path, request->record, request->raw))
        return false;
    check_all(records, &request->key, request->n, checked);
    close(records->file);
    if (checked->error)
        fprintf(stderr, "unisono sort: %s: cannot read it: %s\n", path, sort_error(checked->error));
    return !checked->error;
}

int sort_check(const struct sort_request *request) {
    struct sort_records sorted, given;
    struct checked in_order, in_given;
    const char *path = request->out ? request->out : request->in;
    if (!look(request, path, &sorted, &in_order) ||
        (request->out && !look(request, request->in, &given, &in_given)))
        return SORT_TROUBLE;
    bool ordered = in_order.disorder == sorted.n;
    bool same = !request->out || (sorted.n == given.n && in_order.sum[0] == in_given.sum[0] &&
                                  in_order.sum[1] == in_given.sum[1]);
    if (!ordered)
        fprintf(stderr, "unisono sort: %s: record %llu, counted from 0, is less than the one before it\n",
                path, (unsigned long long)in_order.disorder);
    if (!same)
        fprintf(stderr, "unisono sort: %s: its records are not those of %s\n", path, request->in);
    int status = ordered && same ? EXIT_SUCCESS : SORT_DISORDER;
    if (!request->json)
        return status;
    json_t *object = json_pack("{s:I, s:b}", "records", (json_int_t)sorted.n, "ordered", ordered);
    if (object && request->out)
        json_object_set_new(object, "same_records", json_boolean(same));
    return print_json(object, "unisono sort") ? SORT_TROUBLE : status;
}
