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

/* The records of run r; none, if there are fewer runs. */
static uint64_t records_in(const struct spill *spill, uint64_t r) {
    uint64_t begin = r * spill->runs.length, left = begin < spill->runs.n ? spill->runs.n - begin : 0;
    return left < spill->runs.length ? left : spill->runs.length;
}

/* While a run is sorted, the next one is read as far as the memory goes that is left to the page cache: that
 * is a seventh of two arrays, each as large as a run. */
static bool form_run(struct spill *spill, uint64_t r) {
    struct sort_team *team = spill->team;
    uint64_t at = r * spill->bytes;
    struct sort_run run = {.n = records_in(spill, r),
                           .in = {team->records.path, team->records.file, at},
                           .out = {spill->runs.path, spill->runs.file, at},
                           .next = records_in(spill, r + 1),
                           .ahead = spill->bytes / 4 / (unsigned)team->request->n};
    return sort_team_run(team, &run);
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

bool sort_spill(struct sort_team *team, struct sort_spilled *spilled) {
    const struct sort_request *request = team->request;
    uint64_t run = team->sort.n;
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
    bool done = sort_team_go(team, 5 * all, spill_pe, &spill); /* read, sort, write, read, write */
    close(spill.runs.file);
    return done;
}
