#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "launch/text.h"

enum { ROWS = 10 };

/* A place that differs by less than this part of the run's time is not called slower or faster. */
static const double LITTLE = 0.01;

/* The file and line alone, without the folders. */
static const char *short_place(const char *place) {
    const char *slash = strrchr(place, '/'), *blank = strrchr(place, ' ');
    return slash && (!blank || blank < slash) ? slash + 1 : place;
}

static const struct compare_row *one_of(const struct compare_pair *pair) {
    return pair->after ? pair->after : pair->before;
}

/* Write "MPI_Recv at cg.c:211", or the name of an operation. */
static const char *name(const struct compare_row *row, char *text, size_t bytes) {
    if (row->place)
        snprintf(text, bytes, "%s at %s", row->function, short_place(row->place));
    else
        snprintf(text, bytes, "%s", row->function);
    return text;
}

/* ---- what to look at --------------------------------------------------------------------------------- */

/* Return the row that became slower by most; NULL: none did by more than a little. */
static const struct compare_pair *slowest(const struct compare_run *before,
                                          const struct compare_pairs *pairs) {
    for (int i = 0; i < pairs->count; i++)
        if (pairs->pair[i].more > LITTLE * before->seconds)
            return &pairs->pair[i];
    return NULL;
}

/* Return the ns of one call. */
static double each(const struct compare_run *run, const struct compare_row *row) {
    return 1e9 * row->seconds * run->ranks / (double)(row->calls ? row->calls : 1);
}

/* Write why a row takes longer. */
static void write_why(const struct compare_run *before_run, const struct compare_run *after_run,
                      const struct compare_pair *pair, char *text, size_t bytes) {
    const struct compare_row *before = pair->before, *after = pair->after;
    char now[UNO_DURATION], was[UNO_DURATION];
    if (!before)
        snprintf(text, bytes, "it was not there before");
    else if (after->mostly_for >= 0 && pair->waited_more > pair->more / 2)
        snprintf(text, bytes, "it waits %s longer, mostly for %s %d",
                 uno_duration(1e9 * pair->waited_more, now), after_run->member, after->mostly_for);
    else if ((double)after->calls / after_run->ranks > 1.1 * (double)before->calls / before_run->ranks)
        snprintf(text, bytes, "it is called %lld times, and was %lld times", (long long)after->calls,
                 (long long)before->calls);
    else
        snprintf(text, bytes, "a call takes %s, and took %s", uno_duration(each(after_run, after), now),
                 uno_duration(each(before_run, before), was));
}

/* Write which rank is longer in the program than before, if one is by far longer than the average of all;
 * otherwise nothing. */
static void write_longest(const struct compare_run *before, const struct compare_run *after, char *text,
                          size_t bytes) {
    int longest = 0;
    char now[UNO_DURATION], was[UNO_DURATION];
    for (int k = 0; k < after->ranks; k++)
        if (compare_outside(after, k) - compare_outside(before, k) >
            compare_outside(after, longest) - compare_outside(before, longest))
            longest = k;
    double most = compare_outside(after, longest) - compare_outside(before, longest);
    *text = 0;
    if (before->ranks == after->ranks && most > 2 * (after->outside - before->outside))
        snprintf(text, bytes, ", most of all %s %d: %s, and %s before", after->member, longest,
                 uno_duration(1e9 * compare_outside(after, longest), now),
                 uno_duration(1e9 * compare_outside(before, longest), was));
}

static void write_sentence(const struct compare_run *before, const struct compare_run *after,
                           const struct compare_pairs *pairs, char *text, size_t bytes) {
    const struct compare_pair *pair = slowest(before, pairs);
    const char *rank = after->member, *call = after->placed ? "call" : "operation";
    double outside = after->outside - before->outside;
    char more[UNO_DURATION], which[700], why[200];
    if (outside > LITTLE * before->seconds && (!pair || outside > pair->more)) {
        write_longest(before, after, why, sizeof why);
        snprintf(text, bytes,
                 "the program itself became slower: each %s spends %s more on average outside of %ss%s", rank,
                 uno_duration(1e9 * outside, more), call, why);
    } else if (pair) {
        write_why(before, after, pair, why, sizeof why);
        snprintf(text, bytes, "%s takes each %s %s longer on average: %s",
                 name(pair->after, which, sizeof which), rank, uno_duration(1e9 * pair->more, more), why);
    } else {
        snprintf(text, bytes, "no %s became slower by more than %.0f %% of the time of the run", call,
                 100 * LITTLE);
    }
}

/* ---- for people -------------------------------------------------------------------------------------- */

static const char *difference(double seconds, char text[UNO_DURATION + 1]) {
    char size[UNO_DURATION];
    snprintf(text, UNO_DURATION + 1, "%s%s",
             seconds > 0   ? "+"
             : seconds < 0 ? "-"
                           : "",
             uno_duration(1e9 * fabs(seconds), size));
    return text;
}

static void write_time(bool there, double seconds) {
    char text[UNO_DURATION];
    printf(" %8s", there ? uno_duration(1e9 * seconds, text) : "-");
}

static void write_calls(const struct compare_row *row) {
    if (row)
        printf(" %9lld", (long long)row->calls);
    else
        printf(" %9s", "-");
}

/* Write a row, without its end. The times waited are those of calls alone: an operation is all waiting. */
static void write_pair(const struct compare_pair *pair, bool placed) {
    const struct compare_row *before = pair->before, *after = pair->after;
    char text[UNO_DURATION + 1];
    printf("  %9s", difference(pair->more, text));
    write_time(before, before ? before->seconds : 0);
    write_time(after, after ? after->seconds : 0);
    if (placed) {
        write_time(before, before ? before->waited : 0);
        write_time(after, after ? after->waited : 0);
    }
    write_calls(before);
    write_calls(after);
}

static void write_moved(const struct compare_pair *pair) {
    const struct compare_row *before = pair->before, *after = pair->after;
    if (before && after && before->place &&
        strcmp(short_place(before->place), short_place(after->place)) != 0)
        printf(", was %s", short_place(before->place));
    else if (!before)
        printf(", new");
    else if (!after)
        printf(", gone");
}

static void write_head(const struct compare_run *run, const char *which) {
    char text[UNO_DURATION];
    printf("  %-6s %s: %s, %d %s%s, %s\n", which, run->path, run->program, run->ranks, run->member,
           run->ranks == 1 ? "" : "s", uno_duration(1e9 * run->seconds, text));
}

void compare_table(const struct compare_run *before, const struct compare_run *after,
                   const struct compare_pairs *pairs) {
    const char *rank = after->member;
    char text[1200], outside[UNO_DURATION + 1];
    int shown = pairs->count < ROWS ? pairs->count : ROWS;
    write_head(before, "before");
    write_head(after, "after");
    printf("\nTimes of a %s on average, before and after:\n\n", rank);
    if (after->placed)
        printf("  %9s %17s %17s %19s\n", "more", "time in it", "waited", "calls");
    else
        printf("  %9s %17s %19s\n", "more", "time in it", "count");
    for (int i = 0; i < shown; i++) {
        write_pair(&pairs->pair[i], after->placed);
        printf("  %s", name(one_of(&pairs->pair[i]), text, sizeof text));
        write_moved(&pairs->pair[i]);
        putchar('\n');
    }
    if (shown < pairs->count)
        printf("  and %d more\n", pairs->count - shown);
    printf("\n  %9s", difference(after->outside - before->outside, outside));
    write_time(true, before->outside);
    write_time(true, after->outside);
    printf("  in the program, outside of %s\n", after->placed ? "calls" : "operations");
    write_sentence(before, after, pairs, text, sizeof text);
    printf("\n  %s\n", text);
}

/* ---- for programs ------------------------------------------------------------------------------------ */

static json_t *run_json(const struct compare_run *run) {
    return json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f}", "file", run->path, "program", run->program,
                     "ranks", run->ranks, "seconds", run->seconds, "inside_seconds", run->inside,
                     "outside_seconds", run->outside, "waited_seconds", run->waited);
}

static json_t *row_json(const struct compare_row *row) {
    if (!row)
        return json_null();
    return json_pack("{s:s?, s:I, s:I, s:f, s:f, s:o}", "place", row->place, "calls", row->calls, "bytes",
                     row->bytes, "seconds", row->seconds, "waited_seconds", row->waited, "mostly_for_rank",
                     row->mostly_for < 0 ? json_null() : json_integer(row->mostly_for));
}

json_t *compare_json(const struct compare_run *before, const struct compare_run *after,
                     const struct compare_pairs *pairs) {
    char text[1200];
    json_t *rows = json_array();
    for (int i = 0; i < pairs->count; i++) {
        const struct compare_pair *pair = &pairs->pair[i];
        json_array_append_new(rows,
                              json_pack("{s:s, s:f, s:f, s:o, s:o}", "function", one_of(pair)->function,
                                        "more_seconds", pair->more, "more_waited_seconds", pair->waited_more,
                                        "before", row_json(pair->before), "after", row_json(pair->after)));
    }
    write_sentence(before, after, pairs, text, sizeof text);
    return json_pack("{s:s, s:b, s:s, s:o, s:o, s:o}", "member", after->member, "placed", after->placed,
                     "look_at", text, "before", run_json(before), "after", run_json(after), "rows", rows);
}
