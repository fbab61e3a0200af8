#include "request_lines.h"

#include <stdlib.h>
#include <string.h>

#define INDENT "    "

const char *uno_pending_name(enum uno_pending_kind kind) {
    static const char *const names[] = {
        [UNO_PENDING_SEND] = "send",
        [UNO_PENDING_ASKING] = "synchronous send",
        [UNO_PENDING_RECEIVE] = "receive",
        [UNO_PENDING_PROBE] = "MPI_Iprobe",
        [UNO_PENDING_COLLECTIVE] = "collective",
        [UNO_PENDING_OTHER] = "generalized request",
    };
    return names[kind];
}

/* Write "from rank 2 of tag 7 of row (its rank 0)". */
static void write_peer(FILE *f, const struct uno_pending *request) {
    bool sends = request->kind == UNO_PENDING_SEND || request->kind == UNO_PENDING_ASKING;
    fprintf(f, " %s ", sends ? "to" : "from");
    if (request->peer < 0)
        fputs("any rank", f);
    else
        fprintf(f, "rank %d", request->peer);
    if (request->tag < 0)
        fputs(" of any tag", f);
    else
        fprintf(f, " of tag %d", request->tag);
    if (request->comm)
        fprintf(f, " of %s", request->comm->name);
    if (request->rank != request->peer)
        fprintf(f, " (its rank %d)", request->rank);
}

static void write_bytes(FILE *f, const char *before, uint64_t bytes) {
    fprintf(f, "%s%llu byte%s", before, (unsigned long long)bytes, bytes == 1 ? "" : "s");
}

static void write_request(FILE *f, const struct uno_pending *request) {
    uint64_t bytes = request->bytes;
    switch (request->kind) {
    case UNO_PENDING_SEND:
    case UNO_PENDING_ASKING:
        fputs(uno_pending_name(request->kind), f);
        write_peer(f, request);
        write_bytes(f, ", ", bytes);
        break;
    case UNO_PENDING_RECEIVE:
        fputs(uno_pending_name(request->kind), f);
        write_peer(f, request);
        write_bytes(f, ", with room for ", bytes);
        break;
    case UNO_PENDING_PROBE:
        fputs(uno_pending_name(request->kind), f);
        write_peer(f, request);
        fprintf(f, ", %llu time%s in vain", (unsigned long long)request->times,
                request->times == 1 ? "" : "s");
        break;
    case UNO_PENDING_COLLECTIVE:
        fputs(request->name, f);
        if (request->comm)
            fprintf(f, " of %s", request->comm->name);
        if (bytes)
            write_bytes(f, ", ", bytes);
        break;
    case UNO_PENDING_OTHER:
        fputs(uno_pending_name(request->kind), f);
        break;
    }
}

void uno_request_lines(FILE *f, struct uno_matches *matches, int k, size_t most) {
    const struct uno_pending_rank *rank = &matches->requests->rank[k];
    for (size_t i = 0; i < rank->requests && i < most; i++) {
        const struct uno_pending *request = &rank->request[i];
        char *text = NULL;
        size_t length = 0;
        FILE *match = open_memstream(&text, &length);
        fputs(INDENT, f);
        write_request(f, request);
        if (*request->place)
            fprintf(f, "; called %s", request->place);
        if (match) {
            uno_matches_write(match, matches, k, request);
            fclose(match);
        }
        if (text && *text)
            fprintf(f, "; %s", text);
        fputc('\n', f);
        free(text);
    }
    if (rank->requests > most)
        fprintf(f, INDENT "and %zu more requests\n", rank->requests - most);
    if (rank->error)
        fprintf(f, INDENT "its requests cannot be read: %s\n", strerror(rank->error));
}

void uno_unclaimed_lines(FILE *f, struct uno_matches *matches, int k, size_t most) {
    const struct uno_pending_rank *rank = &matches->requests->rank[k];
    const struct uno_shown_all *all = rank->is ? uno_matches_messages(matches, k) : NULL;
    size_t count = 0;
    for (size_t i = 0; all && i < all->messages; i++) {
        const struct uno_shown *m = &all->message[i];
        const struct uno_pending_comm *comm = uno_pending_comm_of(rank, m->context);
        if (!uno_matches_unclaimed(m) || count++ >= most)
            continue;
        fprintf(f, INDENT "%s from rank %d of tag %d of ", uno_shown_name(m->state), m->peer, m->type);
        if (comm)
            fputs(comm->name, f);
        else
            fprintf(f, "communicator %u", m->context);
        write_bytes(f, ", ", m->bytes);
        fputc('\n', f);
    }
    if (count > most)
        fprintf(f, INDENT "and %zu more messages\n", count - most);
}
