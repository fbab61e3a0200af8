/* unisono sort: a file of records of a fixed size, in the order of a key, by PEs that are threads. */

#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands.h"
#include "engine/available.h"
#include "engine/job.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "exchange/sort/sort.h"
#include "launch/exit.h"
#include "options.h"
#include "sort/check.h"
#include "sort/output.h"
#include "sort/progress.h"

enum { TROUBLE = UNO_EXIT_USAGE, DISORDER = EXIT_FAILURE };

struct request {
    int n;
    const char *key_text;
    struct uno_sort_key key;
    size_t record;
    bool json, check;
    const char *in, *out;
};

/* ---- in memory -------------------------------------------------------------------------------------------
 */

struct in_memory {
    const struct request *request;
    struct sort_records records;
    struct sort_output output;
    struct sort_progress progress;
    struct uno_sort sort;
    char *own;      /* of all PEs, one after the other */
    uint64_t ns[3]; /* reading, sorting, writing */
    struct uno_sort_times times[UNO_MAX_PES];
    struct {
        const char *path, *what;
        int error;
    } failed[UNO_MAX_PES];
};

enum { HUGE_PAGE = 2 << 20, AT_ONCE = 8 << 20 };

/* What one array takes. */
static size_t array_bytes(size_t bytes) {
    return (bytes + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* Memory at a huge page, of huge pages where the system has them. NULL: there is none. */
static void *array(size_t bytes) {
    char *p = mmap(NULL, array_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    p += -(uintptr_t)p % HUGE_PAGE;
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static size_t own_bytes(void) {
    return (uno_sort_own() + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static bool failed(struct in_memory *m, int me, const char *path, const char *what, int error) {
    m->failed[me].path = path;
    m->failed[me].what = what;
    m->failed[me].error = error;
    return error;
}

/* Read this PE's part of the input, or write that of these records. Returns whether every PE could. */
static bool transfer(struct in_memory *m, const char *write) {
    int me = p_iproc();
    size_t record = m->records.record;
    uint64_t at = sort_part(m->records.n, me, m->request->n) * record;
    uint64_t end = sort_part(m->records.n, me + 1, m->request->n) * record;
    int error = 0;
    for (uint64_t bytes; at < end && !error; at += bytes) {
        bytes = end - at < AT_ONCE ? end - at : AT_ONCE;
        error = write ? sort_write(m->output.file, write + at, bytes, at)
                      : sort_read(m->records.file, m->sort.from + at, bytes, at);
        sort_progress_done(&m->progress, bytes);
    }
    if (write)
        failed(m, me, m->output.path, "cannot write it", error);
    else
        failed(m, me, m->records.path, "cannot read it", error);
    return !p_any(error);
}

static int sort_pe(void *argument) {
    struct in_memory *m = argument;
    int me = p_iproc();
    struct uno_sort_crew crew = {.pes = m->request->n, .me = me, .wait = p_wait};
    uint64_t t0 = uno_kernel_now();
    if (!transfer(m, NULL))
        return 1;
    uint64_t t1 = uno_kernel_now();
    const char *sorted = uno_sort(&m->sort, &crew, m->own + (size_t)me * own_bytes(), &m->times[me]);
    uint64_t t2 = uno_kernel_now();
    bool written = transfer(m, sorted);
    if (me == 0) {
        m->ns[0] = t1 - t0;
        m->ns[1] = t2 - t1;
        m->ns[2] = uno_kernel_now() - t2;
    }
    return !written;
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

/* Take the memory. False: there is too little, and the message says where. */
static bool take_memory(struct in_memory *m) {
    const struct request *r = m->request;
    size_t bytes = m->records.n * m->records.record;
    size_t work = uno_sort_work(m->records.n, m->records.record, &r->key, r->n);
    enum { STACK = 9 << 20 }; /* of a thread, and what else it needs */
    uint64_t need = 2 * array_bytes(bytes) + array_bytes(work) + array_bytes((size_t)r->n * own_bytes()) +
                    (uint64_t)r->n * STACK;
    struct uno_available memory = uno_memory_available();
    if (need <= memory.bytes) {
        m->sort.from = array(bytes);
        m->sort.to = array(bytes);
        m->sort.work = array(work);
        m->own = array((size_t)r->n * own_bytes());
        if (m->sort.from && m->sort.to && m->sort.work && m->own)
            return true;
    }
    char size[32], needed[32], left[32];
    show_bytes(size, bytes);
    show_bytes(needed, need);
    show_bytes(left, memory.bytes);
    fprintf(stderr,
            "unisono sort: %s: to sort %s takes %s of memory, and %s leaves %s; raise that, or sort the file "
            "in parts\n",
            r->in, size, needed, memory.limit, left);
    return false;
}

static json_t *phases(const struct in_memory *m) {
    json_t *object = json_object();
    for (int phase = 0; phase < UNO_SORT_PHASES; phase++) {
        uint64_t most = 0;
        for (int k = 0; k < m->request->n; k++)
            most = m->times[k].ns[phase] > most ? m->times[k].ns[phase] : most;
        json_object_set_new(object, uno_sort_phase_names[phase], json_real((double)most / 1e9));
    }
    return object;
}

/* How much longer than the mean the busiest PE has worked, as a part of the mean. */
static double imbalance(const struct in_memory *m) {
    uint64_t most = 0, all = 0;
    for (int k = 0; k < m->request->n; k++) {
        uint64_t busy = 0;
        for (int phase = 0; phase < UNO_SORT_PHASES; phase++)
            busy += m->times[k].ns[phase];
        most = busy > most ? busy : most;
        all += busy;
    }
    return all ? (double)most * m->request->n / (double)all - 1 : 0;
}

static int write_json(json_t *object) {
    if (!object) {
        fprintf(stderr, "unisono sort: out of memory\n");
        return TROUBLE;
    }
    json_dumpf(object, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(object);
    if (fflush(stdout)) {
        perror("unisono sort: cannot write standard output");
        return TROUBLE;
    }
    return EXIT_SUCCESS;
}

static int show(const struct in_memory *m, uint64_t all) {
    return write_json(json_pack("{s:I, s:I, s:s, s:i, s:f, s:f, s:f, s:f, s:o, s:f}", "records",
                                (json_int_t)m->records.n, "record", (json_int_t)m->records.record, "key",
                                m->request->key_text, "pes", m->request->n, "seconds", (double)all / 1e9,
                                "read", (double)m->ns[0] / 1e9, "sort", (double)m->ns[1] / 1e9, "write",
                                (double)m->ns[2] / 1e9, "phases", phases(m), "imbalance", imbalance(m)));
}

static int sort_file(const struct request *request) {
    struct in_memory m = {.request = request};
    uint64_t t0 = uno_kernel_now();
    if (!sort_records_open(&m.records, request->in, request->record) || !take_memory(&m))
        return TROUBLE;
    uint64_t bytes = m.records.n * request->record;
    if (!sort_output_open(&m.output, request->out, bytes))
        return TROUBLE;
    m.sort.n = m.records.n;
    m.sort.record = request->record;
    m.sort.key = request->key;
    m.sort.progress = sort_progress_done;
    m.sort.shown = &m.progress;
    sort_progress_begin(&m.progress, 3 * bytes);
    int trouble = p_team(request->n, sort_pe, &m);
    sort_progress_end(&m.progress);
    for (int k = 0; k < request->n && trouble; k++)
        if (m.failed[k].error) {
            fprintf(stderr, "unisono sort: %s: %s: %s\n", m.failed[k].path, m.failed[k].what,
                    sort_error(m.failed[k].error));
            break;
        }
    if (trouble)
        sort_output_drop(&m.output);
    if (trouble || !sort_output_finish(&m.output))
        return TROUBLE;
    return request->json ? show(&m, uno_kernel_now() - t0) : EXIT_SUCCESS;
}

/* ---- --check ---------------------------------------------------------------------------------------------
 */

/* False: the file cannot be read, which has been said. */
static bool look(const struct request *request, const char *path, struct sort_records *records,
                 struct sort_checked *checked) {
    if (!sort_records_open(records, path, request->record))
        return false;
    sort_check(records, &request->key, request->n, checked);
    close(records->file);
    if (checked->error)
        fprintf(stderr, "unisono sort: %s: cannot read it: %s\n", path, sort_error(checked->error));
    return !checked->error;
}

/* The last file named is the one that is to be in order; a second, named before it, has what its records are
 * to be. */
static int check_file(const struct request *request) {
    struct sort_records sorted, given;
    struct sort_checked in_order, in_given;
    const char *path = request->out ? request->out : request->in;
    if (!look(request, path, &sorted, &in_order) ||
        (request->out && !look(request, request->in, &given, &in_given)))
        return TROUBLE;
    bool ordered = in_order.disorder == sorted.n;
    bool same = !request->out || (sorted.n == given.n && in_order.sum[0] == in_given.sum[0] &&
                                  in_order.sum[1] == in_given.sum[1]);
    if (!ordered)
        fprintf(stderr, "unisono sort: %s: record %llu, counted from 0, is less than the one before it\n",
                path, (unsigned long long)in_order.disorder);
    if (!same)
        fprintf(stderr, "unisono sort: %s: its records are not those of %s\n", path, request->in);
    int status = ordered && same ? EXIT_SUCCESS : DISORDER;
    if (!request->json)
        return status;
    json_t *object = json_pack("{s:I, s:b}", "records", (json_int_t)sorted.n, "ordered", ordered);
    if (object && request->out)
        json_object_set_new(object, "same_records", json_boolean(same));
    int written = write_json(object);
    return written ? written : status;
}

/* ---- the command -----------------------------------------------------------------------------------------
 */

/* A number of bytes, 1 or more, as all of the text. */
static bool parse_bytes(const char *text, uint64_t least, size_t *bytes) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *bytes = value;
    return !errno && end != text && !*end && *text != '-' && value >= least && value <= (UINT64_MAX >> 16);
}

static void parse_key(struct request *request, const char *text, const struct argp_state *state) {
    char type[8];
    size_t offset = 0;
    const char *at = strchr(text, '@');
    if (!at || !parse_bytes(at + 1, 0, &offset))
        argp_failure(state, TROUBLE, 0, "--key %s: a key is TYPE@OFFSET, as u16@0", text);
    snprintf(type, sizeof type, "%.*s", (int)(at - text), text);
    if (!uno_sort_key(&request->key, type, offset))
        argp_failure(state, TROUBLE, 0, "--key %s: the types are u8 u16 u32 u64 i8 i16 i32 i64 f32 f64",
                     text);
    request->key_text = text;
}

static void complete(const struct request *request, const struct argp_state *state) {
    if (!request->in)
        argp_failure(state, TROUBLE, 0, "which file?");
    if (!request->out && !request->check)
        argp_failure(state, TROUBLE, 0, "which file is to be written?");
    if (!request->key_text)
        argp_failure(state, TROUBLE, 0, "by which key? Say --key TYPE@OFFSET");
    if (!request->record)
        argp_failure(state, TROUBLE, 0, "how long is a record? Say --record BYTES");
    if (request->key.offset + request->key.bytes > request->record)
        argp_failure(state, TROUBLE, 0, "--key %s: the key ends at byte %zu of a record, which has %zu",
                     request->key_text, request->key.offset + request->key.bytes, request->record);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    switch (key) {
    case 'n':
        request->n = parse_pes(argument, state);
        return 0;
    case 'k':
        parse_key(request, argument, state);
        return 0;
    case 'r':
        if (!parse_bytes(argument, 1, &request->record))
            argp_failure(state, TROUBLE, 0, "--record %s: not a number of bytes", argument);
        return 0;
    case 'c':
        request->check = true;
        return 0;
    case 'j':
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= 2)
            argp_failure(state, TROUBLE, 0, "%s: name two files only", argument);
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
    struct request request = {.n = uno_processors()};
    parse_options(&argp, argc, argv, 0, &request);
    return request.check ? check_file(&request) : sort_file(&request);
}
