#include "sort.h"

#include "engine/kernel.h"
#include "partition.h"

const char *const uno_sort_phase_names[UNO_SORT_PHASES] = {"sample", "count", "scatter", "local", "gather"};

/* A record that no kernel is made for, as it is sorted: its key, and which it was. */
struct pair {
    uint64_t value, number;
};

/* What a PE has for itself. */
struct own {
    struct uno_sort_deal deal;
    struct uno_sort_scratch scratch;
    struct uno_sort_shared shared; /* these stand for what the crew shares, while this PE works alone */
    struct uno_sort_told told;
};

struct sorter {
    struct uno_sort_pe_state pe;
    struct own *own;
    uint64_t joint; /* a bucket of more records is sorted by all PEs together */
    const struct uno_sort *sort;
    bool quiet; /* what is done is part of something that is counted as a whole */
};

static const struct uno_sort_crew nobody_else = {.pes = 1};

static void progress(const struct sorter *s, uint64_t records) {
    if (s->sort->progress && !s->quiet)
        s->sort->progress(s->sort->shown, records * s->sort->record);
}

/* Where the part of PE `me` of n things begins. */
static uint64_t part(const struct uno_sort_crew *crew, uint64_t n, int me) {
    return (uint64_t)((unsigned __int128)n * (unsigned)me / (unsigned)crew->pes);
}

static void meet(const struct uno_sort_crew *crew) {
    if (crew->pes > 1)
        crew->wait();
}

/* ---- levels ----------------------------------------------------------------------------------------------
 */

/* Sort the n records of `from`. They come into `to`, or into `from` if `back`. */
static void arrange(struct sorter *s, char *from, char *to, uint64_t n, bool back);

/* As arrange(), but by this PE alone. */
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
    s->pe.crew = &nobody_else;
    s->pe.times = &unused;
    s->quiet = true;
    arrange(s, from, to, n, back);
    s->pe = with_others;
    s->quiet = quiet;
}

static bool is_joint(const struct sorter *s, uint64_t n) {
    return s->pe.crew->pes > 1 && n > s->joint;
}

/* Sort the bucket of the records `begin` to `end`, which are in `to`. */
static void finish(struct sorter *s, char *from, char *to, uint64_t begin, uint64_t end, bool back) {
    size_t at = begin * s->pe.kernel->record;
    alone(s, to + at, from + at, end - begin, !back);
}

/* The buckets that are small enough for one PE: each is taken by whoever comes first. */
static void share_out(struct sorter *s, char *from, char *to, uint32_t buckets, const uint64_t *start,
                      bool back) {
    bool others = s->pe.crew->pes > 1;
    if (s->pe.crew->me == 0 && others)
        uno_store32_relaxed(&s->pe.shared->next, 0);
    meet(s->pe.crew);
    uint64_t t0 = uno_kernel_now();
    for (uint32_t i = 0, b; (b = others ? uno_add32_seq_cst(&s->pe.shared->next, 1) : i++) < buckets;) {
        uint64_t n = start[b + 1] - start[b];
        if (!n || is_joint(s, n))
            continue;
        finish(s, from, to, start[b], start[b + 1], back);
        progress(s, n);
    }
    s->pe.times->ns[UNO_SORT_LOCAL] += uno_kernel_now() - t0;
    meet(s->pe.crew);
}

static void arrange(struct sorter *s, char *from, char *to, uint64_t n, bool back) {
    uint64_t start[UNO_SORT_BUCKETS + 1];
    size_t record = s->pe.kernel->record;
    uint32_t buckets = uno_sort_partition(&s->pe, from, to, n, start);
    uint64_t begin = part(s->pe.crew, n, s->pe.crew->me), end = part(s->pe.crew, n, s->pe.crew->me + 1);
    if (!buckets) {
        if (!back)
            memcpy(to + begin * record, from + begin * record, (end - begin) * record);
        progress(s, end - begin);
        meet(s->pe.crew);
        return;
    }
    for (uint32_t b = 0; b < buckets; b++)
        if (is_joint(s, start[b + 1] - start[b]))
            arrange(s, to + start[b] * record, from + start[b] * record, start[b + 1] - start[b], !back);
    share_out(s, from, to, buckets, start, back);
}

/* ---- all -------------------------------------------------------------------------------------------------
 */

/* What is done alone by the first PE. */
enum { SMALL_BYTES = 64 * 1024 };

static void sort_records(struct sorter *s, char *from, char *to, uint64_t n) {
    const struct uno_sort_crew *crew = s->pe.crew;
    s->joint = n / (20 * (unsigned)crew->pes);
    if (n * s->pe.kernel->record > SMALL_BYTES) {
        arrange(s, from, to, n, false);
        return;
    }
    uint64_t t0 = uno_kernel_now();
    if (crew->me == 0 && n) {
        alone(s, from, to, n, false);
        progress(s, n);
    }
    s->pe.times->ns[UNO_SORT_LOCAL] += uno_kernel_now() - t0;
    meet(crew);
}

/* Sort the keys of the records, each with the record's number; and then fetch the records in that order. */
static void sort_pairs(struct sorter *s, struct pair *from, struct pair *to) {
    const struct uno_sort *sort = s->sort;
    const struct uno_sort_crew *crew = s->pe.crew;
    uint64_t begin = part(crew, sort->n, crew->me), end = part(crew, sort->n, crew->me + 1),
             t0 = uno_kernel_now();
    for (uint64_t i = begin; i < end; i++)
        from[i] = (struct pair){uno_sort_read(&sort->key, sort->key.bytes, sort->from + i * sort->record), i};
    uint64_t t1 = uno_kernel_now();
    meet(crew);
    sort_records(s, (char *)from, (char *)to, sort->n);
    uint64_t t2 = uno_kernel_now();
    for (uint64_t i = begin; i < end; i++) {
        enum { AHEAD = 16 };
        if (i + AHEAD < end)
            __builtin_prefetch(sort->from + to[i + AHEAD].number * sort->record);
        memcpy(sort->to + i * sort->record, sort->from + to[i].number * sort->record, sort->record);
    }
    s->pe.times->ns[UNO_SORT_GATHER] += t1 - t0 + uno_kernel_now() - t2;
    meet(crew);
}

static size_t shared_size(int pes) {
    return sizeof(struct uno_sort_shared) + (size_t)pes * sizeof(struct uno_sort_told);
}

size_t uno_sort_work(uint64_t n, size_t record, unsigned key_bytes, int pes) {
    return shared_size(pes) + (uno_sort_kernel(record, key_bytes) ? 0 : 2 * n * sizeof(struct pair));
}

size_t uno_sort_own(void) {
    return sizeof(struct own);
}

void uno_sort(const struct uno_sort *sort, const struct uno_sort_crew *crew, void *own,
              struct uno_sort_times *times) {
    struct sorter s = {.own = own, .sort = sort};
    s.pe = (struct uno_sort_pe_state){
        .kernel = uno_sort_kernel(sort->record, sort->key.bytes),
        .key = sort->key,
        .crew = crew,
        .shared = sort->work,
        .told = (struct uno_sort_told *)(void *)((char *)sort->work + sizeof(struct uno_sort_shared)),
        .deal = &s.own->deal,
        .scratch = &s.own->scratch,
        .times = times};
    *times = (struct uno_sort_times){0};
    if (s.pe.kernel) {
        sort_records(&s, sort->from, sort->to, sort->n);
        return;
    }
    uno_sort_key(&s.pe.key, "u64", offsetof(struct pair, value));
    s.pe.kernel = uno_sort_kernel(sizeof(struct pair), s.pe.key.bytes);
    struct pair *pairs = (struct pair *)(void *)((char *)sort->work + shared_size(crew->pes));
    sort_pairs(&s, pairs, pairs + sort->n);
}
