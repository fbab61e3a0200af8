/* The basic rates, by loops that do nothing else; and the permutations, by the functions of exchange.h and,
 * packed, by a loop into a buffer for each PE, p_allToAllv, and a loop out of it. */

#include <exchange.h>
#include <string.h>

#include "engine/copy.h"
#include "engine/job.h"
#include "least.h"
#include "model.h"
#include "table.h"

enum { LINE = 4096, AHEAD = 32 };

/* An element that travels with its destination. */
struct pair {
    uint64_t index, value;
};

/* The job that the PEs share: its sizes and its results. */
struct job {
    int n, repetitions;
    size_t words;
    struct uno_measured *measured; /* written by PE 0 */
    bool short_of_memory;          /* likewise */
};

struct bench {
    int me, n, repetitions;
    size_t words;
    uint64_t *data, *out, *index; /* of all parts */
    struct pair *send, *receive;  /* of all parts */
    uint64_t *own, *own_index;    /* this PE's parts of data and index */
    /* bytes and places of the packed elements */
    size_t to_bytes[UNO_MAX_PES], to_at[UNO_MAX_PES], from_bytes[UNO_MAX_PES], from_at[UNO_MAX_PES];
    struct uno_copies copies;
    uint64_t sum; /* makes the compiler keep the loads */
};

/* ---- loops -----------------------------------------------------------------------------------------------
 * Each loop handles `words` elements of a part of out. */

typedef void loop(struct bench *b, uint64_t *part);

static void load_contiguous(struct bench *b, uint64_t *part) {
    uint64_t sum[4] = {0};
    for (size_t i = 0; i < b->words; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += part[i + (size_t)k];
    b->sum += sum[0] + sum[1] + sum[2] + sum[3];
}

static void load_by_table(struct bench *b, uint64_t *part) {
    uint64_t sum = 0;
    for (size_t i = 0; i < b->words; i++) {
        __builtin_prefetch(&part[b->own_index[i + AHEAD < b->words ? i + AHEAD : i]], 0);
        sum += part[b->own_index[i]];
    }
    b->sum += sum;
}

/* Store contiguous words, loaded from a few lines that stay in the first cache. */
static void store_contiguous(struct bench *b, uint64_t *part) {
    static const char zeros[LINE];
    size_t bytes = b->words * sizeof *part, step = bytes < LINE ? bytes : LINE;
    uno_copy *copy = uno_copy_begin(&b->copies, bytes);
    for (size_t at = 0; at < bytes; at += step)
        copy((char *)part + at, zeros, step);
    uno_copy_end(&b->copies);
}

static void store_by_table(struct bench *b, uint64_t *part) {
    for (size_t i = 0; i < b->words; i++) {
        __builtin_prefetch(&part[b->own_index[i + AHEAD < b->words ? i + AHEAD : i]], 1);
        part[b->own_index[i]] = i;
    }
}

/* Pack elements into a buffer for each PE, in turn. */
static void pack(struct bench *b, uint64_t *unused) {
    size_t at[UNO_MAX_PES];
    struct pair *send = b->send + (size_t)b->me * b->words;
    unsigned shift = (unsigned)__builtin_ctzll(b->words);
    (void)unused;
    for (int r = 0; r < b->n; r++)
        at[r] = b->from_at[r] / sizeof *send;
    for (size_t i = 0; i < b->words; i++) {
        uint64_t to = b->own_index[i];
        send[at[to >> shift]++] = (struct pair){to, b->own[i]};
    }
}

/* ---- time -------------------------------------------------------------------------------------------- */

struct timed {
    struct bench *b;
    loop *loop;
    uint64_t *part;
};

static void run(void *argument) {
    struct timed *timed = argument;
    timed->loop(timed->b, timed->part);
}

/* Return the MB/s of the slowest PE. */
static double rate(struct bench *b, loop *loop, uint64_t *part) {
    struct timed timed = {b, loop, part};
    return (double)(b->words * sizeof *part) / uno_model_least(run, &timed, b->repetitions) * 1e3;
}

static void measure_basic(struct bench *b, struct uno_basic *basic) {
    static loop *const loads[] = {load_contiguous, load_by_table, load_by_table, load_by_table};
    static loop *const stores[] = {store_contiguous, store_by_table, store_by_table, store_by_table};
    for (int pattern = 0; pattern < UNO_PATTERNS; pattern++) {
        bool anywhere = pattern == UNO_ANYWHERE;
        if (anywhere)
            uno_table_permutation(b->own_index, UNO_RANDOM, b->me, b->n, b->words);
        else
            uno_table_local(b->own_index, (enum uno_access)pattern, b->words);
        for (int place = 0; place < (anywhere ? 1 : UNO_PLACES); place++) {
            uint64_t *part = anywhere ? b->out : b->out + (size_t)((b->me + place) % b->n) * b->words;
            basic->load[pattern][place] = rate(b, loads[pattern], part);
            basic->store[pattern][place] = rate(b, stores[pattern], part);
        }
    }
}

/* ---- permutations ------------------------------------------------------------------------------------ */

static void block(struct bench *b, uint64_t *part) {
    p_allToAll(part, b->own, b->words / (size_t)b->n * sizeof *part);
}

static void chained(struct bench *b, uint64_t *unused) {
    (void)unused;
    p_permutePut(b->out, b->words * (size_t)b->n, b->own, b->own_index, b->words, sizeof *b->out);
}

/* Count the elements that go to each PE, and those that come from it. */
static void count(struct bench *b) {
    unsigned shift = (unsigned)__builtin_ctzll(b->words);
    size_t from = 0, to = 0;
    memset(b->from_bytes, 0, sizeof b->from_bytes);
    for (size_t i = 0; i < b->words; i++)
        b->from_bytes[b->own_index[i] >> shift] += sizeof(struct pair);
    p_allToAll(b->to_bytes, b->from_bytes, sizeof *b->to_bytes);
    for (int r = 0; r < b->n; r++) {
        b->from_at[r] = from;
        b->to_at[r] = to;
        from += b->from_bytes[r];
        to += b->to_bytes[r];
    }
}

static void packed(struct bench *b, uint64_t *part) {
    struct pair *in = b->receive + (size_t)b->me * b->words;
    size_t first = (size_t)b->me * b->words;
    count(b);
    pack(b, NULL);
    p_allToAllv(in, b->to_bytes, b->to_at, b->send + (size_t)b->me * b->words, b->from_bytes, b->from_at);
    for (size_t i = 0; i < b->words; i++) {
        __builtin_prefetch(&part[in[i + AHEAD < b->words ? i + AHEAD : i].index - first], 1);
        part[in[i].index - first] = in[i].value;
    }
}

/* End with an error unless every element is where it belongs. Its value is its number. */
static void check(struct bench *b, const char *name) {
    size_t first = (size_t)b->me * b->words;
    p_wait();
    for (size_t i = 0; i < b->words; i++)
        if (b->out[b->own_index[i]] != first + i)
            p_error(name);
    p_wait();
    memset(b->out + first, 0xff, b->words * sizeof *b->out);
}

/* The same check for blocks, whose elements have no table of places. */
static void check_blocks(struct bench *b, const char *name) {
    size_t size = b->words / (size_t)b->n;
    const uint64_t *part = b->out + (size_t)b->me * b->words;
    for (size_t r = 0; r < (size_t)b->n; r++)
        for (size_t i = 0; i < size; i++)
            if (part[r * size + i] != r * b->words + (size_t)b->me * size + i)
                p_error(name);
}

static void measure_permutations(struct bench *b, struct uno_measured *measured) {
    static const char *const wrong[] = {
        "block: an element is not where it belongs", "transpose: an element is not where it belongs",
        "grouped: an element is not where it belongs", "random: an element is not where it belongs"};
    uint64_t *part = b->out + (size_t)b->me * b->words;
    for (size_t i = 0; i < b->words; i++)
        b->own[i] = (size_t)b->me * b->words + i;
    measured->chained[UNO_BLOCK] = rate(b, block, part);
    check_blocks(b, wrong[UNO_BLOCK]);
    for (int permutation = UNO_TRANSPOSE; permutation < UNO_PERMUTATIONS; permutation++) {
        uno_table_permutation(b->own_index, (enum uno_permutation)permutation, b->me, b->n, b->words);
        measured->chained[permutation] = rate(b, chained, NULL);
        check(b, wrong[permutation]);
        measured->packed[permutation] = rate(b, packed, part);
        check(b, wrong[permutation]);
    }
    measured->basic.pack = rate(b, pack, NULL);
}

static int body(void *argument) {
    struct job *job = argument;
    static _Thread_local struct bench b;
    struct uno_measured measured = {.packed = {0}};
    size_t words = job->words * (size_t)job->n;
    b = (struct bench){.me = p_iproc(), .n = job->n, .repetitions = job->repetitions, .words = job->words};
    b.data = p_alloc(words * sizeof *b.data);
    b.out = b.data ? p_alloc(words * sizeof *b.out) : NULL;
    b.index = b.out ? p_alloc(words * sizeof *b.index) : NULL;
    b.send = b.index ? p_alloc(words * sizeof *b.send) : NULL;
    b.receive = b.send ? p_alloc(words * sizeof *b.receive) : NULL;
    if (!b.receive) { /* at every PE */
        if (b.me == 0)
            job->short_of_memory = true;
        return 0;
    }
    b.own = b.data + (size_t)b.me * b.words;
    b.own_index = b.index + (size_t)b.me * b.words;
    measure_basic(&b, &measured.basic);
    measure_permutations(&b, &measured);
    if (b.me == 0)
        *job->measured = measured;
    return 0;
}

bool uno_model_measure(int n, size_t words, int repetitions, struct uno_measured *measured) {
    struct job job = {.n = n, .repetitions = repetitions, .words = words, .measured = measured};
    p_team(n, body, &job);
    return !job.short_of_memory;
}
