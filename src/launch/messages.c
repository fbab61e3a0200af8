/* Everything here is read while its PE may change it, so each item is read in a way that shows its state at
 * some moment, or is passed over. The whole is read again as long as it changes meanwhile. */

#include "messages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/channel/link/link.h"
#include "engine/group.h"

/* The most attempts at a steady reading. */
#ifndef UNO_LOOKS
#define UNO_LOOKS 20
#endif

const char *uno_shown_name(enum uno_shown_state state) {
    static const char *const names[UNO_SHOWN_STATES] = {"arriving", "unclaimed", "pending", "queued"};
    return names[state];
}

/* ---- the memory -------------------------------------------------------------------------------------- */

struct uno_mail uno_shown_map(const struct uno_job *made, int fd) {
    struct uno_mail mail = uno_mail_layout(made->n);
    void *memory = MAP_FAILED;
    if (made->mail_at && made->mail_at != UNO_MAIL_OWN)
        memory = mmap(NULL, mail.heaps, PROT_READ, MAP_SHARED, fd, (off_t)made->mail_at);
    mail.base = memory == MAP_FAILED ? NULL : memory;
    return mail;
}

void uno_shown_unmap(struct uno_mail *mail) {
    if (mail->base)
        munmap(mail->base, mail->heaps);
    mail->base = NULL;
}

bool uno_shown_any(const struct uno_job *job, const struct uno_mail *mail) {
    for (int k = 0; mail->base && k < uno_shown_pes(mail); k++)
        if (uno_load32_relaxed(&job->board[k].messages))
            return true;
    return false;
}

uint64_t uno_shown_doing(const struct uno_mail *mail, int k) {
    return uno_load64_relaxed(&uno_mail_box(mail, k)->doing);
}

/* ---- one by one -------------------------------------------------------------------------------------- */

struct view {
    const struct uno_mail *mail;
    struct uno_box *box;
    int k;
    bool each;
    size_t room;
    bool failed; /* no memory */
    struct uno_shown_all *all;
};

static void show(struct view *view, struct uno_shown message) {
    struct uno_shown_all *all = view->all;
    if (!view->each || view->failed)
        return;
    if (all->messages == view->room) {
        size_t room = view->room ? 2 * view->room : 64;
        struct uno_shown *more = realloc(all->message, room * sizeof *more);
        view->failed = !more;
        if (!more)
            return;
        all->message = more;
        view->room = room;
    }
    all->message[all->messages++] = message;
}

static void look_at_note(struct view *view, struct uno_note *note) {
    static const enum uno_shown_state states[UNO_NOTE_KINDS] = {
        [UNO_NOTE_UNCLAIMED] = UNO_UNCLAIMED,
        [UNO_NOTE_QUEUED] = UNO_QUEUED,
        [UNO_NOTE_PENDING] = UNO_PENDING,
    };
    /* SYNC STAMP: peer, tag and bytes */
    uint64_t stamp = uno_load64_acquire(&note->stamp);
    /* SYNC NOTE (3): stamp 0 */
    uint64_t peer = uno_load64_acquire(&note->peer), tag = uno_load64_acquire(&note->tag),
             bytes = uno_load64_acquire(&note->bytes);
    unsigned kind = (unsigned)(stamp & 3) - 1;
    /* SYNC STAMP: the odd number of changes, if it is 0 */
    if (!stamp || kind >= UNO_NOTE_KINDS || uno_load64_acquire(&note->stamp) != stamp)
        return;
    show(view, (struct uno_shown){.state = states[kind],
                                  .peer = (int)(uint32_t)peer - 1,
                                  .type = (int)((int64_t)tag - 1),
                                  .context = (uint32_t)(peer >> 32),
                                  .bytes = bytes,
                                  .order = stamp});
}

/* Read a word of plain memory before everything that is read next: the later reads show whether the writer
 * may have begun to write it again. */
static uint64_t word_of(const uno_plain64 *word) {
    /* SYNC LINE, SYNC REQUEST: not needed here but for the order of these looks */
    return uno_load64_acquire((const uno_atomic64 *)(const void *)word);
}

/* Read the message that a line begins. False: the line continues a message. */
static bool read_line(const struct uno_line *line, uint64_t header, struct uno_shown *message) {
    unsigned kind = uno_line_kind(header);
    uint64_t word = word_of(&line->word[0]);
    message->type = kind == UNO_KIND_SHORT || kind == UNO_KIND_FIRST || kind == UNO_KIND_OPENED ||
                            kind == UNO_KIND_OFFERED
                        ? (int)(uint32_t)word
                        : UNO_NO_TYPE;
    message->context = message->type == UNO_NO_TYPE ? 0 : uno_word_context(word);
    switch (kind) {
    case UNO_KIND_SHORT:
    case UNO_KIND_AGREED:
        message->bytes = uno_line_bytes(header);
        return true;
    case UNO_KIND_FIRST:
    case UNO_KIND_OPENED:
    case UNO_KIND_OFFERED:
    case UNO_KIND_AGREED_FIRST:
        message->bytes = word_of(&line->word[1]); /* struct uno_piece: total */
        return true;
    case UNO_KIND_AGREED_DONE:
        message->bytes = word;
        return true;
    default:
        return false;
    }
}

/* Read the messages in the ring from PE i. */
static void look_at_lines(struct view *view, int i) {
    struct uno_ring *ring = uno_mail_ring(view->mail, i, view->k);
    uint64_t lines = view->mail->lines;
    /* SYNC TAKEN: not needed here but for the order of these looks */
    uint64_t first = uno_load64_acquire(&ring->taken);
    for (uint64_t at = first; at < first + lines; at++) {
        const struct uno_line *line = &ring->line[at & (lines - 1)];
        /* SYNC LINE: all lines of the message */
        uint64_t header = uno_load64_acquire(&line->header);
        if ((uint32_t)header != (uint32_t)(at + 1))
            return;
        struct uno_shown message = {.state = UNO_ARRIVING, .peer = i, .order = at};
        if (!read_line(line, header, &message))
            continue;
        if (uno_load64_relaxed(&ring->taken) > at)
            continue; /* it has been taken in, and may have been written again */
        view->all->count[UNO_ARRIVING]++;
        show(view, message);
    }
}

/* Read the messages that have been requested from PE i and have not come. */
static void look_at_requests(struct view *view, int i) {
    struct uno_ring *ring = uno_mail_ring(view->mail, i, view->k);
    uint64_t arrived = uno_load64_relaxed(&ring->arrived);
    for (uint64_t n = arrived + 1; n <= arrived + UNO_REQUESTS; n++) {
        struct uno_request *request = &ring->request[n % UNO_REQUESTS];
        /* SYNC REQUEST: bytes and place */
        if (uno_load64_acquire(&request->number) != n)
            return;
        struct uno_shown message = {.state = UNO_PENDING,
                                    .peer = i,
                                    .type = UNO_NO_TYPE,
                                    .bytes = word_of(&request->bytes),
                                    .order = n};
        if (uno_load64_relaxed(&ring->arrived) >= n)
            continue;
        view->all->count[UNO_PENDING]++;
        show(view, message);
    }
}

/* Find the PEs with whose rings this PE has to do. */
static void partners(const struct view *view, uint64_t mask[UNO_WORDS]) {
    int n = uno_shown_pes(view->mail), words = uno_shown_words(view->mail);
    for (int w = 0; w < words; w++)
        mask[w] = uno_load64_relaxed(&view->box->writer[w]) | uno_load64_relaxed(&view->box->extended[w]);
    if (n % 64)
        mask[words - 1] &= ((uint64_t)1 << n % 64) - 1;
}

/* Return a number that differs after every change but the arrival of a further message. Not *settled: a
 * change is under way. */
static uint64_t changes(const struct view *view, bool *settled) {
    /* SYNC CHANGES: counts and notes */
    uint64_t sum = uno_load64_acquire(&view->box->changes), mask[UNO_WORDS];
    *settled = sum % 2 == 0;
    partners(view, mask);
    UNO_FOR_EACH_PE (i, mask, uno_shown_words(view->mail)) {
        struct uno_ring *ring = uno_mail_ring(view->mail, i, view->k);
        /* SYNC TAKEN: not needed here but for the order of these looks */
        sum += uno_load64_acquire(&ring->taken) + uno_load64_relaxed(&ring->arrived);
    }
    return sum;
}

static void look_once(struct view *view) {
    static const enum uno_note_kind kinds[UNO_SHOWN_STATES] = {[UNO_UNCLAIMED] = UNO_NOTE_UNCLAIMED,
                                                               [UNO_PENDING] = UNO_NOTE_PENDING,
                                                               [UNO_QUEUED] = UNO_NOTE_QUEUED};
    struct uno_shown_all *all = view->all;
    uint64_t mask[UNO_WORDS], noted = uno_load64_relaxed(&view->box->noted);
    struct uno_note *notes = uno_mail_notes(view->mail, view->k);
    all->messages = 0;
    for (int s = 0; s < UNO_SHOWN_STATES; s++)
        /* SYNC COUNT: the odd number of changes */
        all->count[s] = s == UNO_ARRIVING ? 0 : uno_load64_acquire(&view->box->count[kinds[s]]);
    for (uint64_t i = 0; view->each && i < noted && i < UNO_NOTES; i++)
        look_at_note(view, &notes[i]);
    partners(view, mask);
    UNO_FOR_EACH_PE (i, mask, uno_shown_words(view->mail)) {
        look_at_requests(view, i);
        look_at_lines(view, i);
    }
}

static int by_state(const void *a, const void *b) {
    const struct uno_shown *x = a, *y = b;
    if (x->state != y->state)
        return (int)x->state - (int)y->state;
    bool lines = x->state == UNO_ARRIVING;
    if (lines && x->peer != y->peer)
        return x->peer - y->peer;
    return (x->order > y->order) - (x->order < y->order);
}

bool uno_shown_look(const struct uno_mail *mail, int k, bool each, struct uno_shown_all *all) {
    *all = (struct uno_shown_all){0};
    struct view view = {.mail = mail, .box = uno_mail_box(mail, k), .k = k, .each = each, .all = all};
    for (int tries = UNO_LOOKS; tries && !all->steady && !view.failed; tries--) {
        bool settled;
        uint64_t before = changes(&view, &settled);
        look_once(&view);
        all->steady = changes(&view, &settled) == before && settled;
    }
    if (view.failed)
        uno_shown_free(all);
    if (all->messages)
        qsort(all->message, all->messages, sizeof *all->message, by_state);
    return !view.failed;
}

void uno_shown_free(struct uno_shown_all *all) {
    free(all->message);
    all->message = NULL;
    all->messages = 0;
}
