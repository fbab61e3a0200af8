#define _GNU_SOURCE
#include "merge.h"

#include <errno.h>
#include <fcntl.h>
#include <papers.h>

#define INLINE static inline __attribute__((always_inline))

/* One run's records in this PE's part of the result. */
struct source {
    uint64_t at, end;        /* those not read yet, numbered within all runs */
    char *buffer;            /* of those read: */
    const char *next, *last; /* the first that is not merged, and where they end */
};

/* A source in the tournament: the key of its next record, and below that its number, so that of equal keys
 * the one of the earlier run wins. */
typedef unsigned __int128 entry;

struct merge {
    struct sort_team *team;
    const struct sort_runs *runs;
    struct source *source;
    entry *loser;     /* of each match of the tournament */
    uint32_t leaves;  /* a power of two; sources beyond the last run are empty */
    uint64_t at_once; /* records of a buffer */
    int error;
};

/* ---- where a PE's part begins ------------------------------------------------------------------------ */

static uint64_t run_begin(const struct sort_runs *runs, uint64_t r) {
    return r < runs->count ? r * runs->length : runs->n;
}

static uint64_t key_at(struct merge *m, uint64_t i) {
    const struct sort_request *request = m->team->request;
    char *record = m->source[0].buffer; /* nothing has been read there yet */
    int error = sort_read(m->runs->file, record, request->record, i * request->record);
    if (error)
        m->error = error;
    return error ? 0 : uno_sort_read(&request->key, record);
}

/* Return how many records of run r have keys below `key`, or, if `equal`, not above it. */
static uint64_t below(struct merge *m, uint64_t r, uint64_t key, bool equal) {
    uint64_t low = run_begin(m->runs, r), high = run_begin(m->runs, r + 1), begin = low;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, k = key_at(m, middle);
        if (k < key || (equal && k == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low - begin;
}

static uint64_t below_in_all(struct merge *m, uint64_t key, bool equal) {
    uint64_t n = 0;
    for (uint64_t r = 0; r < m->runs->count; r++)
        n += below(m, r, key, equal);
    return n;
}

/* Find where each run is cut so that `rank` records lie before the cuts, and none of them belongs behind a
 * record that lies behind the cuts. place[r] is the number of a record of run r. */
static void cut(struct merge *m, uint64_t rank, uint64_t *place) {
    const struct sort_runs *runs = m->runs;
    uint64_t low = 0, high = UINT64_MAX >> (64 - 8 * m->team->request->key.bytes);
    if (rank == runs->n) {
        for (uint64_t r = 0; r < runs->count; r++)
            place[r] = run_begin(runs, r + 1);
        return;
    }
    /* The key of the record with this rank is the least key that more than `rank` records are not above. */
    while (low < high && !m->error) {
        uint64_t middle = low + (high - low) / 2;
        if (below_in_all(m, middle, true) > rank)
            high = middle;
        else
            low = middle + 1;
    }
    uint64_t left =
        rank - below_in_all(m, low, false); /* of the records with that key, those of the first runs */
    for (uint64_t r = 0; r < runs->count && !m->error; r++) {
        uint64_t less = below(m, r, low, false), equal = below(m, r, low, true) - less;
        uint64_t take = equal < left ? equal : left;
        place[r] = run_begin(runs, r) + less + take;
        left -= take;
    }
}

/* ---- merging ----------------------------------------------------------------------------------------- */

/* Have the source's next records, if there are any, and let the system read the ones after those meanwhile.
 */
static void refill(struct merge *m, struct source *s) {
    size_t record = m->team->request->record;
    uint64_t n = s->end - s->at < m->at_once ? s->end - s->at : m->at_once;
    s->next = s->last = s->buffer;
    if (!n || m->error)
        return;
    m->error = sort_read(m->runs->file, s->buffer, n * record, s->at * record);
    s->last += n * record;
    s->at += n;
    uint64_t after = s->end - s->at < m->at_once ? s->end - s->at : m->at_once;
    sort_read_ahead(m->runs->file, after * record, s->at * record);
    sort_progress_done(&m->team->progress, n * record);
}

/* The bytes of a key, and of a record, as constants where there are loops for them. */
INLINE entry enter(struct merge *m, uint32_t i, unsigned bytes) {
    static const uint64_t AFTER_ALL = 1U << 31; /* above the number of a source: it is empty */
    const struct uno_sort_key *key = &m->team->request->key;
    struct source *s = &m->source[i];
    if (s->next == s->last)
        refill(m, s);
    if (s->next == s->last)
        return (entry)UINT64_MAX << 64 | AFTER_ALL | i;
    return (entry)uno_sort_read_as(key, bytes, true, s->next) << 64 | i;
}

/* The first round of a tree of losers (Knuth, volume 3, 5.4.1), from the last match to the first. `won` has
 * room for the winners of all matches. The winner of all. */
static entry begin_tournament(struct merge *m, entry *won) {
    for (uint32_t i = 0; i < m->leaves; i++)
        won[m->leaves + i] = enter(m, i, m->team->request->key.bytes);
    for (uint32_t match = m->leaves - 1; match; match--) {
        entry a = won[2 * match], b = won[2 * match + 1];
        won[match] = a < b ? a : b;
        m->loser[match] = a < b ? b : a;
    }
    return won[1];
}

static int write_out(struct merge *m, const char *from, uint64_t n, uint64_t at) {
    size_t record = m->team->request->record;
    int file = m->team->output.as.file, error = -uno_file_put(file, from, n * record, at * record);
    if (error)
        return error;
    /* It has to be on the disk in the end: the system may begin now. */
    sync_file_range(file, (off_t)(at * record), (off_t)(n * record), SYNC_FILE_RANGE_WRITE);
    sort_progress_done(&m->team->progress, n * record);
    return 0;
}

/* Each record plays the matches from its source's leaf up to the last. The winners are random, so a branch
 * that depends on them could not be predicted. */
INLINE int merge_all(struct merge *m, uint64_t begin, uint64_t end, char *out, entry winner, size_t record,
                     unsigned bytes) {
    uint64_t filled = 0;
    int error = 0;
    for (uint64_t i = begin; i < end && !m->error && !error; i++) {
        uint32_t source = (uint32_t)winner;
        memcpy(out + filled++ * record, m->source[source].next, record);
        m->source[source].next += record;
        winner = enter(m, source, bytes);
        for (uint32_t match = (source + m->leaves) / 2; match; match /= 2) {
            entry other = m->loser[match];
            bool wins = winner < other;
            m->loser[match] = wins ? other : winner;
            winner = wins ? winner : other;
        }
        if (filled < m->at_once && i + 1 < end)
            continue;
        error = write_out(m, out, filled, i + 1 - filled);
        filled = 0;
    }
    return error;
}

static int merge_part(struct merge *m, uint64_t begin, uint64_t end, char *out, entry winner) {
    size_t record = m->team->request->record;
    unsigned bytes = m->team->request->key.bytes;
    if (record == 8 && bytes == 8)
        return merge_all(m, begin, end, out, winner, 8, 8);
    if (record == 8)
        return merge_all(m, begin, end, out, winner, 8, bytes);
    if (record == 16 && bytes == 8)
        return merge_all(m, begin, end, out, winner, 16, 8);
    return merge_all(m, begin, end, out, winner, record, bytes);
}

static uint32_t leaves_for(uint64_t runs) {
    uint32_t leaves = 2;
    while (leaves < runs)
        leaves *= 2;
    return leaves;
}

/* Return the bytes of memory that a PE needs beside its buffers. */
static uint64_t tables(uint64_t runs) {
    uint64_t leaves = leaves_for(runs);
    return leaves * (sizeof(struct source) + 3 * sizeof(entry) + 2 * sizeof(uint64_t));
}

uint64_t sort_merge_least(const struct sort_request *request, uint64_t runs) {
    enum { BUFFER = 64 * 1024 };
    return tables(runs) + (runs + 1) * (request->record > BUFFER ? request->record : BUFFER);
}

/* Blocks that are large for a disk, but no larger: what is read ahead takes as much memory again. */
static uint64_t records_at_once(uint64_t bytes, uint64_t runs, size_t record) {
    enum { LARGE = 4 << 20 };
    uint64_t room = bytes / (runs + 1);
    return room > LARGE && record <= LARGE ? LARGE / record : room / record;
}

bool sort_merge(struct sort_team *team, const struct sort_runs *runs, char *memory, uint64_t bytes) {
    size_t record = team->request->record;
    struct merge m = {.team = team, .runs = runs, .leaves = leaves_for(runs->count)};
    char *buffers = memory + tables(runs->count);
    m.loser = (entry *)(void *)memory;
    m.source = (struct source *)(void *)(m.loser + 3 * m.leaves);
    uint64_t *first = (uint64_t *)(void *)(m.source + m.leaves), *last = first + m.leaves;
    m.at_once = records_at_once(bytes - tables(runs->count), runs->count, record);
    memset(memory, 0, tables(runs->count));
    for (uint64_t r = 0; r < runs->count; r++)
        m.source[r].buffer = buffers + r * m.at_once * record;
    uint64_t begin = uno_sort_part(runs->n, p_iproc(), team->request->n);
    uint64_t end = uno_sort_part(runs->n, p_iproc() + 1, team->request->n);
    cut(&m, begin, first);
    cut(&m, end, last);
    for (uint64_t r = 0; r < runs->count; r++) {
        m.source[r].at = first[r];
        m.source[r].end = last[r];
    }
    entry winner = begin_tournament(&m, m.loser + m.leaves);
    int error = m.error ? 0 : merge_part(&m, begin, end, buffers + runs->count * m.at_once * record, winner);
    sort_team_failed(team, runs->path, "cannot read the runs there", m.error);
    sort_team_failed(team, team->output.as.path, "cannot write it", error);
    return !p_any(m.error || error);
}
