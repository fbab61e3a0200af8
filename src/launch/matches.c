#include "matches.h"

#include <stdlib.h>
#include <string.h>

#include "engine/group.h"

enum {
    SHOWN = 3,                  /* messages, or receives, that do not fit and are named */
    PROGRAM = UINT32_C(1) << 28 /* contexts of the program's own messages are below this */
};

bool uno_matches_open(struct uno_matches *matches, const struct uno_mail *mail, const struct uno_place *place,
                      const struct uno_requests *requests) {
    size_t n = (size_t)requests->n;
    *matches = (struct uno_matches){.mail = mail,
                                    .place = place,
                                    .requests = requests,
                                    .shown = calloc(n, sizeof *matches->shown),
                                    .looked = calloc(n, sizeof *matches->looked)};
    return matches->shown && matches->looked;
}

void uno_matches_free(struct uno_matches *matches) {
    for (int k = 0; matches->shown && k < matches->requests->n; k++)
        uno_shown_free(&matches->shown[k]);
    free(matches->shown);
    free(matches->looked);
}

const struct uno_shown_all *uno_matches_messages(struct uno_matches *matches, int k) {
    if (!matches->looked[k])
        uno_shown_look(matches->mail, k, true, &matches->shown[k]);
    matches->looked[k] = true;
    return &matches->shown[k];
}

bool uno_matches_unclaimed(const struct uno_shown *message) {
    return (message->state == UNO_ARRIVING || message->state == UNO_UNCLAIMED) && message->type >= 0 &&
           message->context < PROGRAM;
}

/* ---- ranks that call nothing more -------------------------------------------------------------------- */

static bool is_over(const struct uno_matches *matches, int k) {
    return matches->place[k].gone || matches->requests->rank[k].ends;
}

/* Return true if no other rank of the communicator can call anything more. */
static bool all_over(const struct uno_matches *matches, int k, const struct uno_pending_comm *comm) {
    bool all = true;
    UNO_FOR_EACH_PE (m, comm->member, UNO_WORDS)
        all &= m == k || m >= matches->requests->n || is_over(matches, m);
    return all;
}

static void write_over(FILE *f, const struct uno_matches *matches, const char *what, int k) {
    fprintf(f, "%s: rank %d %s", what, k, matches->place[k].gone ? "has ended" : "is in MPI_Finalize");
}

/* ---- lists of what does not fit ---------------------------------------------------------------------- */

/* Items that have been written: each is a number of a rank, a tag and a context. */
struct list {
    FILE *f;
    int items; /* SHOWN + 1: more than are written */
    struct uno_envelope item[SHOWN];
};

/* Add "rank 2 has sent tag 8", or behind such an item of the same rank "tag 9"; with the communicator if it
 * is another one than that of the request. */
static void add(struct list *list, const struct uno_pending_rank *rank, const struct uno_pending *request,
                const char *does, struct uno_envelope e) {
    const struct uno_pending_comm *comm = uno_pending_comm_of(rank, e.context);
    for (int i = 0; i < list->items && i < SHOWN; i++)
        if (memcmp(&list->item[i], &e, sizeof e) == 0)
            return;
    if (list->items == SHOWN)
        fputs(", and more", list->f);
    if (list->items++ >= SHOWN) {
        list->items = SHOWN + 1;
        return;
    }
    list->item[list->items - 1] = e;
    if (list->items > 1)
        fputs(", ", list->f);
    if (list->items == 1 || list->item[list->items - 2].source != e.source)
        fprintf(list->f, "rank %d %s ", e.source, does);
    if (e.tag == UNO_WILD)
        fputs("any tag", list->f);
    else
        fprintf(list->f, "tag %d", e.tag);
    if (comm && comm->id != request->comm->id)
        fprintf(list->f, " of %s", comm->name);
}

static bool tags_fit(int asked, int tag) {
    return asked == UNO_WILD || asked == tag;
}

/* ---- a receive, and a look for a message ------------------------------------------------------------- */

/* Look at a message to PE k. Returns true if it fits; otherwise it is listed, if it could be meant. */
static bool look_at(struct list *list, const struct uno_matches *matches, int k,
                    const struct uno_pending *request, const struct uno_shown *message, int from) {
    bool here = message->context == (uint32_t)request->comm->id;
    if (request->peer != UNO_WILD && request->peer != from)
        return false;
    if (here && tags_fit(request->tag, message->type))
        return true;
    if (here || tags_fit(request->tag, message->type))
        add(list, &matches->requests->rank[k], request, "has sent",
            (struct uno_envelope){message->context, from, message->type});
    return false;
}

/* Return true if a message that fits has been sent to PE k. Lists those that do not. */
static bool has_come(struct list *list, struct uno_matches *matches, int k,
                     const struct uno_pending *request) {
    const struct uno_shown_all *own = uno_matches_messages(matches, k);
    for (size_t i = 0; i < own->messages; i++) {
        const struct uno_shown *m = &own->message[i];
        if (uno_matches_unclaimed(m) && look_at(list, matches, k, request, m, m->peer))
            return true;
    }
    UNO_FOR_EACH_PE (from, request->comm->member, UNO_WORDS) {
        if (from >= matches->requests->n || (request->peer != UNO_WILD && request->peer != from))
            continue;
        const struct uno_shown_all *queued = uno_matches_messages(matches, from);
        for (size_t i = 0; i < queued->messages; i++) {
            const struct uno_shown *m = &queued->message[i];
            if (m->state == UNO_QUEUED && m->peer == k && m->context < PROGRAM &&
                look_at(list, matches, k, request, m, from))
                return true;
        }
    }
    return false;
}

static bool write_receive(FILE *f, struct uno_matches *matches, int k, const struct uno_pending *request) {
    char *text = NULL;
    size_t length = 0;
    if (request->matched) {
        fputs("its message is coming", f);
        return false;
    }
    struct list list = {.f = open_memstream(&text, &length)};
    bool come = list.f && has_come(&list, matches, k, request);
    if (list.f)
        fclose(list.f);
    bool any = request->peer == UNO_WILD;
    bool over =
        !come && list.f && (any ? all_over(matches, k, request->comm) : is_over(matches, request->peer));
    if (come)
        fputs("its message has been sent", f);
    else if (over && any)
        fputs("nobody can match it: all other ranks have ended, or are in MPI_Finalize", f);
    else if (over)
        write_over(f, matches, "nobody can match it", request->peer);
    if (!come && text && *text)
        fprintf(f, "%s%s", over ? "; " : "", text);
    free(text);
    return over;
}

/* ---- a send ------------------------------------------------------------------------------------------ */

/* List a receive of PE `to` for which this send is not, if it could be meant. */
static void list_receive(struct list *list, const struct uno_matches *matches, int k,
                         const struct uno_pending *request, struct uno_envelope asked) {
    bool here = asked.context == (uint32_t)request->comm->id, tags = tags_fit(asked.tag, request->tag);
    if ((asked.source == UNO_WILD || asked.source == k) && asked.context < PROGRAM && here != tags)
        add(list, &matches->requests->rank[request->peer], request, "asks for",
            (struct uno_envelope){asked.context, request->peer, asked.tag});
}

static bool write_send(FILE *f, const struct uno_matches *matches, int k, const struct uno_pending *request) {
    int to = request->peer;
    const struct uno_pending_rank *other = &matches->requests->rank[to];
    const struct uno_place *place = &matches->place[to];
    if (is_over(matches, to)) {
        write_over(f, matches, "nobody can match it", to);
        return true;
    }
    struct list list = {.f = f};
    for (size_t i = 0; i < other->requests; i++) {
        const struct uno_pending *r = &other->request[i];
        if ((r->kind == UNO_PENDING_RECEIVE || r->kind == UNO_PENDING_PROBE) && r->comm)
            list_receive(&list, matches, k, request,
                         (struct uno_envelope){(uint32_t)r->comm->id, r->peer, r->tag});
    }
    if (place->waits && place->exchanges && place->room && uno_signature_reads(place->signature))
        list_receive(&list, matches, k, request,
                     (struct uno_envelope){place->context, place->peer, place->type});
    return false;
}

/* ---- a collective ------------------------------------------------------------------------------------ */

int uno_matches_missing(const struct uno_matches *matches, int k, const struct uno_pending *request,
                        uint64_t missing[UNO_WORDS]) {
    enum { NUMBERS = 1 << 30 };
    int count = 0;
    memset(missing, 0, UNO_WORDS * sizeof *missing);
    UNO_FOR_EACH_PE (m, request->comm->member, UNO_WORDS) {
        const struct uno_pending_rank *rank = m < matches->requests->n ? &matches->requests->rank[m] : NULL;
        const struct uno_pending_comm *comm =
            rank && m != k ? uno_pending_comm_of(rank, (uint32_t)request->comm->id) : NULL;
        uint32_t ahead = comm ? (comm->calls[request->again] - request->number) % NUMBERS : 1;
        if (ahead && ahead < NUMBERS / 2)
            continue;
        missing[m / 64] |= (uint64_t)1 << m % 64;
        count++;
    }
    return count;
}

static bool write_collective(FILE *f, const struct uno_matches *matches, int k,
                             const struct uno_pending *request) {
    uint64_t missing[UNO_WORDS];
    char text[UNO_MASK_TEXT];
    int count = uno_matches_missing(matches, k, request, missing);
    if (!count)
        return false;
    UNO_FOR_EACH_PE (m, missing, UNO_WORDS)
        if (is_over(matches, m)) {
            write_over(f, matches, "nobody can complete it", m);
            return true;
        }
    uno_mask_text(missing, UNO_WORDS, text);
    text[strlen(text) - 1] = 0;
    fprintf(f, "missing: rank%s %s", count == 1 ? "" : "s", text + 1);
    return false;
}

bool uno_matches_write(FILE *f, struct uno_matches *matches, int k, const struct uno_pending *request) {
    if (!request->comm || request->peer >= matches->requests->n)
        return false;
    switch (request->kind) {
    case UNO_PENDING_SEND:
    case UNO_PENDING_ASKING:
        return request->peer >= 0 && write_send(f, matches, k, request);
    case UNO_PENDING_RECEIVE:
    case UNO_PENDING_PROBE:
        return write_receive(f, matches, k, request);
    case UNO_PENDING_COLLECTIVE:
        return write_collective(f, matches, k, request);
    case UNO_PENDING_OTHER:
        break;
    }
    return false;
}
