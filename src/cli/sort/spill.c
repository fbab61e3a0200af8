#define _GNU_SOURCE
#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "merge.h"

struct spill {
    struct sort_team *team;
    struct sort_runs runs;
    char *memory; /* for the merge, of all PEs, where the arrays were */
    uint64_t bytes;
    struct sort_spilled *spilled;
};

/* A file without a name in the folder, of so many bytes. */
static int open_nameless(const char *folder, uint64_t bytes) {
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/unisono-sort.XXXXXX", folder) < (int)sizeof path) {
            file = mkostemp(path, O_CLOEXEC);
            if (file >= 0)
                unlink(path);
        }
    }
    if (file < 0)
        fprintf(stderr, "unisono sort: --spill %s: cannot create a file there: %s\n", folder,
                strerror(errno));
    else if (fallocate(file, 0, 0, (off_t)bytes) && errno != EOPNOTSUPP && errno != ENOSYS)
        fprintf(stderr, "unisono sort: --spill %s: there is no room for the file: %s\n", folder,
                strerror(errno));
    else
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Where run r begins, and how many records it has. */
static uint64_t run_at(const struct spill *spill, uint64_t r, uint64_t *n) {
    uint64_t begin = r * spill->runs.length, left = spill->runs.n - begin;
    *n = left < spill->runs.length ? left : spill->runs.length;
    return begin * spill->team->request->record;
}

/* While a run is sorted, the next one is read as far as the memory goes that is left to the page cache: that
 * is a seventh of two arrays, each as large as a run. */
static void read_ahead(struct spill *spill, uint64_t r) {
    struct sort_team *team = spill->team;
    struct sort_place next = {team->records.path, team->records.file, 0};
    if (r == spill->runs.count)
        return;
    uint64_t n;
    next.at = run_at(spill, r, &n);
    sort_team_read_ahead(team, &next, n, spill->bytes / 4 / (unsigned)team->request->n);
}

static bool form_run(struct spill *spill, uint64_t r) {
    struct sort_team *team = spill->team;
    uint64_t n, at = run_at(spill, r, &n);
    struct sort_place in = {team->records.path, team->records.file, at};
    struct sort_place run = {spill->runs.path, spill->runs.file, at};
    if (!sort_team_read(team, &in, team->sort.from, n))
        return false;
    read_ahead(spill, r + 1);
    const char *sorted = sort_team_sort(team, n);
    return sort_team_write(team, &run, sorted, n);
}

static int spill_pe(void *argument) {
    struct spill *spill = argument;
    int me = p_iproc();
    uint64_t t0 = uno_kernel_now();
    for (uint64_t r = 0; r < spill->runs.count; r++)
        if (!form_run(spill, r))
            return 1;
    if (me == 0) /* the merge leaves this memory to the page cache */
        madvise(spill->team->sort.to, spill->bytes, MADV_DONTNEED);
    uint64_t t1 = uno_kernel_now(), mine = spill->bytes / (unsigned)spill->team->request->n / 64 * 64;
    if (!sort_merge(spill->team, &spill->runs, spill->memory + (uint64_t)me * mine, mine))
        return 1;
    if (me == 0) {
        spill->spilled->form = t1 - t0;
        spill->spilled->merge = uno_kernel_now() - t1;
    }
    return 0;
}

bool sort_spill(struct sort_team *team, uint64_t run, struct sort_spilled *spilled) {
    const struct sort_request *request = team->request;
    uint64_t all = team->records.n * request->record;
    struct spill spill = {
        .team = team, .memory = team->sort.from, .bytes = run * request->record, .spilled = spilled};
    spill.runs = (struct sort_runs){.path = request->spill,
                                    .n = team->records.n,
                                    .length = run,
                                    .count = (team->records.n + run - 1) / run};
    spilled->runs = spill.runs.count;
    if (spill.bytes / (unsigned)request->n / 64 * 64 < sort_merge_least(request, spill.runs.count)) {
        fprintf(stderr,
                "unisono sort: %s: there is too little memory to merge the %llu parts in which it would be "
                "sorted\n",
                team->records.path, (unsigned long long)spill.runs.count);
        return false;
    }
    spill.runs.file = open_nameless(request->spill, all);
    if (spill.runs.file < 0)
        return false;
    sort_progress_begin(&team->progress, 5 * all); /* read, sort, write, read, write */
    int trouble = p_team(request->n, spill_pe, &spill);
    sort_progress_end(&team->progress);
    if (trouble)
        sort_team_complain(team);
    close(spill.runs.file);
    return !trouble;
}
