#define _GNU_SOURCE
#include "team.h"

#include <papers.h>
#include <stdio.h>
#include <sys/mman.h>

#include "engine/sparse.h"

enum { AT_ONCE = 8 << 20, STACK = 9 << 20 /* of a thread, and what else it needs */ };

/* ---- memory ------------------------------------------------------------------------------------------ */

/* What one array takes. */
static uint64_t array_bytes(uint64_t bytes) {
    return (bytes + 2 * UNO_HUGE_PAGE - 1) / UNO_HUGE_PAGE * UNO_HUGE_PAGE;
}

/* Memory at a huge page, of huge pages where the system has them. NULL: there is none. */
static void *array(size_t bytes) {
    char *p = mmap(NULL, array_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    p += -(uintptr_t)p % UNO_HUGE_PAGE;
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static size_t own_bytes(void) {
    return (uno_sort_own() + UNO_HUGE_PAGE - 1) / UNO_HUGE_PAGE * UNO_HUGE_PAGE;
}

uint64_t sort_team_need(const struct sort_request *r, uint64_t n) {
    return 2 * array_bytes(n * r->record) + array_bytes(uno_sort_work(n, r->record, &r->key, r->n)) +
           array_bytes((uint64_t)r->n * own_bytes()) + (uint64_t)r->n * STACK;
}

bool sort_team_take(struct sort_team *team, uint64_t n) {
    const struct sort_request *r = team->request;
    team->sort = (struct uno_sort){.from = array(n * r->record),
                                   .to = array(n * r->record),
                                   .record = r->record,
                                   .key = r->key,
                                   .work = array(uno_sort_work(n, r->record, &r->key, r->n)),
                                   .progress = sort_progress_done,
                                   .shown = &team->progress};
    team->own = array((size_t)r->n * own_bytes());
    return team->sort.from && team->sort.to && team->sort.work && team->own;
}

/* ---- what all PEs do --------------------------------------------------------------------------------- */

bool sort_team_failed(struct sort_team *team, const char *path, const char *what, int error) {
    int me = p_iproc();
    if (error) {
        team->failed[me].path = path;
        team->failed[me].what = what;
        team->failed[me].error = error;
    }
    return error;
}

void sort_team_complain(const struct sort_team *team) {
    for (int k = 0; k < team->request->n; k++)
        if (team->failed[k].error) {
            fprintf(stderr, "unisono sort: %s: %s: %s\n", team->failed[k].path, team->failed[k].what,
                    sort_error(team->failed[k].error));
            return;
        }
}

/* This PE's part of n records, in bytes. */
static void part(const struct sort_team *team, uint64_t n, uint64_t *begin, uint64_t *end) {
    *begin = uno_sort_part(n, p_iproc(), team->request->n) * team->request->record;
    *end = uno_sort_part(n, p_iproc() + 1, team->request->n) * team->request->record;
}

void sort_team_read_ahead(const struct sort_team *team, const struct sort_place *place, uint64_t n,
                          uint64_t bytes) {
    uint64_t at, end;
    part(team, n, &at, &end);
    sort_read_ahead(place->file, end - at < bytes ? end - at : bytes, place->at + at);
}

bool sort_team_read(struct sort_team *team, const struct sort_place *place, char *to, uint64_t n) {
    uint64_t at, end;
    int error = 0;
    part(team, n, &at, &end);
    for (uint64_t bytes; at < end && !error; at += bytes) {
        bytes = end - at < AT_ONCE ? end - at : AT_ONCE;
        uint64_t left = end - at - bytes;
        sort_read_ahead(place->file, left < AT_ONCE ? left : AT_ONCE, place->at + at + bytes);
        error = sort_read(place->file, to + at, bytes, place->at + at);
        sort_progress_done(&team->progress, bytes);
    }
    return !p_any(sort_team_failed(team, place->path, "cannot read it", error));
}

bool sort_team_write(struct sort_team *team, const struct sort_place *place, const char *from, uint64_t n) {
    uint64_t at, end;
    int error = 0;
    part(team, n, &at, &end);
    for (uint64_t bytes; at < end && !error; at += bytes) {
        bytes = end - at < AT_ONCE ? end - at : AT_ONCE;
        error = sort_write(place->file, from + at, bytes, place->at + at);
        sort_progress_done(&team->progress, bytes);
    }
    return !p_any(sort_team_failed(team, place->path, "cannot write it", error));
}

const char *sort_team_sort(struct sort_team *team, uint64_t n) {
    int me = p_iproc();
    struct uno_sort sort = team->sort;
    struct uno_sort_crew crew = {.pes = team->request->n, .me = me, .wait = p_wait};
    struct uno_sort_times times;
    sort.n = n;
    const char *sorted = uno_sort(&sort, &crew, team->own + (size_t)me * own_bytes(), &times);
    for (int phase = 0; phase < UNO_SORT_PHASES; phase++)
        team->times[me].ns[phase] += times.ns[phase];
    return sorted;
}
