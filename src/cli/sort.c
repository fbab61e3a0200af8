/* unisono sort: a file of records of a fixed size, in the order of a key, by PEs that are threads; or by
 * those of a job. */

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "common/options.h"
#include "common/print.h"
#include "sort/check.h"
#include "sort/job.h"
#include "sort/memory.h"
#include "sort/spill.h"

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

static json_t *figures(const struct sort_team *team, uint64_t all) {
    return json_pack("{s:I, s:I, s:s, s:i, s:o, s:o, s:f}", "records", (json_int_t)team->records.n, "record",
                     (json_int_t)team->records.record, "key", team->request->key_text, "pes",
                     team->request->n, "seconds", seconds(all), "phases", phases(team), "imbalance",
                     imbalance(team));
}

/* ---- sorting ----------------------------------------------------------------------------------------- */

static int sort_file(const struct sort_request *request) {
    struct sort_team team = {.request = request};
    struct sort_spilled spilled = {0};
    uint64_t t0 = uno_kernel_now();
    if (!sort_records_open(&team.records, request->in, request->record, request->raw) ||
        !sort_memory_take(&team) ||
        !aside_open(&team.output, "unisono sort", request->out, team.records.n * request->record))
        return SORT_TROUBLE;
    bool fits = team.sort.n == team.records.n;
    if (!(fits ? sort_in_memory(&team) : sort_spill(&team, &spilled))) {
        aside_drop(&team.output);
        return SORT_TROUBLE;
    }
    if (!aside_finish(&team.output))
        return SORT_TROUBLE;
    if (!request->json)
        return EXIT_SUCCESS;
    json_t *told = figures(&team, uno_kernel_now() - t0);
    json_t *more = fits ? json_pack("{s:o, s:o, s:o}", "read", seconds(team.read), "sort",
                                    seconds(team.sorted), "write", seconds(team.written))
                        : json_pack("{s:I, s:o, s:o}", "runs", (json_int_t)spilled.runs, "form",
                                    seconds(spilled.form), "merge", seconds(spilled.merge));
    if (told)
        json_object_update_missing(told, more);
    json_decref(more);
    return print_json(told, "unisono sort") ? SORT_TROUBLE : EXIT_SUCCESS;
}

/* ---- the command ------------------------------------------------------------------------------------- */

enum { RAW = 256, HOSTS, JOB };

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

/* The PEs of a job are processes, which read the records once and share no memory. */
static void check_job(const struct sort_request *request, const struct argp_state *state) {
    const char *job = request->hosts ? "--hosts" : request->job ? "--job" : NULL;
    if (request->hosts && request->job)
        argp_failure(state, SORT_TROUBLE, 0, "--hosts starts a job, and --job is for one that runs");
    if (request->job && request->n)
        argp_failure(state, SORT_TROUBLE, 0, "--pes %d: with --job the PEs are those of the job", request->n);
    if (job && (request->check || request->spill))
        argp_failure(state, SORT_TROUBLE, 0, "%s is for one machine; leave out %s",
                     request->check ? "--check" : "--spill", job);
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
    check_job(request, state);
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
    case HOSTS:
        request->hosts = argument;
        return 0;
    case JOB:
        request->job = true;
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
        {"hosts", HOSTS, "LIST", 0,
         "Sort on these machines, each with a number of slots for PEs, as `unisono run` does: a:4,b:4", 0},
        {"job", JOB, NULL, 0, "Sort by the PEs of the job in which `unisono run` has started this command",
         0},
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
    struct sort_request request = {.n = 0};
    parse_options(&argp, argc, argv, 0, &request);
    if (request.hosts)
        return sort_start_job(&request);
    if (request.job)
        return sort_by_job(&request);
    if (!request.n)
        request.n = uno_processors();
    return request.check ? sort_check(&request) : sort_file(&request);
}
