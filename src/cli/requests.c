#include "requests.h"

#include <stdlib.h>

#include "engine/group.h"
#include "launch/request_lines.h"

bool requests_open(struct requests *requests, const struct found *found, const struct uno_place *place) {
    *requests = (struct requests){0};
    return uno_requests_look(&requests->all, &found->mail, place) &&
           uno_matches_open(&requests->matches, &found->mail, place, &requests->all);
}

void requests_close(struct requests *requests) {
    uno_matches_free(&requests->matches);
    uno_requests_free(&requests->all);
}

static json_t *text_or_null(const char *text) {
    return text && *text ? json_string(text) : json_null();
}

static json_t *missing(struct requests *requests, int k, const struct uno_pending *seen) {
    json_t *list = json_array();
    uint64_t mask[UNO_WORDS];
    if (seen->kind != UNO_PENDING_COLLECTIVE || !seen->comm)
        return list;
    uno_matches_missing(&requests->matches, k, seen, mask);
    UNO_FOR_EACH_PE (m, mask, UNO_WORDS)
        json_array_append_new(list, json_integer(m));
    return list;
}

static json_t *request_json(struct requests *requests, int k, const struct uno_pending *seen) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    bool never = f && uno_matches_write(f, &requests->matches, k, seen);
    if (f)
        fclose(f);
    json_t *one = json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:I, s:o, s:b, s:o, s:o}", "kind",
                            uno_pending_name(seen->kind), "call", text_or_null(seen->name), "peer",
                            jobs_number(seen->peer), "rank", jobs_number(seen->rank), "tag",
                            jobs_number(seen->tag), "bytes", (json_int_t)seen->bytes, "communicator",
                            seen->comm ? json_string(seen->comm->name) : json_null(), "context",
                            seen->comm ? json_integer(seen->comm->id) : json_null(), "times",
                            (json_int_t)seen->times, "called", text_or_null(seen->place), "never", never,
                            "match", text_or_null(text), "missing", missing(requests, k, seen));
    free(text);
    return one;
}

json_t *requests_json(struct requests *requests, int k) {
    const struct uno_pending_rank *rank = requests->all.rank ? &requests->all.rank[k] : NULL;
    if (!rank || !rank->is || rank->error || !requests->matches.looked)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < rank->requests; i++)
        json_array_append_new(list, request_json(requests, k, &rank->request[i]));
    return list;
}
