/* The basic rates of a sort, by loops that do nothing else, and the sort itself. */

#include "sort_model.h"

#include <papers.h>
#include <exchange.h>
#include <stdlib.h>

#include "engine/copy.h"
#include "engine/kernel.h"
#include "exchange/sort/kernel.h"
#include "least.h"

enum { WORDS_AT_LEAST = 1 << 16, CHUNK = 4096 }; /* of a loop, else it is repeated; bytes copied at once */

/* The job that the PEs share: its sizes and its results. */
struct job {
    int n, repetitions;
    uint64_t records;
    struct uno_sort_measured *measured; /* written by PE 0 */
    bool short_of_memory;               /* likewise */
};

/* The memory of one PE for counters and for collecting rows. */
struct room {
    uint64_t counter[UNO_SORT_CELLS];
    uint32_t digit[1 << UNO_SORT_DIGIT];
    _Alignas(UNO_LINE) char rows[UNO_SORT_ROWS * UNO_SORT_ROW];
    _Alignas(UNO_LINE) char chunk[CHUNK];
    uint64_t places[UNO_SORT_LOCAL_BYTES / UNO_MODEL_RECORD];
};

_Static_assert(UNO_SORT_ROWS *UNO_SORT_ROW == UNO_SORT_BUCKETS * UNO_LINE, "rows of any number of buckets");

struct sorter {
    int me, repetitions;
    enum uno_model_key key;
    struct uno_sort_plan plan;
    uint64_t *unsorted, *from, *to; /* all records */
    uint64_t first, words;          /* of this PE's part */
    uint64_t block;                 /* records that the loops within a cache go over */
    uint64_t times;                 /* that a loop is repeated */
    char *work;
    void *own;
    struct room *room;
    uint64_t sum; /* makes the compiler keep the loads */
};

static uint64_t value(const struct sorter *s, uint64_t record) {
    return s->key == UNO_MODEL_U16 ? record & 0xffff : record;
}

/* Return the highest bits of a key below those of the bucket. */
static uint64_t digit_of(const struct sorter *s, uint64_t record) {
    return value(s, record) >> (s->plan.shift - s->plan.digit) & ((UINT64_C(1) << s->plan.digit) - 1);
}

/* ---- loops ------------------------------------------------------------------------------------------ Each
 * loop goes over this PE's part `times` times. It works on a copy of the sorter: so the compiler knows that
 * no store changes it. */

static void load(void *sorter) {
    const struct sorter s = *(const struct sorter *)sorter;
    uint64_t sum = 0;
    for (uint64_t t = 0; t < s.times; t++)
        for (uint64_t i = 0; i < s.words; i++)
            sum += s.from[s.first + i] ^ t;
    ((struct sorter *)sorter)->sum += sum;
}

static void store_by(const struct sorter *s, uno_copy *copy) {
    char *to = (char *)(s->to + s->first);
    uint64_t bytes = s->words * UNO_MODEL_RECORD;
    for (uint64_t t = 0; t < s->times; t++)
        for (uint64_t at = 0; at < bytes; at += CHUNK)
            copy(to + at, s->room->chunk, bytes - at < CHUNK ? bytes - at : CHUNK);
}

static void store(void *sorter) {
    const struct sorter *s = sorter;
    store_by(s, s->plan.past ? uno_copy_past : memcpy);
}

static void copy(void *sorter) {
    store_by(sorter, memcpy);
}

/* Return how many keys of the whole sample this PE takes. */
static uint64_t sampled(const struct sorter *s) {
    uint64_t keys = uno_sort_sampled(s->plan.records) / (unsigned)s->plan.pes;
    return keys < s->words ? keys : s->words;
}

static void load_strided(void *sorter) {
    const struct sorter s = *(const struct sorter *)sorter;
    uint64_t sum = 0, keys = sampled(&s), stride = s.words / keys;
    for (uint64_t t = 0; t < s.times; t++)
        for (uint64_t i = 0; i < keys; i++)
            sum += s.from[s.first + i * stride] ^ t;
    ((struct sorter *)sorter)->sum += sum;
}

/* Find the buckets of the next records, at most UNO_SORT_AT_ONCE, by the bits from `shift` on. Return how
 * many. */
static inline uint64_t find(const struct sorter *s, uint64_t i, unsigned shift, uint16_t *bucket) {
    uint64_t some = s->words - i < UNO_SORT_AT_ONCE ? s->words - i : UNO_SORT_AT_ONCE;
    for (uint64_t k = 0; k < some; k++)
        bucket[k] = (uint16_t)(s->plan.alone ? 0 : value(s, s->from[s->first + i + k]) >> shift);
    return some;
}

static void count(void *sorter) {
    const struct sorter s = *(const struct sorter *)sorter;
    const unsigned shift = s.plan.twice ? 0 : s.plan.shift;
    uint16_t bucket[UNO_SORT_AT_ONCE];
    for (uint64_t t = 0; t < s.times; t++)
        for (uint64_t i = 0, some; i < s.words; i += some) {
            some = find(&s, i, shift, bucket);
            for (uint64_t k = 0; k < some; k++)
                s.room->counter[bucket[k]]++;
        }
}

static inline __attribute__((always_inline)) void collect_in(const struct sorter *sorter, uint64_t row) {
    const struct sorter s = *sorter;
    uint16_t bucket[UNO_SORT_AT_ONCE];
    for (uint64_t t = 0; t < s.times; t++)
        for (uint64_t i = 0, some; i < s.words; i += some) {
            some = find(&s, i, s.plan.shift, bucket);
            for (uint64_t k = 0; k < some; k++) {
                uint64_t at = s.room->counter[bucket[k]]++;
                memcpy(s.room->rows + bucket[k] * row + at * UNO_MODEL_RECORD % row, &s.from[s.first + i + k],
                       UNO_MODEL_RECORD);
            }
        }
}

static void collect(void *sorter) {
    const struct sorter *s = sorter;
    if (s->plan.buckets > UNO_SORT_ROWS)
        collect_in(s, UNO_LINE);
    else
        collect_in(s, UNO_SORT_ROW);
}

/* Return the block of records that the loops within a cache go over again and again. */
static const uint64_t *block(const struct sorter *s) {
    uint64_t last = s->plan.records - s->block;
    return s->from + (s->first < last ? s->first : last);
}

/* Count digits: the counters of every bucket begin at 0 and are added up. */
static void count_digit(void *sorter) {
    const struct sorter s = *(const struct sorter *)sorter;
    uint64_t values = UINT64_C(1) << s.plan.digit;
    uint32_t *digit = s.room->digit;
    const uint64_t *records = block(&s);
    for (uint64_t done = 0; done < s.times * s.words; done += s.block) {
        memset(digit, 0, values * sizeof *digit);
        for (uint64_t i = 0; i < s.block; i++)
            digit[digit_of(&s, records[i])]++;
        for (uint64_t d = 1; d < values; d++)
            digit[d] += digit[d - 1];
    }
}

/* Store by digits: each value of a digit has equally many places, which are used again and again. */
static void store_digit(void *sorter) {
    const struct sorter s = *(const struct sorter *)sorter;
    uint64_t values = UINT64_C(1) << s.plan.digit;
    uint32_t *digit = s.room->digit;
    const uint64_t *records = block(&s);
    for (uint64_t d = 0; d < values; d++)
        digit[d] = (uint32_t)(d * s.block / values);
    for (uint64_t done = 0; done < s.times * s.words; done += s.block)
        for (uint64_t i = 0; i < s.block; i++)
            s.room->places[digit[digit_of(&s, records[i])]++ & (s.block - 1)] = records[i];
}

/* ---- rates -------------------------------------------------------------------------------------------- */

/* Return the MB/s of the slowest PE for a loop that handles so many records each time; the loops of digits
 * handle whole blocks. */
static double rate(struct sorter *s, void (*loop)(void *), uint64_t records) {
    double ns = uno_model_least(loop, s, s->repetitions);
    return (double)(records * UNO_MODEL_RECORD) / ns * 1e3;
}

static struct uno_sort_rates measure_rates(struct sorter *s) {
    uint64_t all = s->times * s->words, blocks = (all + s->block - 1) / s->block * s->block;
    struct uno_sort_rates rates = {.load = rate(s, load, all),
                                   .store = rate(s, store, all),
                                   .strided = rate(s, load_strided, s->times * sampled(s)),
                                   .count = rate(s, count, all),
                                   .collect = rate(s, collect, all),
                                   .digit_count = rate(s, count_digit, blocks),
                                   .digit_store = rate(s, store_digit, blocks),
                                   .copy = rate(s, copy, all)};
    return rates;
}

/* ---- the sort ----------------------------------------------------------------------------------------- */

/* End with an error unless the records are in order and are those of the input: the sum and the exclusive or
 * of all are the same. Records with the same 16 bits are ordered by their payload, which is their number. */
static void check(const struct sorter *s, const uint64_t *sorted) {
    uint64_t sum = 0, bits = 0;
    for (uint64_t i = 0; i < s->plan.records; i++) {
        uint64_t before = sorted[i ? i - 1 : 0], here = sorted[i];
        if (value(s, before) > value(s, here) || (value(s, before) == value(s, here) && before > here))
            p_error("sort: a record is not where it belongs");
        sum += here - s->unsorted[i];
        bits ^= here ^ s->unsorted[i];
    }
    if (sum || bits)
        p_error("sort: not the same records");
}

static void measure_sort(struct sorter *s, struct uno_sort_measured *measured) {
    struct uno_sort_key by;
    uno_sort_key(&by, s->key == UNO_MODEL_U16 ? "u16" : "u64", 0);
    struct uno_sort sort = uno_sort_prepare(s->plan.records, UNO_MODEL_RECORD, &by, s->plan.pes);
    sort.from = (char *)s->from;
    sort.to = (char *)s->to;
    sort.work = s->work;
    struct uno_sort_crew crew = {.pes = s->plan.pes, .me = s->me, .wait = p_wait};
    for (int i = 0; i < s->repetitions; i++) {
        struct uno_sort_times times;
        memcpy(s->from + s->first, s->unsorted + s->first, s->words * UNO_MODEL_RECORD);
        p_wait();
        uint64_t began = uno_kernel_now();
        const char *sorted = uno_sort(&sort, &crew, s->own, &times);
        double us = p_reduceMaxd((double)(uno_kernel_now() - began)) / 1e3;
        bool least = i == 0 || us < measured->sort;
        measured->sort = least ? us : measured->sort;
        for (int phase = 0; phase < UNO_SORT_PHASES; phase++) {
            double slowest = p_reduceMaxd((double)times.ns[phase]) / 1e3;
            measured->phase[phase] = least ? slowest : measured->phase[phase];
        }
        if (s->me == 0)
            check(s, (const uint64_t *)(const void *)sorted);
        p_wait();
    }
}

/* Return the n-th number of the sequence splitmix64 (Steele, Lea and Flood). */
static uint64_t random_at(uint64_t n) {
    uint64_t z = (n + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

static void fill(struct sorter *s) {
    for (uint64_t i = s->first; i < s->first + s->words; i++) {
        uint64_t key = random_at(i);
        s->unsorted[i] = s->from[i] = s->key == UNO_MODEL_U16 ? key >> 48 | i << 16 : key;
    }
    p_wait();
}

static bool take(struct sorter *s, uint64_t records) {
    struct uno_sort_key key;
    uno_sort_key(&key, "u64", 0);
    struct uno_sort sort = uno_sort_prepare(records, UNO_MODEL_RECORD, &key, s->plan.pes);
    s->unsorted = p_alloc(records * UNO_MODEL_RECORD);
    s->from = p_alloc(records * UNO_MODEL_RECORD);
    s->to = p_alloc(records * UNO_MODEL_RECORD);
    s->work = p_alloc(sort.work_bytes);
    s->own = aligned_alloc(UNO_SORT_ALIGN, sort.own_bytes);
    s->room = aligned_alloc(_Alignof(struct room), sizeof *s->room);
    if (s->room)
        memset(s->room, 0, sizeof *s->room);
    return p_all(s->unsorted && s->from && s->to && s->work && s->own && s->room);
}

/* Return the records of a block that can be sorted within the caches: a power of 2. */
static uint64_t block_records(const struct uno_sort_plan *plan) {
    uint64_t most = UNO_SORT_LOCAL_BYTES / UNO_MODEL_RECORD;
    return UINT64_C(1) << (63 - __builtin_clzll(plan->in_bucket < most ? plan->in_bucket : most));
}

static int body(void *argument) {
    struct job *job = argument;
    struct sorter s = {.me = p_iproc(), .repetitions = job->repetitions, .plan = {.pes = job->n}};
    bool there = take(&s, job->records);
    if (!there && s.me == 0)
        job->short_of_memory = true;
    s.first = uno_sort_part(job->records, s.me, job->n);
    s.words = uno_sort_part(job->records, s.me + 1, job->n) - s.first;
    s.times = s.words < WORDS_AT_LEAST ? WORDS_AT_LEAST / s.words : 1;
    for (int key = 0; key < UNO_MODEL_KEYS && there; key++) {
        struct uno_sort_measured measured = {
            .plan = uno_model_sort_plan((enum uno_model_key)key, job->records, job->n)};
        s.key = (enum uno_model_key)key;
        s.plan = measured.plan;
        s.block = block_records(&s.plan);
        fill(&s);
        measured.rates = measure_rates(&s);
        measure_sort(&s, &measured);
        if (s.me == 0)
            job->measured[key] = measured;
    }
    free(s.own);
    free(s.room);
    return 0;
}

bool uno_model_sort_measure(int n, uint64_t records, int repetitions,
                            struct uno_sort_measured measured[UNO_MODEL_KEYS]) {
    struct job job = {.n = n, .repetitions = repetitions, .records = records, .measured = measured};
    p_team(n, body, &job);
    return !job.short_of_memory;
}
