/* The files of a PE, the meetings of their members, and the reports of errors. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/bypass.h"
#include "local.h"

/* ---- meetings ---------------------------------------------------------------------------------------- */

/* The number of the r-th member of the group. */
static int member(const struct uno_pe *pe, int r) {
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
        if (r-- == 0)
            return k;
    return -1;
}

static UNO_COLD _Noreturn void differ(struct uno_pe *pe, enum uno_file_op op, int r, const char *what) {
    uno_fail(pe, "%s: mismatch: PE %d and PE %d %s", uno_file_name(op), pe->me, member(pe, r), what);
}

struct uno_file_seen uno_file_meet(struct uno_pe *pe, enum uno_file_op op, const struct uno_file_told *told,
                                   const char *different) {
    struct uno_file_seen seen = {0};
    bool ended = false;
    uno_bypass(pe, uno_signature_op(op));
    const void *const *data =
        pe->unit->meet(pe, op, (const uint64_t *)(const void *)told, sizeof *told / sizeof(uint64_t));
    seen.given = ((const struct uno_file_told *)data[0])->given;
    for (int r = 0; r < pe->group.size; r++) {
        const struct uno_file_told *theirs = data[r];
        uint64_t bytes = ended ? 0 : theirs->bytes;
        if (UNO_UNLIKELY(theirs->id != told->id))
            differ(pe, op, r, "call it for different files");
        if (UNO_UNLIKELY(theirs->same != told->same))
            differ(pe, op, r, different);
        if (UNO_UNLIKELY(theirs->error && !seen.error)) {
            seen.error = (int)theirs->error;
            seen.culprit = member(pe, r);
        }
        if (r == pe->group.rank) {
            seen.before = seen.all;
            seen.mine = bytes;
        }
        seen.all = seen.all + bytes < bytes ? UINT64_MAX : seen.all + bytes;
        seen.most = bytes > seen.most ? bytes : seen.most;
        ended |= theirs->bytes < theirs->wanted;
    }
    uno_leave(pe);
    return seen;
}

/* ---- the table --------------------------------------------------------------------------------------- */

void uno_file_free(struct uno_file *file) {
    if (file->fd >= 0 && !file->aside)
        close(file->fd);
    if (file->aside)
        uno_aside_drop(file->aside);
    free(file->aside);
    free(file->path);
    free(file);
}

/* Free the files when the PE leaves. */
static void end(struct uno_pe *pe) {
    struct uno_files *files = pe->files;
    for (int i = 0; i < files->count; i++)
        if (files->file[i]) {
            uno_arrays_leave(pe, &files->file[i]->window.array);
            uno_file_free(files->file[i]);
        }
    free(files->file);
    free(files);
    pe->files = NULL;
}

struct uno_pe *uno_file_pe(enum uno_file_op op) {
    struct uno_pe *pe = uno_self;
    if (UNO_UNLIKELY(!pe->job))
        uno_fail_outside(pe, uno_file_name(op));
    if (UNO_UNLIKELY(!pe->files)) {
        pe->files = calloc(1, sizeof *pe->files);
        if (!pe->files)
            uno_fail(pe, "%s: out of memory", uno_file_name(op));
        pe->end_files = end;
    }
    return pe;
}

struct uno_file *uno_file_of(struct uno_pe *pe, enum uno_file_op op, int number) {
    struct uno_files *files = pe->files;
    struct uno_file *file = number < 0 || number >= files->count ? NULL : files->file[number];
    if (UNO_UNLIKELY(!file))
        uno_fail(pe, "%s: there is no open file of number %d", uno_file_name(op), number);
    if (UNO_UNLIKELY(file->group.id != pe->group.id)) {
        char mine[UNO_MASK_TEXT], its[UNO_MASK_TEXT];
        uno_fail(pe, "%s: a file of group %s is used in group %s", uno_file_name(op),
                 uno_mask_text(file->group.mask, pe->job->words, its),
                 uno_mask_text(pe->group.mask, pe->job->words, mine));
    }
    return file;
}

/* ---- failures ---------------------------------------------------------------------------------------- */

int uno_file_failed(struct uno_pe *pe, const char *path, const char *what, int error, int culprit) {
    snprintf(pe->files->failed, sizeof pe->files->failed, "%s: cannot %s: PE %d: %s", path, what, culprit,
             strerror(error));
    return -error;
}

const char *p_fileError(void) {
    uno_check_inside(uno_self, "p_fileError");
    return uno_self->files ? uno_self->files->failed : "";
}
