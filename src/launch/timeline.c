#include "timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The size of the file of events, of which each becomes up to 300 bytes of the timeline. */
static const uint64_t MOST_BYTES = UINT64_C(200) << 20;

void uno_timeline_ask(struct uno_seen_share *share, int file) {
    struct stat st;
    if (fstat(file, &st))
        return;
    share->memory->trace.file = file;
    share->memory->trace.launcher = (int32_t)getpid();
    share->memory->trace.device = st.st_dev;
    share->memory->trace.inode = st.st_ino;
    share->memory->trace.most = MOST_BYTES / sizeof((struct uno_seen_rank *)0)->event;
}

void uno_timeline_text(FILE *f, const char *text) {
    fputc('"', f);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c < ' ')
            fprintf(f, "\\u%04x", *c);
        else
            fprintf(f, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fputc('"', f);
}

/* ---- the events -------------------------------------------------------------------------------------- */

/* An event, of which rank, and in which order that rank has recorded it. */
struct seen {
    const struct uno_seen_event *event;
    int rank;
    uint64_t order;
    uint64_t bytes; /* of a message */
};

struct events {
    struct seen *seen;
    size_t count, room;
};

struct writer {
    FILE *f;
    struct uno_timeline *timeline;
    const struct uno_calls *calls;
    struct events called, sent, received;
    uint64_t arrows;
};

static bool add(struct events *events, const struct seen *seen) {
    if (events->count == events->room) {
        size_t room = events->room ? 2 * events->room : 1024;
        struct seen *more = realloc(events->seen, room * sizeof *more);
        if (!more)
            return false;
        events->seen = more;
        events->room = room;
    }
    events->seen[events->count++] = *seen;
    return true;
}

/* Add the events of a chunk, whose first one describes it. */
static bool add_chunk(struct writer *w, const struct uno_seen_event *chunk, uint64_t count) {
    struct events *const of[] = {
        [UNO_SEEN_CALLED] = &w->called,
        [UNO_SEEN_WAITED] = &w->called,
        [UNO_SEEN_SENT] = &w->sent,
        [UNO_SEEN_RECEIVED] = &w->received,
    };
    for (uint64_t i = 1; i < count; i++) {
        struct seen seen = {&chunk[i], chunk->rank, chunk->number * UNO_SEEN_EVENTS + i, chunk[i].bytes};
        if (chunk[i].what >= UNO_SEEN_CALLED && chunk[i].what <= UNO_SEEN_RECEIVED &&
            !add(of[chunk[i].what], &seen))
            return false;
    }
    return true;
}

/* Add the chunks of the file, and those that are not full. A rank that was killed as it wrote one has it in
 * its part of the memory still, where its number tells whether the rank has counted it as written. */
static bool add_all(struct writer *w, const struct uno_seen_event *file, uint64_t chunks) {
    const struct uno_seen_memory *memory = w->calls->memory;
    for (uint64_t i = 0; i < chunks; i++) {
        const struct uno_seen_event *chunk = &file[i * UNO_SEEN_EVENTS];
        bool known = chunk->what == UNO_SEEN_CHUNK && chunk->rank >= 0 && chunk->rank < w->calls->n;
        if (known && chunk->number < uno_seen_rank(memory, chunk->rank)->chunks &&
            !add_chunk(w, chunk, UNO_SEEN_EVENTS))
            return false;
    }
    for (int k = 0; k < w->calls->n; k++) {
        const struct uno_seen_rank *rank = uno_seen_rank(memory, k);
        uint64_t count = rank->events < UNO_SEEN_EVENTS ? rank->events : UNO_SEEN_EVENTS;
        if (count && rank->event->what == UNO_SEEN_CHUNK && rank->event->rank == k &&
            rank->event->number == rank->chunks && !add_chunk(w, rank->event, count))
            return false;
        w->timeline->lost += rank->lost;
    }
    return true;
}

/* ---- the messages of a call ---------------------------------------------------------------------------- */

/* Messages are found by the time of their call: that at which it began where they were sent, and that at
 * which it ended where they were received. */
static uint64_t call_time(const struct seen *seen) {
    return seen->event->what == UNO_SEEN_SENT ? seen->event->began : seen->event->ended;
}

static int by_call(const void *a, const void *b) {
    const struct seen *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (call_time(x) > call_time(y)) - (call_time(x) < call_time(y));
}

static void sort_by_call(struct events *messages) {
    if (messages->count)
        qsort(messages->seen, messages->count, sizeof *messages->seen, by_call);
}

/* Write the messages that a call has sent, or received: of one the other rank and the tag, of several their
 * number. way: "to" or "from". */
static void write_messages_of(struct writer *w, const struct events *messages,
                              const struct uno_seen_event *like, int rank, const char *way) {
    struct seen key = {like, rank, 0, 0};
    size_t low = 0, high = messages->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_call(&messages->seen[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct seen *first = messages->seen + low, *end = messages->seen + messages->count, *m = first;
    uint64_t bytes = 0;
    for (; m < end && by_call(m, &key) == 0; m++)
        bytes += m->bytes;
    if (m == first)
        return;
    if (m == first + 1)
        fprintf(w->f, ",\"%s\":%d", way, first->event->rank);
    else
        fprintf(w->f, ",\"messages_%s\":%zu", way, (size_t)(m - first));
    if (m == first + 1 && first->event->tag >= 0)
        fprintf(w->f, ",\"tag_%s\":%d", way, first->event->tag);
    fprintf(w->f, ",\"bytes_%s\":%llu", way, (unsigned long long)bytes);
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

/* Return the whole ns from the timeline's beginning to a tick of a rank's machine. */
static int64_t ns_of(const struct writer *w, int rank, uint64_t tick) {
    const struct uno_calls_clock *clock = &w->calls->clock[rank];
    return (int64_t)((double)(int64_t)(tick - clock->ticks_began) * clock->scale) + clock->ns_began -
           (int64_t)w->timeline->began;
}

/* Write ns as us, of which the format counts times. */
static void write_us(FILE *f, const char *name, int64_t ns) {
    fprintf(f, ",\"%s\":%lld.%03lld", name, (long long)(ns / 1000), (long long)(ns % 1000));
}

static const struct uno_call_site *site_of(const struct writer *w, const struct seen *seen) {
    uint32_t site = seen->event->site;
    int number = site < UNO_SEEN_SITES ? w->calls->site_of[(size_t)seen->rank * UNO_SEEN_SITES + site] : -1;
    return number < 0 ? NULL : &w->calls->site[number];
}

static void write_call(struct writer *w, const struct seen *seen, bool unfinished) {
    const struct uno_seen_event *event = seen->event;
    const struct uno_call_site *site = site_of(w, seen);
    const struct uno_seen_rank *rank = uno_seen_rank(w->calls->memory, seen->rank);
    int64_t began = ns_of(w, seen->rank, event->began), ended = ns_of(w, seen->rank, event->ended);
    if (!site)
        return;
    fputs(",\n{\"name\":", w->f);
    uno_timeline_text(w->f, site->function);
    fprintf(w->f, ",\"cat\":\"call\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d", w->timeline->process[seen->rank],
            w->timeline->thread[seen->rank]);
    write_us(w->f, "ts", began);
    write_us(w->f, "dur", ended - began);
    fputs(",\"args\":{\"place\":", w->f);
    uno_timeline_text(w->f, site->place);
    fprintf(w->f, ",\"bytes\":%llu", (unsigned long long)event->bytes);
    uint32_t comm = rank->table[event->site].comm;
    if (comm && comm < UNO_SEEN_COMMS) {
        char name[UNO_SEEN_NAME];
        snprintf(name, sizeof name, "%.*s", UNO_SEEN_NAME - 1, rank->comm[comm].name);
        fprintf(w->f, ",\"%s\":", w->calls->pes ? "group" : "communicator");
        uno_timeline_text(w->f, name);
    }
    struct uno_seen_event sent = {.what = UNO_SEEN_SENT, .began = event->began};
    struct uno_seen_event received = {.what = UNO_SEEN_RECEIVED, .ended = event->ended};
    write_messages_of(w, &w->sent, &sent, seen->rank, "to");
    write_messages_of(w, &w->received, &received, seen->rank, "from");
    if (event->rank >= 0 && event->tag >= 0 && event->tag < UNO_SEEN_WAITS)
        fprintf(w->f, ",\"waited_us\":%.3f,\"for\":%d,\"why\":\"%s\"",
                (double)event->number * w->calls->clock[seen->rank].scale / 1e3, event->rank,
                uno_calls_wait(event->tag));
    fprintf(w->f, "%s}}", unfinished ? ",\"unfinished\":true" : "");
    w->timeline->written++;
}

/* Write the call in which the rank was when its process ended. */
static void write_last(struct writer *w, int k) {
    const struct uno_seen_rank *rank = uno_seen_rank(w->calls->memory, k);
    uint64_t site = uno_load64_relaxed(&rank->site);
    struct uno_seen_event event = {.site = (uint32_t)site - 1,
                                   .began = uno_load64_relaxed(&rank->since),
                                   .ended = w->calls->clock[k].now,
                                   .rank = -1};
    struct seen seen = {&event, k, 0, 0};
    if (site && uno_load64_relaxed(&rank->began) && !uno_load64_relaxed(&rank->ended))
        write_call(w, &seen, true);
}

/* Write an end of an arrow, which is within a call. */
static void write_end(struct writer *w, const char *name, const char *end, int rank, int64_t ns) {
    fprintf(w->f, ",\n{\"name\":\"%s\",\"cat\":\"%s\",%s,\"id\":%llu,\"pid\":%d,\"tid\":%d", name, name, end,
            (unsigned long long)w->arrows, w->timeline->process[rank], w->timeline->thread[rank]);
    write_us(w->f, "ts", ns);
    fputc('}', w->f);
}

/* Write an arrow from the beginning of one rank's call to the end of another one's. */
static void write_arrow(struct writer *w, const char *name, int from, uint64_t began, int to,
                        uint64_t ended) {
    write_end(w, name, "\"ph\":\"s\"", from, ns_of(w, from, began));
    write_end(w, name, "\"ph\":\"f\",\"bp\":\"e\"", to, ns_of(w, to, ended) - 1);
    w->arrows++;
}

/* ---- arrows ------------------------------------------------------------------------------------------ */

/* The stream in which messages keep their order: a sender, a receiver, a communicator and a tag. */
static int by_stream(const struct uno_seen_event *a, int a_from, int a_to, const struct uno_seen_event *b,
                     int b_from, int b_to) {
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a_from != b_from)
        return a_from < b_from ? -1 : 1;
    if (a_to != b_to)
        return a_to < b_to ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static int sent_before(const void *a, const void *b) {
    const struct seen *x = a, *y = b;
    int order = by_stream(x->event, x->rank, x->event->rank, y->event, y->rank, y->event->rank);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* A receive takes the earliest message that nobody before it takes, so that receives count in the order in
 * which they were asked for. */
static int asked_before(const void *a, const void *b) {
    const struct seen *x = a, *y = b;
    int order = by_stream(x->event, x->event->rank, x->rank, y->event, y->event->rank, y->rank);
    return order ? order : (x->event->number > y->event->number) - (x->event->number < y->event->number);
}

/* Join each message sent with its receive, and pass both to `found`. */
static void join_messages(struct writer *w,
                          void (*found)(struct writer *w, const struct seen *sent, struct seen *received)) {
    struct seen *s = w->sent.seen, *sent_end = s + w->sent.count;
    struct seen *r = w->received.seen, *received_end = r + w->received.count;
    if (!w->sent.count || !w->received.count)
        return;
    qsort(s, w->sent.count, sizeof *s, sent_before);
    qsort(r, w->received.count, sizeof *r, asked_before);
    while (s < sent_end && r < received_end) {
        int order = by_stream(s->event, s->rank, s->event->rank, r->event, r->event->rank, r->rank);
        if (!order)
            found(w, s, r);
        if (order <= 0)
            s++;
        if (order >= 0)
            r++;
    }
}

/* Note of a message that was received the bytes that were sent. */
static void learn_bytes(struct writer *w, const struct seen *sent, struct seen *received) {
    (void)w;
    received->bytes = sent->bytes;
}

static void write_message(struct writer *w, const struct seen *sent, struct seen *received) {
    write_arrow(w, "message", sent->rank, sent->event->began, received->rank, received->event->ended);
}

static int by_meeting(const void *a, const void *b) {
    const struct seen *x = a, *y = b;
    if (x->event->key != y->event->key)
        return x->event->key < y->event->key ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->event->what > y->event->what) - (x->event->what < y->event->what);
}

/* The call by which the last rank came is one of the collective itself. */
static void write_meetings(struct writer *w) {
    struct events *called = &w->called;
    if (!called->count)
        return;
    qsort(called->seen, called->count, sizeof *called->seen, by_meeting);
    for (size_t i = 0; i < called->count; i++) {
        const struct uno_seen_event *event = called->seen[i].event,
                                    wanted = {.what = UNO_SEEN_CALLED, .key = event->key};
        struct seen key = {&wanted, event->rank, 0, 0};
        const struct seen *last = event->key && event->rank >= 0
                                      ? bsearch(&key, called->seen, called->count, sizeof key, by_meeting)
                                      : NULL;
        if (last)
            write_arrow(w, "collective", last->rank, last->event->began, called->seen[i].rank, event->ended);
    }
}

/* ------------------------------------------------------------------------------------------------------ */

static int write_all(struct writer *w) {
    enum { STEP = 4096 };
    struct uno_timeline *timeline = w->timeline;
    join_messages(w, learn_bytes);
    sort_by_call(&w->sent);
    sort_by_call(&w->received);
    for (size_t i = 0; i < w->called.count && !timeline->stopped; i++) {
        write_call(w, &w->called.seen[i], false);
        timeline->stopped =
            i % STEP == 0 && !timeline->step(timeline->argument, (double)i / (double)w->called.count);
    }
    for (int k = 0; k < w->calls->n && !timeline->stopped; k++)
        write_last(w, k);
    if (!timeline->stopped) {
        join_messages(w, write_message);
        write_meetings(w);
    }
    return ferror(w->f) ? errno : 0;
}

int uno_timeline_write(FILE *f, struct uno_timeline *timeline, const struct uno_calls *calls, int file) {
    struct writer w = {.f = f, .timeline = timeline, .calls = calls};
    const size_t chunk = UNO_SEEN_EVENTS * sizeof(struct uno_seen_event);
    uint64_t begun = uno_load64_relaxed(&calls->memory->trace.chunks), most = calls->memory->trace.most;
    struct stat st;
    size_t size = fstat(file, &st) ? 0 : (size_t)st.st_size / chunk * chunk;
    void *events = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0) : NULL;
    if (events == MAP_FAILED)
        return errno;
    timeline->full = begun > most;
    int error = add_all(&w, events, size / chunk) ? write_all(&w) : ENOMEM;
    if (events)
        munmap(events, size);
    free(w.called.seen);
    free(w.sent.seen);
    free(w.received.seen);
    return error;
}
