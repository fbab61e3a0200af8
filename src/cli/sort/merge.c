#include "merge.h"

#include <errno.h>
#include <papers.h>

/* One run's records in this PE's part of the result. */
struct source {
    uint64_t at, end;    /* those not read yet, numbered within all runs */
    char *buffer;        /* of those read, */
    uint64_t have, next; /* how many there are, and the first not merged */
    uint64_t key;        /* of that one */
};

struct merge {
    struct sort_team *team;
    const struct sort_runs *runs;
    struct source *source;
    uint32_t *loser;  /* of each match of the tournament; loser[0] has the winner of all */
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

/* How many records of run r have keys below `key`, or, if `equal`, not above it. */
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

/* Where each run is cut so that `rank` records lie before the cuts, and none of them belongs after one that
 * lies behind. place[r] is a record of run r. */
static void cut(struct merge *m, uint64_t rank, uint64_t *place) {
    const struct sort_runs *runs = m->runs;
    uint64_t low = 0, high = UINT64_MAX >> (64 - 8 * m->team->request->key.bytes);
    if (rank == runs->n) {
        for (uint64_t r = 0; r < runs->count; r++)
            place[r] = run_begin(runs, r + 1);
        return;
    }
    /* The key of the record with this rank: the least of which more records are not above it than `rank`. */
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

static const uint64_t NO_KEY = UINT64_MAX;

static bool is_empty(const struct source *s) {
    return s->next == s->have && s->at == s->end;
}

/* Make the first record that is not merged the source's own. */
static void look(struct merge *m, struct source *s) {
    const struct sort_request *request = m->team->request;
    if (s->next == s->have && s->at < s->end && !m->error) {
        s->have = s->end - s->at < m->at_once ? s->end - s->at : m->at_once;
        s->next = 0;
        m->error = sort_read(m->runs->file, s->buffer, s->have * request->record, s->at * request->record);
        s->at += s->have;
        sort_progress_done(&m->team->progress, s->have * request->record);
    }
    s->key = is_empty(s) ? NO_KEY : uno_sort_read(&request->key, s->buffer + s->next * request->record);
}

/* Whether source a's record comes before b's. An empty source comes after all others. */
static bool before(const struct merge *m, uint32_t a, uint32_t b) {
    const struct source *x = &m->source[a], *y = &m->source[b];
    if (x->key != y->key)
        return x->key < y->key;
    if (x->key == NO_KEY && is_empty(x) != is_empty(y))
        return is_empty(y);
    return a < b;
}

/* Play the matches from this source's leaf up to the last: a tree of losers (Knuth, volume 3, 5.4.1). */
static void play(struct merge *m, uint32_t winner) {
    for (uint32_t match = (winner + m->leaves) / 2; match; match /= 2)
        if (before(m, m->loser[match], winner)) {
            uint32_t other = m->loser[match];
            m->loser[match] = winner;
            winner = other;
        }
    m->loser[0] = winner;
}

/* The first round, from the last match to the first. `won` has room for the winners of all matches. */
static void begin_tournament(struct merge *m, uint32_t *won) {
    for (uint32_t i = 0; i < m->leaves; i++)
        won[m->leaves + i] = i;
    for (uint32_t match = m->leaves - 1; match; match--) {
        uint32_t a = won[2 * match], b = won[2 * match + 1];
        bool first = before(m, a, b);
        won[match] = first ? a : b;
        m->loser[match] = first ? b : a;
    }
    m->loser[0] = won[1];
}

static int merge_part(struct merge *m, uint64_t begin, uint64_t end, char *out) {
    size_t record = m->team->request->record;
    int file = m->team->output.file;
    uint64_t filled = 0;
    for (uint64_t i = begin; i < end && !m->error; i++) {
        struct source *s = &m->source[m->loser[0]];
        memcpy(out + filled++ * record, s->buffer + s->next++ * record, record);
        look(m, s);
        play(m, m->loser[0]);
        if (filled < m->at_once && i + 1 < end)
            continue;
        int error = sort_write(file, out, filled * record, (i + 1 - filled) * record);
        if (error)
            return error;
        sort_progress_done(&m->team->progress, filled * record);
        filled = 0;
    }
    return 0;
}

static uint32_t leaves_for(uint64_t runs) {
    uint32_t leaves = 2;
    while (leaves < runs)
        leaves *= 2;
    return leaves;
}

/* What a PE needs beside its buffers. */
static uint64_t tables(uint64_t runs) {
    uint64_t leaves = leaves_for(runs);
    return leaves * (sizeof(struct source) + 3 * sizeof(uint32_t) + 2 * sizeof(uint64_t));
}

uint64_t sort_merge_least(const struct sort_request *request, uint64_t runs) {
    enum { BUFFER = 64 * 1024 };
    return tables(runs) + (runs + 1) * (request->record > BUFFER ? request->record : BUFFER);
}

bool sort_merge(struct sort_team *team, const struct sort_runs *runs, char *memory, uint64_t bytes) {
    size_t record = team->request->record;
    struct merge m = {.team = team, .runs = runs, .leaves = leaves_for(runs->count)};
    char *buffers = memory + tables(runs->count);
    uint64_t *first = (uint64_t *)(void *)memory, *last = first + m.leaves;
    m.at_once = (bytes - tables(runs->count)) / (runs->count + 1) / record;
    m.source = (struct source *)(void *)(last + m.leaves);
    m.loser = (uint32_t *)(void *)(m.source + m.leaves);
    memset(memory, 0, tables(runs->count));
    for (uint64_t r = 0; r < runs->count; r++)
        m.source[r].buffer = buffers + r * m.at_once * record;
    uint64_t begin = uno_sort_part(runs->n, p_iproc(), team->request->n);
    uint64_t end = uno_sort_part(runs->n, p_iproc() + 1, team->request->n);
    cut(&m, begin, first);
    cut(&m, end, last);
    for (uint64_t r = 0; r < m.leaves; r++) {
        if (r < runs->count) {
            m.source[r].at = first[r];
            m.source[r].end = last[r];
        }
        look(&m, &m.source[r]);
    }
    begin_tournament(&m, m.loser + m.leaves);
    int error = m.error ? 0 : merge_part(&m, begin, end, buffers + runs->count * m.at_once * record);
    sort_team_failed(team, runs->path, "cannot read the runs there", m.error);
    sort_team_failed(team, team->output.path, "cannot write it", error);
    return !p_any(m.error || error);
}
