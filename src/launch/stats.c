/* The operations of a PE are in its record or, without --trace, those of its recorded calls, if it has any.
 *
 * The time of an operation is that from its call until everyone's data is there. All of it counts as waited
 * for the PE that was waited for last, if it was any: the others had arrived before. */

#include "stats.h"

#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "engine/observe.h"
#include "observe/pes/functions.def"
#include "text.h"
#include "unit/rtl/port.h"

enum {
    ROWS = 16, /* PEs shown one by one */
};

struct kind {
    char name[UNO_SIGNATURE_TEXT];
    uint64_t count, unfinished, ns;
};

struct pe {
    int number;
    const char *host; /* NULL: the job is on one machine */
    bool checked_in;
    uint64_t run, operations, ns, waited_for; /* ns, but for the number of operations */
};

struct stats {
    int n;
    uint64_t ns;       /* that the job took */
    struct kind *kind; /* the first ones are those of the operations by their numbers */
    int kinds;
    struct kind all;
    int straggler; /* the PE that was waited for most; -1: none was */
    uint64_t run;  /* of all PEs */
    struct pe pe[];
};

/* ---- summing up -------------------------------------------------------------------------------------- */

static void add_record(struct stats *stats, struct uno_job *job, int k) {
    struct uno_record *record = uno_record(job, k);
    struct pe *pe = &stats->pe[k];
    uint64_t began = uno_load64_relaxed(&record->began);
    pe->number = k;
    pe->checked_in = began;
    pe->run = uno_load64_relaxed(&record->ended) - began;
    stats->run += pe->run;
    for (int op = 0; op < UNO_OP_COUNT; op++) {
        struct kind *kind = &stats->kind[op];
        uint64_t count = uno_load64_relaxed(&record->op[op].count);
        uint64_t ns = uno_load64_relaxed(&record->op[op].waited);
        kind->count += count;
        kind->ns += ns;
        pe->operations += count;
        pe->ns += ns;
    }
    if (uno_load64_relaxed(&record->unfinished))
        stats->kind[uno_signature_op(uno_record_present(job, record)->signature)].unfinished++;
    for (int m = 0; m < job->n; m++)
        stats->pe[m].waited_for += uno_load64_relaxed(&record->waited_for[m]);
}

/* Find the name of the operation that a function is, of "p_reduceAdd" or "unisono.reduce_add (p_reduceAdd)".
 * Return false if it is one of messages. */
static bool find_name(const char *function, char name[UNO_SIGNATURE_TEXT]) {
#define NAME(result, name, ...) #name,
    static const char *const messages[] = {UNO_SEEN_MESSAGES(NAME)};
#undef NAME
    static const char *const others[][2] = {{"p_bcastPut", "p_bcast"},
                                            {"p_bcastGet", "p_bcast"},
                                            {"p_waitvecWide", "p_waitvec"},
                                            {"p_voteWide", "p_vote"}};
    const char *inner = strrchr(function, '(');
    snprintf(name, UNO_SIGNATURE_TEXT, "%s", inner ? inner + 1 : function);
    name[strcspn(name, ")")] = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i][0]) == 0)
            strcpy(name, others[i][1]);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strcmp(name, messages[i]) == 0)
            return false;
    return true;
}

/* Return the kind of that name; NULL: memory is short. */
static struct kind *kind_named(struct stats *stats, const char *name) {
    for (int i = 0; i < stats->kinds; i++)
        if (strcmp(stats->kind[i].name, name) == 0)
            return &stats->kind[i];
    struct kind *more = realloc(stats->kind, ((size_t)stats->kinds + 1) * sizeof *more);
    if (!more)
        return NULL;
    stats->kind = more;
    struct kind *kind = &more[stats->kinds++];
    *kind = (struct kind){0};
    snprintf(kind->name, sizeof kind->name, "%s", name);
    return kind;
}

/* Return true if the operations of PE k are those of its recorded calls. The program may have written over
 * both, so that there may be more ranks than PEs. */
static bool is_elsewhere(struct uno_job *job, const struct uno_calls *calls, int k) {
    return calls && k < calls->n && k < job->n && uno_record(job, k)->elsewhere;
}

/* Add the recorded calls of the PEs whose operations are there. */
static void add_calls(struct stats *stats, struct uno_job *job, const struct uno_calls *calls) {
    for (int i = 0; calls && i < calls->sites; i++) {
        const struct uno_call_site *site = &calls->site[i];
        char name[UNO_SIGNATURE_TEXT];
        struct kind *kind = find_name(site->function, name) ? kind_named(stats, name) : NULL;
        for (int k = 0; kind && k < job->n; k++) {
            if (!is_elsewhere(job, calls, k))
                continue;
            kind->count += site->rank[k].calls;
            kind->ns += (uint64_t)site->rank[k].ns;
            stats->pe[k].operations += site->rank[k].calls;
            stats->pe[k].ns += (uint64_t)site->rank[k].ns;
            if (calls->rank[k].in != i)
                continue;
            int last = uno_record(job, k)->event[0].last;
            kind->unfinished++;
            if (last != k && last < job->n)
                stats->pe[last].waited_for += (uint64_t)calls->rank[k].in_for;
        }
    }
    for (int i = 0; calls && i < calls->blames; i++)
        for (int j = 0; calls->blame[i].rank < job->n && j < calls->blame[i].waiters; j++)
            if (is_elsewhere(job, calls, calls->blame[i].waiter[j].rank))
                stats->pe[calls->blame[i].rank].waited_for += (uint64_t)calls->blame[i].waiter[j].ns;
}

static void drop(struct stats *stats) {
    free(stats->kind);
    free(stats);
}

static struct stats *sum_up(const struct uno_recorded *recorded) {
    struct uno_job *job = recorded->job;
    struct stats *stats = calloc(1, sizeof *stats + (size_t)job->n * sizeof *stats->pe);
    if (stats)
        stats->kind = calloc(UNO_OP_COUNT, sizeof *stats->kind);
    if (!stats || !stats->kind) {
        free(stats);
        return NULL;
    }
    for (stats->kinds = 0; stats->kinds < UNO_OP_COUNT; stats->kinds++)
        uno_signature_text(UNO_SIGNATURE(stats->kinds, 0), stats->kind[stats->kinds].name);
    stats->n = job->n;
    stats->ns = recorded->over - uno_load64_relaxed(&job->started);
    for (int k = 0; k < job->n; k++)
        add_record(stats, job, k);
    add_calls(stats, job, recorded->calls);
    for (int k = 0; k < job->n; k++)
        stats->pe[k].host = uno_seats_host(recorded->seats, k);
    for (int op = 0; op < stats->kinds; op++) {
        stats->all.count += stats->kind[op].count;
        stats->all.unfinished += stats->kind[op].unfinished;
        stats->all.ns += stats->kind[op].ns;
    }
    stats->straggler = -1;
    uint64_t most = 0;
    for (int k = 0; k < job->n; k++)
        if (stats->pe[k].waited_for > most) {
            most = stats->pe[k].waited_for;
            stats->straggler = k;
        }
    return stats;
}

static double ratio(uint64_t a, uint64_t b) {
    return b ? (double)a / (double)b : 0;
}

/* The mean time of an operation that is complete or not. */
static double mean(const struct kind *kind) {
    return ratio(kind->ns, kind->count + kind->unfinished);
}

/* ---- for people -------------------------------------------------------------------------------------- */

static void write_kind(FILE *f, const char *name, const struct kind *kind) {
    char total[UNO_DURATION], each[UNO_DURATION];
    fprintf(f, "  %-14s %14llu %11s %11s", name, (unsigned long long)kind->count,
            uno_duration((double)kind->ns, total), uno_duration(mean(kind), each));
    if (kind->unfinished)
        fprintf(f, "  + %llu unfinished", (unsigned long long)kind->unfinished);
    fputc('\n', f);
}

static void write_kinds(FILE *f, const struct stats *stats) {
    int kinds = 0;
    fprintf(f, "\n  %-14s %14s %11s %11s\n", "operation", "count", "time in it", "mean");
    for (int op = 0; op < stats->kinds; op++)
        if (stats->kind[op].count || stats->kind[op].unfinished) {
            write_kind(f, stats->kind[op].name, &stats->kind[op]);
            kinds++;
        }
    if (kinds > 1)
        write_kind(f, "all", &stats->all);
}

static void write_pe(FILE *f, int width, const char *label, const struct pe *pe, uint64_t most) {
    char run[UNO_DURATION], for_it[UNO_DURATION];
    if (!pe->checked_in) {
        fprintf(f, "  %-*s not checked in", width, label);
    } else {
        fprintf(f, "  %-*s %10s %6.1f %%", width, label, uno_duration((double)pe->run, run),
                100 * ratio(pe->ns, pe->run));
        fprintf(f, " %13s", uno_duration((double)pe->waited_for, for_it));
        uno_bar(f, ratio(pe->waited_for, most));
    }
    fputc('\n', f);
}

static int by_waited_for(const void *a, const void *b) {
    const struct pe *x = a, *y = b;
    return x->waited_for != y->waited_for ? (x->waited_for < y->waited_for) - (x->waited_for > y->waited_for)
                                          : x->number - y->number;
}

/* Write each PE, or in a large job the PEs that were waited for most, and the others together. */
static void write_pes(FILE *f, const struct uno_recorded *recorded, struct stats *stats) {
    uint64_t most = stats->straggler < 0 ? 0 : stats->pe[stats->straggler].waited_for;
    int shown = stats->n <= ROWS ? stats->n : ROWS - 1;
    int width = uno_member_width(10, recorded->seats, stats->n);
    char label[UNO_MEMBER];
    if (shown < stats->n)
        qsort(stats->pe, (size_t)stats->n, sizeof *stats->pe, by_waited_for);
    fprintf(f, "\n  %-*s %10s %8s %13s\n", width, "PE", "ran for", "waited", "others for it");
    for (int i = 0; i < shown; i++)
        write_pe(f, width, uno_member(stats->pe[i].number, stats->pe[i].host, label), &stats->pe[i], most);
    if (shown == stats->n)
        return;
    struct pe rest = {.checked_in = true};
    for (int i = shown; i < stats->n; i++) {
        rest.run += stats->pe[i].run;
        rest.ns += stats->pe[i].ns;
        rest.waited_for += stats->pe[i].waited_for;
    }
    snprintf(label, sizeof label, "%d others", stats->n - shown);
    write_pe(f, width, label, &rest, 0);
}

/* The time that so many clocks of a unit take, in s; 0: its clock is not known. */
static double unit_seconds(const struct uno_ports *ports, uint64_t clocks) {
    return ports->clock_mhz > 0 ? (double)clocks / ports->clock_mhz / 1e6 : 0;
}

void uno_stats_unit(FILE *f, struct uno_job *job) {
    struct uno_ports *ports = uno_ports(job);
    uint64_t clocks = uno_load64_relaxed(&ports->clocks), most = 0;
    char text[UNO_DURATION];
    for (int k = 0; k < job->n; k++) {
        uint64_t operations = uno_load64_relaxed(&ports->port[k].operations);
        most = operations > most ? operations : most;
    }
    fprintf(f, "\n  %.*s: %llu clocks, %d for each port operation; at most %llu port operations of a PE",
            (int)sizeof job->unit, job->unit, (unsigned long long)clocks, ports->clocks_each,
            (unsigned long long)most);
    if (unit_seconds(ports, clocks) > 0)
        fprintf(f, "; %s of its clock", uno_duration(unit_seconds(ports, clocks) * 1e9, text));
    fputc('\n', f);
}

bool uno_stats_any(const struct uno_recorded *recorded) {
    struct stats *stats = sum_up(recorded);
    bool any = stats && (stats->all.count || stats->all.unfinished);
    if (stats)
        drop(stats);
    return any;
}

void uno_stats_table(FILE *f, const struct uno_recorded *recorded) {
    char text[UNO_DURATION], label[UNO_MEMBER];
    struct stats *stats = sum_up(recorded);
    if (!stats)
        return;
    fprintf(f, "unisono run: %d PE%s ran for %s", stats->n, stats->n == 1 ? "" : "s",
            uno_duration((double)stats->ns, text));
    if (!stats->all.count && !stats->all.unfinished) {
        fprintf(f, ", without an operation\n");
        drop(stats);
        return;
    }
    fprintf(f, "; what they did and waited for:\n");
    write_kinds(f, stats);
    int straggler = stats->straggler;
    uint64_t most = straggler < 0 ? 0 : stats->pe[straggler].waited_for;
    write_pes(f, recorded, stats);
    if (recorded->job->ports_at)
        uno_stats_unit(f, recorded->job);
    if (straggler < 0)
        fprintf(f, "\n  no PE had to wait for another\n");
    else
        fprintf(f, "\n  PE %s was waited for most: %s, %.0f %% of all time in operations\n",
                uno_member(straggler, uno_seats_host(recorded->seats, straggler), label),
                uno_duration((double)most, text), 100 * ratio(most, stats->all.ns));
    drop(stats);
}

/* ---- for programs ------------------------------------------------------------------------------------ */

static json_t *seconds(double ns) {
    return json_real(ns / 1e9);
}

static json_t *kind_json(const char *name, const struct kind *kind) {
    return json_pack("{s:s, s:I, s:I, s:o, s:o}", "name", name, "count", (json_int_t)kind->count,
                     "unfinished", (json_int_t)kind->unfinished, "seconds", seconds((double)kind->ns),
                     "mean_seconds", seconds(mean(kind)));
}

static json_t *pe_json(const struct pe *pe) {
    return json_pack("{s:i, s:s?, s:b, s:o, s:I, s:o, s:f, s:o}", "pe", pe->number, "node", pe->host,
                     "checked_in", pe->checked_in, "run_seconds", seconds((double)pe->run), "operations",
                     (json_int_t)pe->operations, "waiting_seconds", seconds((double)pe->ns), "waiting_share",
                     ratio(pe->ns, pe->run), "waited_for_seconds", seconds((double)pe->waited_for));
}

static json_t *unit_json(struct uno_job *job) {
    if (!job->ports_at)
        return json_null();
    struct uno_ports *ports = uno_ports(job);
    uint64_t clocks = uno_load64_relaxed(&ports->clocks);
    json_t *operations = json_array();
    for (int k = 0; k < job->n; k++)
        json_array_append_new(operations,
                              json_integer((json_int_t)uno_load64_relaxed(&ports->port[k].operations)));
    double seconds = unit_seconds(ports, clocks);
    return json_pack("{s:s, s:I, s:i, s:o, s:o}", "name", job->unit, "clocks", (json_int_t)clocks,
                     "clocks_each", ports->clocks_each, "port_operations", operations, "seconds",
                     seconds > 0 ? json_real(seconds) : json_null());
}

json_t *uno_stats_json(const struct uno_recorded *recorded) {
    struct uno_job *job = recorded->job;
    struct stats *stats = sum_up(recorded);
    if (!stats)
        return NULL;
    json_t *kinds = json_array(), *pes = json_array();
    for (int op = 0; op < stats->kinds; op++)
        if (stats->kind[op].count || stats->kind[op].unfinished)
            json_array_append_new(kinds, kind_json(stats->kind[op].name, &stats->kind[op]));
    for (int k = 0; k < stats->n; k++)
        json_array_append_new(pes, pe_json(&stats->pe[k]));
    json_t *object = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "program", job->program, "pes",
                               stats->n, "seconds", seconds((double)stats->ns), "all",
                               kind_json("all", &stats->all), "operations", kinds, "pe", pes, "straggler",
                               stats->straggler < 0 ? json_null() : json_integer(stats->straggler), "unit",
                               unit_json(job));
    drop(stats);
    return object;
}
