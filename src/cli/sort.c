/* unisono sort: a file of records of a fixed size, in the order of a key, by PEs that are threads. */

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <papers.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "engine/available.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "common/options.h"
#include "common/print.h"
#include "sort/check.h"
#include "sort/request.h"
#include "sort/spill.h"
#include "sort/team.h"

/* ---- figures ----------------------------------------------------------------------------------------- */

/* Seconds, in JSON. */
static json_t *seconds(uint64_t ns) {
    return json_real((double)ns / 1e9);
}

static json_t *phases(const struct sort_team *team) {
    json_t *object = json_object();
    for (int phase = 0; phase < UNO_SORT_PHASES; phase++) {
        uint64_t most = 0;
        for (int k = 0; k < team->request->n; k++)
            most = team->times[k].ns[phase] > most ? team->times[k].ns[phase] : most;
        json_object_set_new(object, uno_sort_phase_names[phase], seconds(most));
    }
    return object;
}

/* Return by how much the busiest PE has worked longer than the mean, relative to the mean. */
static double imbalance(const struct sort_team *team) {
    uint64_t most = 0, all = 0;
    for (int k = 0; k < team->request->n; k++) {
        uint64_t busy = 0;
        for (int phase = 0; phase < UNO_SORT_PHASES; phase++)
            busy += team->times[k].ns[phase];
        most = busy > most ? busy : most;
        all += busy;
    }
    return all ? (double)most * team->request->n / (double)all - 1 : 0;
}

static int write_json(json_t *object) {
    return print_json(object, "unisono sort") ? SORT_TROUBLE : EXIT_SUCCESS;
}

static json_t *figures(const struct sort_team *team, uint64_t all) {
    return json_pack("{s:I, s:I, s:s, s:i, s:o, s:o, s:f}", "records", (json_int_t)team->records.n, "record",
                     (json_int_t)team->records.record, "key", team->request->key_text, "pes",
                     team->request->n, "seconds", seconds(all), "phases", phases(team), "imbalance",
                     imbalance(team));
}

/* ---- sorting ----------------------------------------------------------------------------------------- */

struct in_memory {
    struct sort_team *team;
    uint64_t read, sort, write; /* ns */
};

static int sort_pe(void *argument) {
    struct in_memory *m = argument;
    struct sort_team *team = m->team;
    struct sort_place in = {team->records.path, team->records.file, 0};
    struct sort_place out = {team->output.as.path, team->output.as.file, 0};
    uint64_t n = team->records.n, t0 = uno_kernel_now();
    if (!sort_team_read(team, &in, team->sort.from, n))
        return 1;
    uint64_t t1 = uno_kernel_now();
    const char *sorted = sort_team_sort(team, n);
    uint64_t t2 = uno_kernel_now();
    if (!sort_team_write(team, &out, sorted, n))
        return 1;
    if (p_iproc() == 0) {
        m->read = t1 - t0;
        m->sort = t2 - t1;
        m->write = uno_kernel_now() - t2;
    }
    return 0;
}

static bool sort_in_memory(struct sort_team *team, struct in_memory *m) {
    m->team = team;
    sort_progress_begin(&team->progress, 3 * team->records.n * team->records.record);
    int trouble = p_team(team->request->n, sort_pe, m);
    sort_progress_end(&team->progress);
    if (trouble)
        sort_team_complain(team);
    return !trouble;
}

/* "8.2 GB" */
static void show_bytes(char text[32], uint64_t bytes) {
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    int i = 0;
    for (; value >= 999.5 && i < 6; i++)
        value /= 1000;
    snprintf(text, 32, "%.3g %s", value, unit[i]);
}

/* The most records, up to n, that so much memory suffices for. */
static uint64_t that_fit(const struct sort_request *request, uint64_t n, uint64_t bytes) {
    uint64_t fit = 0;
    for (uint64_t more = n; more; more /= 2)
        while (fit + more <= n && sort_team_need(request, fit + more) <= bytes)
            fit += more;
    return fit;
}

/* Take memory for all records, or, if they may be spilled, for as many as there is. How many; 0: for too few,
 * which has been said. */
static uint64_t take_memory(struct sort_team *team) {
    const struct sort_request *r = team->request;
    struct uno_available memory = uno_memory_available();
    uint64_t n = team->records.n, need = sort_team_need(r, n);
    if (need > memory.bytes)
        n = r->spill ? that_fit(r, n, memory.bytes / 8 * 7) : 0; /* the page cache needs some too */
    if (n && sort_team_take(team, n))
        return n;
    char size[32], needed[32], left[32];
    show_bytes(size, team->records.n * r->record);
    show_bytes(needed, need);
    show_bytes(left, memory.bytes);
    if (r->spill)
        fprintf(stderr, "unisono sort: %s: too little memory for any part of it: %s leaves %s\n", r->in,
                memory.limit, left);
    else
        fprintf(stderr,
                "unisono sort: %s: to sort %s takes %s of memory, and %s leaves %s; --spill DIR sorts it in "
                "parts, with "
                "as much room in DIR\n",
                r->in, size, needed, memory.limit, left);
    return 0;
}

static int sort_file(const struct sort_request *request) {
    struct sort_team team = {.request = request};
    struct in_memory m = {0};
    struct sort_spilled spilled = {0};
    uint64_t t0 = uno_kernel_now();
    if (!sort_records_open(&team.records, request->in, request->record, request->raw))
        return SORT_TROUBLE;
    uint64_t n = team.records.n, fit = n ? take_memory(&team) : 0;
    if ((n && !fit) || (!n && !sort_team_take(&team, 0)))
        return SORT_TROUBLE;
    if (!aside_open(&team.output, "unisono sort", request->out, n * request->record))
        return SORT_TROUBLE;
    if (!(fit < n ? sort_spill(&team, fit, &spilled) : sort_in_memory(&team, &m))) {
        aside_drop(&team.output);
        return SORT_TROUBLE;
    }
    if (!aside_finish(&team.output))
        return SORT_TROUBLE;
    if (!request->json)
        return EXIT_SUCCESS;
    json_t *told = figures(&team, uno_kernel_now() - t0);
    json_t *more = fit < n ? json_pack("{s:I, s:o, s:o}", "runs", (json_int_t)spilled.runs, "form",
                                       seconds(spilled.form), "merge", seconds(spilled.merge))
                           : json_pack("{s:o, s:o, s:o}", "read", seconds(m.read), "sort", seconds(m.sort),
                                       "write", seconds(m.write));
    if (told)
        json_object_update_missing(told, more);
    json_decref(more);
    return write_json(told);
}

/* ---- --check ----------------------------------------------------------------------------------------- */

/* False: the file cannot be read, which has been said. */
static bool look(const struct sort_request *request, const char *path, struct sort_records *records,
                 struct sort_checked *checked) {
    if (!sort_records_open(records, path, request->record, request->raw))
        return false;
    sort_check(records, &request->key, request->n, checked);
    close(records->file);
    if (checked->error)
        fprintf(stderr, "unisono sort: %s: cannot read it: %s\n", path, sort_error(checked->error));
    return !checked->error;
}

/* The last file named is the one that is to be in order; a second, named before it, has what its records are
 * to be. */
static int check_file(const struct sort_request *request) {
    struct sort_records sorted, given;
    struct sort_checked in_order, in_given;
    const char *path = request->out ? request->out : request->in;
    if (!look(request, path, &sorted, &in_order) ||
        (request->out && !look(request, request->in, &given, &in_given)))
        return SORT_TROUBLE;
    bool ordered = in_order.disorder == sorted.n;
    bool same = !request->out || (sorted.n == given.n && in_order.sum[0] == in_given.sum[0] &&
                                  in_order.sum[1] == in_given.sum[1]);
    if (!ordered)
        fprintf(stderr, "unisono sort: %s: record %llu, counted from 0, is less than the one before it\n",
                path, (unsigned long long)in_order.disorder);
    if (!same)
        fprintf(stderr, "unisono sort: %s: its records are not those of %s\n", path, request->in);
    int status = ordered && same ? EXIT_SUCCESS : SORT_DISORDER;
    if (!request->json)
        return status;
    json_t *object = json_pack("{s:I, s:b}", "records", (json_int_t)sorted.n, "ordered", ordered);
    if (object && request->out)
        json_object_set_new(object, "same_records", json_boolean(same));
    int written = write_json(object);
    return written ? written : status;
}

/* ---- the command ------------------------------------------------------------------------------------- */

enum { RAW = 256 };

/* A number of bytes, 1 or more, as all of the text. */
static bool parse_bytes(const char *text, uint64_t least, size_t *bytes) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *bytes = value;
    return !errno && end != text && !*end && *text != '-' && value >= least && value <= (UINT64_MAX >> 16);
}

static void parse_key(struct sort_request *request, const char *text, const struct argp_state *state) {
    char type[8];
    size_t offset = 0;
    if (request->key_text && strcmp(request->key_text, text) != 0)
        argp_failure(
            state, SORT_TROUBLE, 0,
            "--key %s, --key %s: one key only; to sort by several, sort by the last of them first, and "
            "the result by the one before it: equal keys keep their order",
            request->key_text, text);
    const char *at = strchr(text, '@');
    if (!at || !parse_bytes(at + 1, 0, &offset))
        argp_failure(state, SORT_TROUBLE, 0, "--key %s: a key is TYPE@OFFSET, as u16@0", text);
    snprintf(type, sizeof type, "%.*s", (int)(at - text), text);
    if (!uno_sort_key(&request->key, type, offset))
        argp_failure(state, SORT_TROUBLE, 0, "--key %s: the types are u8 u16 u32 u64 i8 i16 i32 i64 f32 f64",
                     text);
    request->key_text = text;
}

static void complete(const struct sort_request *request, const struct argp_state *state) {
    if (!request->in)
        argp_failure(state, SORT_TROUBLE, 0, "which file?");
    if (!request->out && !request->check)
        argp_failure(state, SORT_TROUBLE, 0, "which file is to be written?");
    if (!request->key_text)
        argp_failure(state, SORT_TROUBLE, 0, "by which key? Say --key TYPE@OFFSET");
    if (!request->record)
        argp_failure(state, SORT_TROUBLE, 0, "how long is a record? Say --record BYTES");
    if (request->key.offset + request->key.bytes > request->record)
        argp_failure(state, SORT_TROUBLE, 0, "--key %s: the key ends at byte %zu of a record, which has %zu",
                     request->key_text, request->key.offset + request->key.bytes, request->record);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct sort_request *request = state->input;
    switch (key) {
    case 'n':
        request->n = parse_pes(argument, state);
        return 0;
    case 'k':
        parse_key(request, argument, state);
        return 0;
    case 'r':
        if (!parse_bytes(argument, 1, &request->record))
            argp_failure(state, SORT_TROUBLE, 0, "--record %s: not a number of bytes", argument);
        return 0;
    case 'c':
        request->check = true;
        return 0;
    case RAW:
        request->raw = true;
        return 0;
    case 's':
        request->spill = argument;
        return 0;
    case 'j':
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= 2)
            argp_failure(state, SORT_TROUBLE, 0, "%s: name two files only", argument);
        *(state->arg_num ? &request->out : &request->in) = argument;
        return 0;
    case ARGP_KEY_END:
        complete(request, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_sort(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"pes", 'n', "N", 0, "By N PEs; else as many as there are processors", 0},
        {"key", 'k', "TYPE@OFFSET", 0,
         "The key: u8 to u64, i8 to i64, f32 or f64, at this byte of the record", 0},
        {"record", 'r', "BYTES", 0, "The size of a record", 0},
        {"check", 'c', NULL, 0,
         "Write nothing; say whether the last file is in order, and has the records of IN", 0},
        {"raw", RAW, NULL, 0, "Take a file for records, though it looks like lines of text or a .npy file",
         0},
        {"spill", 's', "DIR", 0,
         "Sort a file that does not fit memory in parts, which are kept in DIR meanwhile", 0},
        {"json", 'j', NULL, 0, "Write what was done, and how long it took, as a JSON object", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "IN OUT\n--check [IN] OUT",
        .doc =
            "Sort a file of records of a fixed size by a key. Records with equal keys stay in their order.",
    };
    struct sort_request request = {.n = uno_processors()};
    parse_options(&argp, argc, argv, 0, &request);
    return request.check ? check_file(&request) : sort_file(&request);
}
