#include "sort.h"

#include "engine/kernel.h"
#include "partition.h"

const char *const uno_sort_phase_names[UNO_SORT_PHASES] = {"sample", "count", "scatter", "local", "gather"};

struct sorter {
    struct uno_sort_pe_state pe;
    struct uno_sort_own *own;
    uint64_t joint; /* a bucket of more records is sorted by all PEs together */
    const struct uno_sort *sort;
    bool quiet; /* what is done is part of something that is counted as a whole */
};

static const struct uno_sort_crew nobody_else = {.pes = 1};

static void progress(const struct sorter *s, uint64_t records) {
    if (s->sort->progress && !s->quiet)
        s->sort->progress(s->sort->shown, records * s->sort->record);
}

/* ---- levels ------------------------------------------------------------------------------------------ */

enum where { TO, FROM, EITHER };

/* Sort the n records of `from`, into one of the two arrays. Returns true if they are in `from` then. */
static bool arrange(struct sorter *s, char *from, char *to, uint64_t n, enum where where);

/* As arrange(), but by this PE alone, and into `to` or `from` as it is asked. */
static void alone(struct sorter *s, char *from, char *to, uint64_t n, bool back) {
    if (n * s->pe.kernel->record <= UNO_SORT_LOCAL_BYTES) {
        s->pe.kernel->local(&s->pe.key, from, n, back ? from : to, &s->own->scratch);
        return;
    }
    struct uno_sort_pe_state with_others = s->pe;
    struct uno_sort_times unused = {0};
    bool quiet = s->quiet;
    s->pe.shared = &s->own->shared;
    s->pe.told = &s->own->told;
    s->pe.keys = NULL;
    s->pe.crew = &nobody_else;
    s->pe.times = &unused;
    s->quiet = true;
    arrange(s, from, to, n, back ? FROM : TO);
    s->pe = with_others;
    s->quiet = quiet;
}

static bool is_joint(const struct sorter *s, uint64_t n) {
    return s->pe.crew->pes > 1 && n > s->joint;
}

/* A level of a sort: records that have been dealt out, and how the rest of the work goes. */
struct level {
    char *from, *to;
    struct uno_sort_dealt dealt; /* into `to` */
    bool back;                   /* the result belongs into `from` */
    bool digit;                  /* buckets are sorted by dealt.digit */
    uint64_t low;                /* the least key that there can be in the first bucket */
};

static uint64_t records_in(const struct level *level, uint32_t b) {
    return level->dealt.start[b + 1] - level->dealt.start[b];
}

/* Finish records that are in order in `to`, from `begin` to `end`: copy them into `from` if they belong
 * there. */
static void leave(struct sorter *s, const struct level *level, uint64_t begin, uint64_t end) {
    size_t record = s->pe.kernel->record;
    if (level->back)
        memcpy(level->from + begin * record, level->to + begin * record, (end - begin) * record);
    progress(s, end - begin);
}

/* Finish a bucket with all PEs together. */
static void finish_together(struct sorter *s, const struct level *level, uint32_t b) {
    const struct uno_sort_crew *crew = s->pe.crew;
    uint64_t start = level->dealt.start[b], n = records_in(level, b);
    size_t at = start * s->pe.kernel->record;
    if (level->dealt.one_key[b])
        leave(s, level, start + uno_sort_begin(crew, n), start + uno_sort_end(crew, n));
    else
        arrange(s, level->to + at, level->from + at, n, level->back ? TO : FROM);
}

/* Sort a bucket by the digit in which alone its keys differ, back to where it was dealt out from. */
static void last_digit(struct sorter *s, const struct level *level, uint32_t b) {
    struct uno_sort_deal *deal = &s->own->deal;
    const uint32_t values = 1U << level->dealt.digit, first = b << level->dealt.digit;
    size_t record = s->pe.kernel->record;
    uint64_t *place = s->own->scratch.place, at = level->dealt.start[b];
    deal->low = level->low + first;
    deal->shift = 0;
    deal->way = UNO_SORT_DIRECT;
    deal->cells = deal->buckets = values;
    for (uint32_t d = 0; d < values; d++) {
        place[d] = at;
        for (int k = 0; k < s->pe.crew->pes; k++)
            at += s->pe.keys[k].count[first + d];
    }
    s->pe.kernel->scatter(&s->pe.key, deal, level->to + level->dealt.start[b] * record, records_in(level, b),
                          level->from, true, &s->own->scratch);
}

static void finish(struct sorter *s, const struct level *level, uint32_t b) {
    size_t at = level->dealt.start[b] * s->pe.kernel->record;
    uint64_t n = records_in(level, b);
    if (level->dealt.one_key[b]) {
        leave(s, level, level->dealt.start[b], level->dealt.start[b + 1]);
        return;
    }
    if (level->digit)
        last_digit(s, level, b);
    else
        alone(s, level->to + at, level->from + at, n, !level->back);
    progress(s, n);
}

/* Finish the buckets that are small enough for one PE: each is taken by the PE that comes first. */
static void share_out(struct sorter *s, const struct level *level) {
    bool others = s->pe.crew->pes > 1;
    if (s->pe.crew->me == 0 && others)
        uno_store32_relaxed(&s->pe.shared->next, 0);
    uno_sort_meet(s->pe.crew);
    uint64_t t0 = uno_kernel_now();
    for (uint32_t i = 0, b;
         (b = others ? uno_add32_seq_cst(&s->pe.shared->next, 1) : i++) < level->dealt.buckets;) {
        uint64_t n = records_in(level, b);
        if (n && !is_joint(s, n))
            finish(s, level, b);
    }
    s->pe.times->ns[UNO_SORT_LOCAL] += uno_kernel_now() - t0;
    uno_sort_meet(s->pe.crew);
}

static bool arrange(struct sorter *s, char *from, char *to, uint64_t n, enum where where) {
    struct level level;
    if (!uno_sort_partition(&s->pe, from, to, n, &level.dealt)) {
        uint64_t begin = uno_sort_begin(s->pe.crew, n), end = uno_sort_end(s->pe.crew, n);
        size_t record = s->pe.kernel->record;
        if (where == TO)
            memcpy(to + begin * record, from + begin * record, (end - begin) * record);
        progress(s, end - begin);
        uno_sort_meet(s->pe.crew);
        return where != TO;
    }
    level.from = from;
    level.to = to;
    level.digit = where != TO && level.dealt.digit;
    level.back = where == FROM || level.digit;
    level.low = s->pe.deal->low;
    for (uint32_t b = 0; b < level.dealt.buckets; b++)
        if (is_joint(s, records_in(&level, b)))
            finish_together(s, &level, b);
    share_out(s, &level);
    return level.back;
}

/* Tell whether the records are in order (`up`), or strictly the other way round (`down`). If they are in no
 * order at all, each PE looks at only a few of them. */
static void look_at_order(struct sorter *s, const char *from, uint64_t n, bool *up, bool *down) {
    const struct uno_sort_crew *crew = s->pe.crew;
    uint64_t begin = uno_sort_begin(crew, n), end = uno_sort_end(crew, n);
    begin -= begin ? 1 : 0;
    struct uno_sort_told *told = &s->pe.told[crew->me];
    from += begin * s->pe.kernel->record;
    told->up = s->pe.kernel->ordered(&s->pe.key, from, end - begin, false);
    told->down = s->pe.kernel->ordered(&s->pe.key, from, end - begin, true);
    uno_sort_meet(crew);
    *up = *down = true;
    for (int k = 0; k < crew->pes; k++) {
        *up &= s->pe.told[k].up;
        *down &= s->pe.told[k].down;
    }
    uno_sort_meet(crew);
}

static void reverse(struct sorter *s, char *records, uint64_t n) {
    const struct uno_sort_crew *crew = s->pe.crew;
    s->pe.kernel->reverse(records, n, uno_sort_begin(crew, n / 2), uno_sort_end(crew, n / 2));
    uno_sort_meet(crew);
}

/* ---- all --------------------------------------------------------------------------------------------- */

/* Sort the records. Returns true if they are in `from` then; otherwise they are in `to`. */
static bool sort_records(struct sorter *s, char *from, char *to, uint64_t n) {
    const struct uno_sort_crew *crew = s->pe.crew;
    s->joint = n / (20 * (unsigned)crew->pes);
    uint64_t t0 = uno_kernel_now();
    if (n * s->pe.kernel->record <= UNO_SORT_ALONE_BYTES) {
        if (crew->me == 0 && n) {
            alone(s, from, to, n, false);
            progress(s, n);
        }
        s->pe.times->ns[UNO_SORT_LOCAL] += uno_kernel_now() - t0;
        uno_sort_meet(crew);
        return false;
    }
    bool up, down;
    look_at_order(s, from, n, &up, &down);
    if (down)
        reverse(s, from, n);
    s->pe.times->ns[UNO_SORT_SAMPLE] += uno_kernel_now() - t0;
    if (up || down)
        progress(s, uno_sort_end(crew, n) - uno_sort_begin(crew, n));
    return up || down || arrange(s, from, to, n, EITHER);
}

/* Sort the keys of the records, each with the record's number; and then fetch the records in that order. */
static void sort_pairs(struct sorter *s, struct uno_sort_pair *from) {
    const struct uno_sort *sort = s->sort;
    struct uno_sort_pair *to = from + sort->n;
    const struct uno_sort_crew *crew = s->pe.crew;
    uint64_t begin = uno_sort_begin(crew, sort->n), end = uno_sort_end(crew, sort->n), t0 = uno_kernel_now();
    for (uint64_t i = begin; i < end; i++)
        from[i] = (struct uno_sort_pair){uno_sort_read(&sort->key, sort->from + i * sort->record), i};
    uint64_t t1 = uno_kernel_now();
    uno_sort_meet(crew);
    struct uno_sort_pair *order = sort_records(s, (char *)from, (char *)to, sort->n) ? from : to;
    uint64_t t2 = uno_kernel_now();
    for (uint64_t i = begin; i < end; i++) {
        enum { AHEAD = 16 };
        if (i + AHEAD < end)
            __builtin_prefetch(sort->from + order[i + AHEAD].number * sort->record);
        memcpy(sort->to + i * sort->record, sort->from + order[i].number * sort->record, sort->record);
    }
    s->pe.times->ns[UNO_SORT_GATHER] += t1 - t0 + uno_kernel_now() - t2;
    uno_sort_meet(crew);
}

char *uno_sort(const struct uno_sort *sort, const struct uno_sort_crew *crew, void *own,
               struct uno_sort_times *times) {
    struct sorter s = {.own = own, .sort = sort};
    s.pe = (struct uno_sort_pe_state){
        .kernel = sort->kernel,
        .key = sort->by,
        .crew = crew,
        .shared = (struct uno_sort_shared *)(void *)sort->work,
        .told = (struct uno_sort_told *)(void *)(sort->work + sort->told),
        .keys = sort->keys ? (struct uno_sort_keys *)(void *)(sort->work + sort->keys) : NULL,
        .deal = &s.own->deal,
        .scratch = &s.own->scratch,
        .times = times};
    *times = (struct uno_sort_times){0};
    if (!sort->pairs)
        return sort_records(&s, sort->from, sort->to, sort->n) ? sort->from : sort->to;
    sort_pairs(&s, (struct uno_sort_pair *)(void *)(sort->work + sort->pairs));
    return sort->to;
}
