#include "give.h"

#include <string.h>
#include <unistd.h>

#include "engine/observe.h"
#include "launch/calls.h"
#include "launch/node.h"
#include "launch/places.h"
#include "observe/share.h"
#include "pieces.h"

enum { BLOCK = 4096, ROOM = 1024 * 1024 /* bytes under way */ };

static void put_over(struct uno_giving *giving, struct uno_link *link) {
    uno_places_close(giving->places);
    uno_link_put(link, UNO_FRAME_OVER, giving->status, giving->signal, giving->checked_in);
    giving->state = UNO_HAS_GIVEN;
}

void uno_give_begin(struct uno_giving *giving, struct uno_run *run, struct uno_link *link) {
    const struct uno_seen_share *seen = run->launch->seen;
    if (!seen) {
        put_over(giving, link);
        return;
    }
    struct uno_calls_clock clock = uno_calls_clock_here(seen->memory);
    bool full = uno_load64_relaxed(&seen->memory->trace.chunks) > seen->memory->trace.most;
    uno_link_put(link, UNO_FRAME_RECORDS, (int)full, (const void *)&clock, sizeof clock);
    giving->places = uno_places_open();
    giving->state = UNO_GIVES_WHEN_ASKED;
}

void uno_give_asked(struct uno_giving *giving) {
    if (giving->state == UNO_GIVES_WHEN_ASKED)
        giving->state = UNO_GIVES;
}

bool uno_give_over(const struct uno_giving *giving) {
    return giving->state == UNO_HAS_GIVEN;
}

/* ---- a record ---------------------------------------------------------------------------------------- */

static bool is_zero(const char *data, size_t bytes) {
    return !*data && memcmp(data, data + 1, bytes - 1) == 0;
}

/* Put the blocks in which there is something: most of a record is empty. */
static void put_piece(struct uno_link *link, int k, enum uno_piece piece, const char *data, size_t bytes) {
    for (size_t at = 0; at < bytes; at += BLOCK) {
        size_t some = bytes - at < BLOCK ? bytes - at : BLOCK;
        if (!is_zero(data + at, some))
            uno_link_put(link, UNO_FRAME_RECORD, k, (int)piece, (uint64_t)at, (const void *)(data + at),
                         some);
    }
}

/* Put the lines of the source from which PE k called: the files of the programs are here. */
static void put_sites(struct uno_link *link, int k, const struct uno_seen_rank *rank,
                      struct uno_places *places) {
    char text[UNO_PLACE_TEXT];
    uint32_t count = rank->sites < UNO_SEEN_SITES ? rank->sites : UNO_SEEN_SITES;
    for (uint32_t i = 0; i < count; i++) {
        uno_calls_place(places, rank, i, text, sizeof text);
        uno_link_put(link, UNO_FRAME_SITE, k, (int)i, text);
    }
}

static void put_record(struct uno_giving *giving, struct uno_run *run, struct uno_link *link, int k) {
    const struct uno_seen_memory *seen = run->launch->seen->memory;
    for (int piece = 0; piece < UNO_PIECES; piece++) {
        size_t bytes;
        const char *data = uno_piece(piece, run->job, seen, k, &bytes);
        put_piece(link, k, piece, data, bytes);
    }
    put_sites(link, k, uno_seen_rank(seen, k), giving->places);
}

/* ---- events ------------------------------------------------------------------------------------------ */

/* Put the next chunk of events. Returns false if there is none. A PE that was killed may have left a chunk
 * that is not whole. */
static bool put_events(struct uno_giving *giving, const struct uno_trace *trace, struct uno_link *link) {
    static char chunk[UNO_EVENTS * sizeof(struct uno_event)];
    const struct {
        int file;
        size_t bytes;
    } files[] = {{trace->events, sizeof chunk},
                 {trace->calls, UNO_SEEN_EVENTS * sizeof(struct uno_seen_event)}};
    _Static_assert(sizeof chunk >= UNO_SEEN_EVENTS * sizeof(struct uno_seen_event), "a chunk of either file");
    for (; giving->file < 2; giving->file++, giving->at = 0) {
        int fd = files[giving->file].file;
        size_t bytes = files[giving->file].bytes;
        ssize_t length = fd < 0 ? 0 : pread(fd, chunk, bytes, giving->at);
        if (length <= 0)
            continue;
        memset(chunk + length, 0, bytes - (size_t)length);
        uno_link_put(link, UNO_FRAME_EVENTS, giving->file, (const void *)chunk, bytes);
        giving->at += (off_t)bytes;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------------ */

bool uno_give_step(struct uno_giving *giving, struct uno_run *run, struct uno_link *link) {
    if (giving->state != UNO_GIVES || link->going.end - link->going.start >= ROOM)
        return false;
    while (giving->pe < run->launch->n && !uno_node_has(run->launch, giving->pe))
        giving->pe++;
    if (giving->pe < run->launch->n)
        put_record(giving, run, link, giving->pe++);
    else if (!put_events(giving, &run->records.trace, link))
        put_over(giving, link);
    return true;
}
