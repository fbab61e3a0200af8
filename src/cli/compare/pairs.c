#include "pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ------------------------------------------------------------------------------------------ */

/* Return the number of the line at the end of "cg.c:211", and the bytes before it; 0: there is none. */
static long line_of(const char *place, size_t *before) {
    const char *colon = strrchr(place, ':');
    char *end;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;
    bool has = colon && colon[1] && !*end;
    *before = has ? (size_t)(colon - place) : strlen(place);
    return has ? line : 0;
}

/* Return the place behind its folders: "cg.c:211"; of "solve of ./cg" only "cg". */
static const char *name_of(const char *place) {
    const char *slash = strrchr(place, '/');
    return slash ? slash + 1 : place;
}

/* Return true if the two functions are called from the same file; anywhere: wherever the file lies. */
static bool same_file(const struct compare_row *a, const struct compare_row *b, bool anywhere) {
    if (strcmp(a->function, b->function) != 0 || !a->place != !b->place)
        return false;
    if (!a->place)
        return true;
    const char *x = anywhere ? name_of(a->place) : a->place, *y = anywhere ? name_of(b->place) : b->place;
    size_t i, k;
    line_of(x, &i);
    line_of(y, &k);
    return i == k && memcmp(x, y, i) == 0;
}

static long row_line(const struct compare_row *row) {
    size_t before;
    return row->place ? line_of(row->place, &before) : 0;
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

/* The rows of a run that call one function from one file, and have no pair yet. */
struct group {
    int count;
    struct compare_row **row; /* by line */
};

static int by_line(const void *a, const void *b) {
    long x = row_line(*(struct compare_row *const *)a), y = row_line(*(struct compare_row *const *)b);
    return (x > y) - (x < y);
}

static void gather(struct group *group, struct compare_run *run, const struct compare_row *like,
                   bool anywhere) {
    group->count = 0;
    for (int i = 0; i < run->rows; i++)
        if (!run->row[i].paired && same_file(&run->row[i], like, anywhere))
            group->row[group->count++] = &run->row[i];
    qsort(group->row, (size_t)group->count, sizeof *group->row, by_line);
}

static void add(struct compare_pairs *pairs, struct compare_row *before, struct compare_row *after) {
    struct compare_pair pair = {.before = before, .after = after};
    pair.more = (after ? after->seconds : 0) - (before ? before->seconds : 0);
    pair.waited_more = (after ? after->waited : 0) - (before ? before->waited : 0);
    if (before)
        before->paired = true;
    if (after)
        after->paired = true;
    pairs->pair[pairs->count++] = pair;
}

/* Return the only row of a group that has no pair; NULL: there are none, or several. */
static struct compare_row *only(const struct group *group) {
    struct compare_row *found = NULL;
    for (int i = 0; i < group->count; i++)
        if (!group->row[i]->paired) {
            if (found)
                return NULL;
            found = group->row[i];
        }
    return found;
}

static void pair_groups(struct compare_pairs *pairs, const struct group *before, const struct group *after) {
    if (before->count == after->count) {
        for (int i = 0; i < before->count; i++)
            add(pairs, before->row[i], after->row[i]);
        return;
    }
    for (int i = 0; i < before->count; i++)
        for (int k = 0; k < after->count && !before->row[i]->paired; k++)
            if (!after->row[k]->paired && row_line(before->row[i]) == row_line(after->row[k]))
                add(pairs, before->row[i], after->row[k]);
    struct compare_row *last = only(before), *other = only(after);
    if (last && other)
        add(pairs, last, other);
}

static int by_difference(const void *a, const void *b) {
    double x = fabs(((const struct compare_pair *)a)->more), y = fabs(((const struct compare_pair *)b)->more);
    return (x < y) - (x > y);
}

bool compare_find(struct compare_pairs *pairs, struct compare_run *before, struct compare_run *after) {
    struct group old = {.row = calloc((size_t)before->rows, sizeof *old.row)};
    struct group new = {.row = calloc((size_t)after->rows, sizeof *new.row)};
    size_t most = (size_t)before->rows + (size_t)after->rows;
    *pairs = (struct compare_pairs){.pair = calloc(most, sizeof *pairs->pair)};
    bool room = old.row && new.row && pairs->pair;
    for (int anywhere = 0; room && anywhere < 2; anywhere++)
        for (int i = 0; i < before->rows; i++)
            if (!before->row[i].paired) {
                gather(&old, before, &before->row[i], anywhere);
                gather(&new, after, &before->row[i], anywhere);
                pair_groups(pairs, &old, &new);
            }
    for (int i = 0; room && i < before->rows; i++)
        if (!before->row[i].paired)
            add(pairs, &before->row[i], NULL);
    for (int i = 0; room && i < after->rows; i++)
        if (!after->row[i].paired)
            add(pairs, NULL, &after->row[i]);
    if (room)
        qsort(pairs->pair, (size_t)pairs->count, sizeof *pairs->pair, by_difference);
    free(old.row);
    free(new.row);
    return room;
}
