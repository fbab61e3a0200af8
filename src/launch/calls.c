#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "observe/share.h"
#include "places.h"

/* ---- growing arrays ---------------------------------------------------------------------------------- */

/* Return room for one more element behind `count`; NULL: memory is short. */
static void *one_more(void **array, int count, size_t size) {
    if ((count & (count - 1)) == 0) { /* a power of two, or 0: it is full */
        void *larger = realloc(*array, (size_t)(count ? 2 * count : 1) * size);
        if (!larger)
            return NULL;
        *array = larger;
    }
    return memset((char *)*array + (size_t)count * size, 0, size);
}

/* ---- what a rank has recorded, which a program may have written over -------------------------------------
 */

static const char *text_at(const struct uno_seen_rank *rank, uint32_t at) {
    bool ends = at < UNO_SEEN_TEXT && memchr(rank->text + at, 0, UNO_SEEN_TEXT - at);
    return ends ? rank->text + at : "";
}

static uint32_t at_most(uint32_t count, uint32_t most) {
    return count < most ? count : most;
}

/* ---- sites ------------------------------------------------------------------------------------------- */

/* The names by which a site is found again. */
struct site_key {
    const struct uno_calls *calls;
    const char *function, *place;
};

static bool same_site(const void *argument, int number) {
    const struct site_key *key = argument;
    const struct uno_call_site *site = &key->calls->site[number];
    return strcmp(site->place, key->place) == 0 && strcmp(site->function, key->function) == 0;
}

static uint64_t text_hash(const char *text, uint64_t hash) {
    while (*text)
        hash = hash * 31 + (unsigned char)*text++;
    return hash;
}

static int site_named(struct uno_calls *calls, const char *function, const char *place) {
    struct site_key key = {calls, function, place};
    uint64_t hash = uno_index_hash(text_hash(function, 0), text_hash(place, 0));
    int found = uno_index_find(&calls->site_index, hash, same_site, &key);
    if (found >= 0)
        return found;
    struct uno_call_site *site = one_more((void **)&calls->site, calls->sites, sizeof *site);
    if (!site)
        return -1;
    site->function = strdup(function);
    site->place = strdup(place);
    site->rank = calloc((size_t)calls->n, sizeof *site->rank);
    if (!site->function || !site->place || !site->rank ||
        !uno_index_add(&calls->site_index, hash, calls->sites)) {
        free(site->function);
        free(site->place);
        free(site->rank);
        return -1;
    }
    return calls->sites++;
}

static int comm_of(struct uno_calls *calls, const struct uno_seen_comm *from) {
    for (int i = 0; i < calls->comms; i++)
        if (calls->comm[i].id == from->id)
            return i;
    struct uno_call_comm *comm = one_more((void **)&calls->comm, calls->comms, sizeof *comm);
    if (!comm)
        return -1;
    comm->id = from->id;
    comm->size = from->size;
    memcpy(comm->name, from->name, sizeof comm->name);
    comm->name[sizeof comm->name - 1] = 0;
    return calls->comms++;
}

void uno_calls_place(struct uno_places *places, const struct uno_seen_rank *rank, uint32_t number, char *text,
                     size_t bytes) {
    const struct uno_seen_site *site = &rank->table[number];
    const char *file = text_at(rank, site->file);
    if (!number)
        snprintf(text, bytes, "more places than fit");
    else if (site->address)
        uno_places_find(places, file, site->address, text, bytes);
    else
        snprintf(text, bytes, "%s", file);
}

/* Write the place of a site of rank k, as its machine has told it, or as it is found here. */
static void find_place(const struct uno_calls *calls, struct uno_places *places, int k, uint32_t number,
                       char *text, size_t bytes) {
    const char *told = calls->far ? calls->far->place[(size_t)k * UNO_SEEN_SITES + number] : NULL;
    if (calls->far)
        snprintf(text, bytes, "%s", told ? told : "");
    else
        uno_calls_place(places, uno_seen_rank(calls->memory, k), number, text, bytes);
}

/* Add a site of rank k. Return its number in the sum, or -1. */
static int add_site(struct uno_calls *calls, struct uno_places *places, int k, uint32_t number) {
    const struct uno_seen_rank *rank = uno_seen_rank(calls->memory, k);
    const struct uno_seen_site *from = &rank->table[number];
    const char *function = text_at(rank, from->function);
    double scale = calls->clock[k].scale;
    char place[UNO_PLACE_TEXT];
    find_place(calls, places, k, number, place, sizeof place);
    int i = site_named(calls, number ? function : "others", place);
    if (i < 0)
        return -1;
    struct uno_call_site *site = &calls->site[i];
    double waited = 0;
    for (int w = 0; w < UNO_SEEN_WAITS; w++) {
        site->waited[w] += (double)from->waited[w] * scale;
        waited += (double)from->waited[w] * scale;
    }
    double ns = (double)from->ticks * scale, longest = (double)from->longest * scale;
    site->calls += from->calls;
    site->bytes += from->bytes;
    site->ns += ns;
    site->longest = longest > site->longest ? longest : site->longest;
    site->all_waited += waited;
    site->rank[k].calls += from->calls;
    site->rank[k].bytes += from->bytes;
    site->rank[k].ns += ns;
    site->rank[k].waited += waited;
    int c = from->comm && from->comm < at_most(rank->comms, UNO_SEEN_COMMS)
                ? comm_of(calls, &rank->comm[from->comm])
                : -1;
    if (c >= 0) {
        calls->comm[c].calls += from->calls;
        calls->comm[c].bytes += from->bytes;
        calls->comm[c].ns += ns;
        calls->comm[c].waited += waited;
    }
    return i;
}

/* ---- blames ------------------------------------------------------------------------------------------ */

struct blame_key {
    const struct uno_calls *calls;
    struct uno_call_blame blame;
};

static bool same_blame(const void *argument, int number) {
    const struct blame_key *key = argument;
    const struct uno_call_blame *a = &key->calls->blame[number], *b = &key->blame;
    return a->site == b->site && a->rank == b->rank && a->wait == b->wait && a->other == b->other &&
           a->through == b->through;
}

/* Return the sum of such blames; NULL: memory is short. */
static struct uno_call_blame *blame_of(struct uno_calls *calls, const struct uno_call_blame *like) {
    struct blame_key key = {calls, *like};
    uint64_t hash = uno_index_hash((uint64_t)like->site << 32 | (uint32_t)like->other,
                                   (uint64_t)like->rank << 8 | (uint64_t)(like->wait << 1 | like->through));
    int found = uno_index_find(&calls->blame_index, hash, same_blame, &key);
    if (found >= 0)
        return &calls->blame[found];
    struct uno_call_blame *blame = one_more((void **)&calls->blame, calls->blames, sizeof *blame);
    if (!blame || !uno_index_add(&calls->blame_index, hash, calls->blames))
        return NULL;
    *blame = *like;
    calls->blames++;
    return blame;
}

/* Add the waits of rank k. Ranks are added one after another. */
static void add_waiter(struct uno_call_blame *blame, int k, uint64_t count, double ns) {
    if (!blame->waiters || blame->waiter[blame->waiters - 1].rank != k) {
        struct uno_call_waiter *more =
            one_more((void **)&blame->waiter, blame->waiters, sizeof *blame->waiter);
        if (!more)
            return;
        more->rank = k;
        blame->waiters++;
    }
    blame->waiter[blame->waiters - 1].count += count;
    blame->waiter[blame->waiters - 1].ns += ns;
}

static void add_blame(struct uno_calls *calls, int k, const struct uno_seen_blame *from, const int *own,
                      const int *others) {
    if (from->site >= UNO_SEEN_SITES || from->rank >= (uint32_t)calls->n || from->wait >= UNO_SEEN_WAITS ||
        own[from->site] < 0)
        return;
    struct uno_call_blame like = {.site = own[from->site],
                                  .wait = from->wait,
                                  .through = from->through,
                                  .rank = (int)from->rank,
                                  .other = from->other < UNO_SEEN_SITES ? others[from->other] : -1};
    const struct uno_call_site *site = &calls->site[like.site];
    bool far = calls->far && calls->far->seats.seat[k] != calls->far->seats.seat[like.rank];
    /* all members of a collective call the same function, nearly always at the same place */
    if (far && like.other < 0 && from->wait >= UNO_LATE_MEMBER && site->rank[like.rank].calls)
        like.other = like.site;
    struct uno_call_blame *blame = blame_of(calls, &like);
    if (!blame)
        return;
    double scale = calls->clock[k].scale, ns = (double)from->ticks * scale;
    blame->count += from->count;
    blame->ns += ns;
    blame->known += far ? 0 : ns;
    add_waiter(blame, k, from->count, ns);
    blame->outside += (double)from->outside * scale;
    calls->rank[from->rank].waited_for += ns;
}

/* ---- ranks ------------------------------------------------------------------------------------------- */

/* A rank that has not come to its end is where it was when its process ended. */
static void add_unfinished(struct uno_calls *calls, int k, const int *own) {
    uint64_t now = calls->clock[k].now;
    const struct uno_seen_rank *rank = uno_seen_rank(calls->memory, k);
    uint64_t site = uno_load64_relaxed(&rank->site), since = uno_load64_relaxed(&rank->since);
    if (!site || site > UNO_SEEN_SITES || own[site - 1] < 0 || since > now)
        return;
    struct uno_call_site *in = &calls->site[own[site - 1]];
    double ns = (double)(now - since) * calls->clock[k].scale;
    in->unfinished++;
    in->ns += ns;
    in->rank[k].ns += ns;
    calls->rank[k].inside += ns;
    calls->rank[k].in = own[site - 1];
    calls->rank[k].in_for = ns;
}

static void add_rank(struct uno_calls *calls, struct uno_places *places, int k, int *own) {
    const struct uno_seen_rank *rank = uno_seen_rank(calls->memory, k);
    struct uno_call_rank *sum = &calls->rank[k];
    uint64_t began = uno_load64_relaxed(&rank->began), ended = uno_load64_relaxed(&rank->ended);
    for (int i = 0; i < UNO_SEEN_SITES; i++)
        own[i] = -1;
    sum->in = -1;
    if (!began)
        return;
    sum->recorded = true;
    calls->pes = calls->pes && rank->is_pe;
    sum->calls = rank->calls;
    sum->ran = (double)((ended ? ended : calls->clock[k].now) - began) * calls->clock[k].scale;
    sum->inside = (double)rank->inside * calls->clock[k].scale;
    sum->waited = (double)rank->waited * calls->clock[k].scale;
    for (uint32_t i = 0; i < at_most(rank->sites, UNO_SEEN_SITES); i++)
        if (i || rank->table[i].calls)
            own[i] = add_site(calls, places, k, i);
    if (!ended)
        add_unfinished(calls, k, own);
    calls->calls += sum->calls;
    calls->ran += sum->ran;
    calls->inside += sum->inside;
    calls->waited += sum->waited;
}

/* ---- the order --------------------------------------------------------------------------------------- */

static int by_waited(const void *a, const void *b) {
    const struct uno_call_site *x = a, *y = b;
    if (x->all_waited != y->all_waited)
        return x->all_waited < y->all_waited ? 1 : -1;
    return (x->ns < y->ns) - (x->ns > y->ns);
}

static int by_ns(const void *a, const void *b) {
    const struct uno_call_blame *x = a, *y = b;
    return (x->ns < y->ns) - (x->ns > y->ns);
}

static int longest_waiter(const void *a, const void *b) {
    const struct uno_call_waiter *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->rank - y->rank;
}

/* Put the sites and blames in order. The blames name sites by their numbers, which change. */
static bool sort(struct uno_calls *calls) {
    int *now = malloc(((size_t)calls->sites + 1) * sizeof *now);
    if (!now)
        return false;
    for (int i = 0; i < calls->sites; i++)
        calls->site[i].number = i;
    if (calls->sites)
        qsort(calls->site, (size_t)calls->sites, sizeof *calls->site, by_waited);
    for (int i = 0; i < calls->sites; i++)
        now[calls->site[i].number] = i;
    for (int k = 0; k < calls->n; k++)
        calls->rank[k].in = calls->rank[k].in < 0 ? -1 : now[calls->rank[k].in];
    for (int i = 0; i < calls->blames; i++) {
        struct uno_call_blame *blame = &calls->blame[i];
        if (blame->waiters)
            qsort(blame->waiter, (size_t)blame->waiters, sizeof *blame->waiter, longest_waiter);
        blame->site = now[blame->site];
        blame->other = blame->other < 0 ? -1 : now[blame->other];
    }
    for (size_t i = 0; i < (size_t)calls->n * UNO_SEEN_SITES; i++)
        calls->site_of[i] = calls->site_of[i] < 0 ? -1 : now[calls->site_of[i]];
    if (calls->blames)
        qsort(calls->blame, (size_t)calls->blames, sizeof *calls->blame, by_ns);
    free(now);
    return true;
}

/* ------------------------------------------------------------------------------------------------------ */

static void sum_up(struct uno_calls *calls, int *own) {
    struct uno_places *places = calls->far ? NULL : uno_places_open();
    struct uno_calls_clock here = uno_calls_clock_here(calls->memory);
    for (int k = 0; k < calls->n; k++) {
        calls->clock[k] = calls->far ? calls->far->clock[calls->far->seats.seat[k]] : here;
        add_rank(calls, places, k, own + (size_t)k * UNO_SEEN_SITES);
    }
    uno_places_close(places);
    for (int k = 0; k < calls->n; k++)
        for (int i = 0; calls->rank[k].recorded && i < UNO_SEEN_BLAMES; i++) {
            const struct uno_seen_blame *blame = &uno_seen_rank(calls->memory, k)->blame[i];
            if (!i) {
                calls->other_count += blame->count;
                calls->other_ns += (double)blame->ticks * calls->clock[k].scale;
            } else if (blame->count && blame->rank < (uint32_t)calls->n)
                add_blame(calls, k, blame, own + (size_t)k * UNO_SEEN_SITES,
                          own + (size_t)blame->rank * UNO_SEEN_SITES);
        }
}

struct uno_calls_clock uno_calls_clock_here(const struct uno_seen_memory *memory) {
    return (struct uno_calls_clock){memory->ticks_began, uno_seen_now(memory), (int64_t)memory->ns_began,
                                    uno_seen_scale(memory)};
}

struct uno_calls *uno_calls_sum(const struct uno_seen_share *share, const struct uno_calls_far *far) {
    const struct uno_seen_memory *memory = share->memory;
    int n = uno_seen_ranks(memory);
    if (n < 1 || n > UNO_SEEN_RANKS || uno_seen_size(n) > share->size)
        return NULL;
    struct uno_calls *calls = calloc(1, sizeof *calls);
    if (calls) {
        calls->memory = memory;
        calls->n = n;
        calls->far = far;
        calls->clock = calloc((size_t)n, sizeof *calls->clock);
        calls->pes = true;
        calls->rank = calloc((size_t)calls->n, sizeof *calls->rank);
        calls->site_of = malloc((size_t)n * UNO_SEEN_SITES * sizeof *calls->site_of);
    }
    bool done = calls && calls->site_of && calls->rank && calls->clock;
    if (done) {
        sum_up(calls, calls->site_of);
        uno_index_free(&calls->site_index);
        uno_index_free(&calls->blame_index);
    }
    if (done && calls->ran > 0 && sort(calls))
        return calls;
    uno_calls_free(calls);
    return NULL;
}

void uno_calls_free(struct uno_calls *calls) {
    if (!calls)
        return;
    for (int i = 0; i < calls->sites; i++) {
        free(calls->site[i].function);
        free(calls->site[i].place);
        free(calls->site[i].rank);
    }
    for (int i = 0; i < calls->blames; i++)
        free(calls->blame[i].waiter);
    free(calls->site);
    free(calls->blame);
    free(calls->comm);
    free(calls->site_of);
    free(calls->clock);
    free(calls->rank);
    free(calls);
}

const char *uno_calls_wait(int wait) {
    static const char *const names[] = {[UNO_LATE_SENDER] = "late sender",
                                        [UNO_LATE_RECEIVER] = "late receiver",
                                        [UNO_LATE_MEMBER] = "late to the collective",
                                        [UNO_LATE_ROOT] = "late root"};
    return names[wait];
}
