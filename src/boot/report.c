/* A PE waits if its last post is later than `done` on its board.
 *
 * Who is missing. The boards do not count operations pair by pair, so two posts of the same operation and
 * group look alike, be they one meeting or two in a row. This is enough:
 *  - A member that waits in the same operation of the same group counts as arrived. If in truth it is still
 * in the meeting before that, which was complete, or else the other PE would not have passed it, then nothing
 *    keeps it there but that it is not being run.
 *  - Any other member is missing: if it had been here, it could have gone on only because all had arrived,
 * and then the PE that waits would not.
 *  - If that leaves nobody, only a PE that does not run can be the cause, and the members that are stopped by
 * a signal are named.
 *  - A PE that is itself stopped may have been joined by everyone since: nobody is named.
 * A PE that runs through its operations while it is looked at may for once appear to wait with nobody
 * missing. */

#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "descendants.h"
#include "engine/group.h"
#include "engine/signature.h"

/* What one PE's board shows. */
struct view {
    unsigned signature; /* of the last post; 0: none yet */
    bool waits;
    bool stopped; /* by a signal */
    bool none;    /* no process: it has ended, or is still to be started */
    enum uno_state state;
    uint64_t since;
    uint64_t group[UNO_WORDS]; /* of the last post */
};

/* Whether the sequence number of a header, 48 bits, is later than the number `done`. */
static bool later(uint64_t header, uint64_t done) {
    return (int64_t)(((header >> 16) - done) << 16) > 0;
}

/* Read the last post. Whether it stood still meanwhile. */
static bool look_at_post(struct uno_job *job, int k, struct view *view) {
    struct uno_board *board = &job->board[k];
    uint64_t last = 0;
    unsigned slot = 0;
    for (unsigned s = 0; s < UNO_SLOTS; s++) {
        /* SYNC POST: mask of this post */
        uint64_t header = uno_load64_acquire(&board->slot[s].header);
        if (header && (!last || later(header, last >> 16))) {
            last = header;
            slot = s;
        }
    }
    view->signature = last & 0xffff;
    for (int w = 0; w < job->words; w++) /* SYNC MASK: header 0 */
        view->group[w] = last ? uno_load64_acquire(uno_job_group_word(job, k, slot, w)) : 0;
    /* SYNC DONE: only the number itself is used */
    view->waits = last && later(last, uno_load64_acquire(&board->done));
    view->since = uno_load64_relaxed(&board->since);
    return !last || uno_load64_relaxed(&board->slot[slot].header) == last;
}

static void look(struct uno_job *job, int k, const pid_t *process, struct view *view) {
    struct uno_board *board = &job->board[k];
    /* SYNC JOINED: pid. SYNC LEFT: every post of this PE */
    view->state = (enum uno_state)uno_load32_acquire(&board->state);
    for (int tries = 100; tries && !look_at_post(job, k, view); tries--)
        ;
    pid_t parent, pid = view->state == UNO_JOINED ? board->pid : process ? process[k] : 0;
    char letter = 0;
    view->none = process && !process[k];
    view->stopped =
        !view->none && pid && uno_process_look(pid, &letter, &parent) && (letter == 'T' || letter == 't');
    view->waits &= view->state == UNO_JOINED && !view->none;
}

static bool meets(const struct view *a, const struct view *b, int words) {
    return b->waits && a->signature == b->signature &&
           memcmp(a->group, b->group, (size_t)words * sizeof *a->group) == 0;
}

/* The members whom a waiting PE waits for. Returns their count. */
static int missing(const struct uno_job *job, const struct view *view, const struct view *waiting,
                   uint64_t *mask) {
    int absent = 0, stopped = 0;
    uint64_t stopped_mask[UNO_WORDS] = {0};
    memset(mask, 0, UNO_WORDS * sizeof *mask);
    if (waiting->stopped)
        return 0;
    UNO_FOR_EACH_PE (m, waiting->group, job->words) {
        if (m >= job->n)
            break;
        uint64_t bit = (uint64_t)1 << (m % 64);
        if (!meets(waiting, &view[m], job->words)) {
            mask[m / 64] |= bit;
            absent++;
        } else if (view[m].stopped) {
            stopped_mask[m / 64] |= bit;
            stopped++;
        }
    }
    if (absent)
        return absent;
    memcpy(mask, stopped_mask, sizeof stopped_mask);
    return stopped;
}

/* "PE 3" or "PEs 1-3,7". */
static void write_members(FILE *f, const uint64_t *mask, int count, int words) {
    char text[UNO_GROUP_TEXT];
    uno_group_text(mask, words, text);
    text[strlen(text) - 1] = 0;
    fprintf(f, "%s %s", count == 1 ? "PE" : "PEs", text + 1);
}

static void write_waiting(FILE *f, const struct uno_job *job, const struct view *view,
                          const struct view *waiting, uint64_t now) {
    uint64_t mask[UNO_WORDS];
    int count = missing(job, view, waiting, mask);
    if (waiting->since && waiting->since < now)
        fprintf(f, " for %.2f s", (double)(now - waiting->since) / 1e9);
    if (!count)
        return;
    fprintf(f, "; missing: ");
    write_members(f, mask, count, job->words);
}

static void write_view(FILE *f, const struct uno_job *job, const struct view *all, const struct view *view,
                       uint64_t now) {
    char op[UNO_SIGNATURE_TEXT], group[UNO_GROUP_TEXT];
    const char *verb = view->none && view->state == UNO_LEFT ? "ended"
                       : view->state == UNO_LEFT             ? "left"
                       : view->stopped                       ? "stopped by a signal"
                       : view->state == UNO_ABSENT           ? "not checked in"
                       : view->waits                         ? "waiting"
                       : view->since                         ? "waiting until its earlier posts are read"
                                                             : "running";
    fputs(verb, f);
    if (view->signature && view->state == UNO_JOINED)
        fprintf(f, "%s %s of group %s", view->waits ? " in" : ", last in",
                uno_signature_text(view->signature, op), uno_group_text(view->group, job->words, group));
    if (view->waits)
        write_waiting(f, job, all, view, now);
    fputc('\n', f);
}

void uno_report(FILE *f, struct uno_job *job, const pid_t *process) {
    struct view *view = calloc((size_t)job->n, sizeof *view);
    if (!view)
        return;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    for (int k = 0; k < job->n; k++)
        look(job, k, process, &view[k]);
    for (int k = 0; k < job->n; k++) {
        fprintf(f, "  PE %d: ", k);
        write_view(f, job, view, &view[k], (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
    }
    free(view);
}
