/* The sort is p_sort, and the input is read by <papers/file.h>: both are for PEs that share nothing but a
 * file system. The output is not written by that, since it is to be safe on the disk, and gone if the job
 * ends early. What fails does so at all PEs alike, and the first one that knows says it. */

#define _GNU_SOURCE
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <papers.h>
#include <papers/file.h>
#include <exchange.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/aside.h"
#include "cli/common/here.h"
#include "cli/common/print.h"
#include "engine/bytes.h"
#include "engine/kernel.h"
#include "engine/nodes.h"
#include "engine/pe.h"
#include "memory.h"
#include "records.h"

struct sort_part {
    const struct sort_request *request;
    uint64_t all, n; /* records of the file, and of this PE */
    char *records;
    char type[8];        /* of the key, as p_sort wants it */
    struct aside output; /* at one PE; all have its descriptor: */
    int file;
    uint64_t read, sorted, written;
};

/* Let one PE at which something is wrong say what. Returns true if nothing is at any. */
static bool all_well(const char *wrong) {
    int me = p_iproc(), first = p_reduceMin32(wrong ? me : INT_MAX);
    if (first == me)
        fprintf(stderr, "unisono sort: %s\n", wrong);
    return first == INT_MAX;
}

/* As all_well, after a function of <papers/file.h>. */
static bool read_well(int64_t result) {
    return all_well(result < 0 ? p_fileError() : NULL);
}

/* As all_well, where this PE has a result of the output: negative is -errno. */
static bool write_well(const struct sort_part *part, int result, const char *what) {
    char wrong[SORT_SHORT];
    snprintf(wrong, sizeof wrong, "%s: PE %d: %s: %s", part->request->out, p_iproc(), what,
             strerror(result < 0 ? -result : 0));
    return all_well(result < 0 ? wrong : NULL);
}

/* Find out how many records there are: one PE looks whether the file holds any. */
static bool count(struct sort_part *part) {
    const struct sort_request *r = part->request;
    struct sort_records records = {.n = 0};
    uint64_t found = 0; /* and 1 more */
    if (p_iproc() == 0 && sort_records_open(&records, r->in, r->record, r->raw)) {
        close(records.file);
        found = records.n + 1;
    }
    found = p_reduceMax64u(found);
    part->all = found - 1;
    return found;
}

/* Take memory for this PE's part. */
static bool take(struct sort_part *part) {
    const struct sort_request *r = part->request;
    int me = p_iproc(), n = p_nproc();
    char wrong[SORT_SHORT];
    part->n = uno_sort_part(part->all, me + 1, n) - uno_sort_part(part->all, me, n);
    part->records = sort_memory_part(r, part->n, uno_pes_here(uno_self->job), wrong);
    return all_well(part->records ? NULL : wrong);
}

static bool read_part(struct sort_part *part) {
    const struct sort_request *r = part->request;
    size_t bytes = part->n * r->record;
    char wrong[PATH_MAX + 100];
    int file = p_open(r->in, "r");
    if (!read_well(file))
        return false;
    int64_t got = p_read(file, part->records, bytes);
    if (!read_well(got))
        return false;
    snprintf(wrong, sizeof wrong, "%s: cannot read it: %s", r->in, sort_error(ENODATA));
    return all_well(got == (int64_t)bytes ? NULL : wrong) && read_well(p_close(file));
}

static bool sort_part(struct sort_part *part) {
    const struct sort_request *r = part->request;
    int error = p_sort(part->records, part->n, r->record, part->type, r->key.offset);
    return all_well(error ? "there is no memory to sort" : NULL);
}

/* Open the output: one PE anew, the others by the name that it has until it is complete. Returns false if any
 * PE could not, which has been said. */
static bool open_output(struct sort_part *part) {
    const struct sort_request *r = part->request;
    int me = p_iproc();
    uint64_t name = 0; /* a number of a process is part of it */
    if (me == 0 && aside_open(&part->output, "unisono sort", r->out, part->all * r->record))
        aside_show(&part->output, &name);
    name = p_reduceMax64u(name);
    if (!name)
        return false;
    part->file = me ? uno_aside_join(r->out, name, O_WRONLY | O_CLOEXEC) : part->output.as.file;
    return write_well(part, part->file, "cannot open the unfinished file");
}

/* Write this PE's part, and have it on the disk. Returns 0 or -errno. */
static int put(struct sort_part *part) {
    const struct sort_request *r = part->request;
    uint64_t before = uno_sort_part(part->all, p_iproc(), p_nproc());
    int error = uno_file_put(part->file, part->records, part->n * r->record, before * r->record);
    return error ? error : fsync(part->file) ? -errno : 0;
}

static bool write_part(struct sort_part *part) {
    int me = p_iproc();
    bool written = open_output(part) && write_well(part, put(part), "cannot write it");
    if (me && part->file >= 0)
        close(part->file);
    if (me == 0 && written)
        written = aside_finish(&part->output);
    else if (me == 0)
        aside_drop(&part->output);
    return p_all(written);
}

/* Do one step, and note the time until all PEs have done it. */
static bool step(struct sort_part *part, bool (*does)(struct sort_part *part), uint64_t *ns) {
    uint64_t before = uno_kernel_now();
    bool done = does(part);
    *ns = uno_kernel_now() - before;
    return done;
}

static bool show(const struct sort_part *part, uint64_t all) {
    const struct sort_request *r = part->request;
    return print_json(json_pack("{s:I, s:I, s:s, s:i, s:f, s:f, s:f, s:f}", "records", (json_int_t)part->all,
                                "record", (json_int_t)r->record, "key", r->key_text, "pes", p_nproc(),
                                "seconds", (double)all / 1e9, "read", (double)part->read / 1e9, "sort",
                                (double)part->sorted / 1e9, "write", (double)part->written / 1e9),
                      "unisono sort") == 0;
}

int sort_by_job(const struct sort_request *request) {
    p_init();
    struct sort_part part = {.request = request, .file = -1};
    snprintf(part.type, sizeof part.type, "%.*s", (int)strcspn(request->key_text, "@"), request->key_text);
    uint64_t begun = uno_kernel_now();
    bool done = count(&part) && take(&part) && step(&part, read_part, &part.read) &&
                step(&part, sort_part, &part.sorted) && step(&part, write_part, &part.written);
    if (done && request->json && p_iproc() == 0)
        done = show(&part, uno_kernel_now() - begun);
    return p_exit(done ? EXIT_SUCCESS : SORT_TROUBLE);
}

/* Add words to a command, which NULL ends. */
static void add(char **command, const char *const *words) {
    while (*command)
        command++;
    while ((*command = (char *)*words++))
        command++;
}

int sort_start_job(const struct sort_request *r) {
    static char self[PATH_MAX];
    char pes[16], record[24], *command[24] = {NULL};
    here_self(self, sizeof self);
    snprintf(pes, sizeof pes, "%d", r->n);
    snprintf(record, sizeof record, "%zu", r->record);
    add(command, (const char *[]){"unisono", "run", "--hosts", r->hosts, NULL});
    if (r->n)
        add(command, (const char *[]){"-n", pes, NULL});
    add(command, (const char *[]){self, "sort", "--job", "--key", r->key_text, "--record", record, NULL});
    if (r->raw)
        add(command, (const char *[]){"--raw", NULL});
    if (r->json)
        add(command, (const char *[]){"--json", NULL});
    add(command, (const char *[]){"--", r->in, r->out, NULL});
    execv(self, command);
    fprintf(stderr, "unisono sort: %s: %s\n", self, strerror(errno));
    return SORT_TROUBLE;
}
