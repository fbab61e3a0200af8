/* A timeline whose file is full, one of a rank that was killed as it wrote, and a memory over which a rank
 * has written: one process records as each of two ranks. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/timeline.h"
#include "observe/record.h"
#include "observe/share.h"

enum { RANKS = 2, CHUNK = UNO_SEEN_EVENTS - 1 /* events of a chunk */ };

static int failures;

static void check(const char *what, bool right) {
    if (!right)
        printf("%s is wrong\n", what);
    failures += !right;
}

static bool go_on(void *argument, double share) {
    (void)argument;
    (void)share;
    return true;
}

/* Record so many calls of rank k. Returns its part of the memory. */
static struct uno_seen_rank *record(struct uno_seen_share *share, int k, int calls) {
    struct uno_seer *seer = calloc(1, sizeof *seer);
    struct uno_seen_call call;
    if (!seer || uno_seer_begin(seer, share->memory, k, RANKS, 1))
        exit(2);
    for (int i = 0; i < calls; i++) {
        uno_seen_begin(seer, &call, 0, "work", (const void *)record, 0);
        uno_seen_took_long(seer, &call);
        uno_seen_end(seer, &call, 0);
    }
    uno_seer_end(seer);
    free(seer);
    return uno_seen_rank(share->memory, k);
}

/* Make the memory, with room for so many chunks in the file. */
static int ask(struct uno_seen_share *share, uint64_t most) {
    int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    if (file < 0 || uno_seen_make(share, RANKS))
        exit(2);
    uno_timeline_ask(share, file);
    share->memory->trace.most = most;
    return file;
}

/* Write the timeline, which must have so many calls, and forget all. */
static void written(const char *what, struct uno_seen_share *share, int file, uint64_t calls, bool full) {
    static const int thread[RANKS] = {11, 12};
    struct uno_calls *sum = uno_calls_sum(share, NULL);
    struct uno_timeline timeline = {.process = thread, .thread = thread, .step = go_on};
    FILE *f = fopen("/dev/null", "w");
    if (!sum || !f || uno_timeline_write(f, &timeline, sum, file))
        exit(2);
    if (timeline.written != calls)
        printf("%llu calls, not %llu\n", (unsigned long long)timeline.written, (unsigned long long)calls);
    check(what, timeline.written == calls && timeline.full == full && !timeline.lost);
    fclose(f);
    uno_calls_free(sum);
    uno_seen_drop(share);
    close(file);
}

int main(void) {
    struct uno_seen_share share;
    int file = ask(&share, 8);
    record(&share, 0, 2 * CHUNK + 5);
    record(&share, 1, 7);
    written("a timeline with room", &share, file, 2 * CHUNK + 5 + 7, false);

    /* the chunk that found no room is still in the memory */
    file = ask(&share, 1);
    record(&share, 0, 3 * CHUNK);
    record(&share, 1, 7);
    written("a full timeline", &share, file, 2 * CHUNK + 7, true);

    /* a rank was killed when it had written a chunk, and counted it, or not yet */
    file = ask(&share, 8);
    struct uno_seen_rank *rank = record(&share, 0, CHUNK);
    rank->events = UNO_SEEN_EVENTS;
    record(&share, 1, 7);
    written("a chunk that was counted", &share, file, CHUNK + 7, false);
    file = ask(&share, 8);
    rank = record(&share, 0, CHUNK);
    rank->events = UNO_SEEN_EVENTS;
    rank->chunks--;
    record(&share, 1, 7);
    written("a chunk that was not counted", &share, file, CHUNK + 7, false);

    file = ask(&share, 8);
    record(&share, 0, 7);
    uno_store64_relaxed(&share.memory->n, 1000);
    check("a number of ranks that was written over", !uno_calls_sum(&share, NULL));
    uno_seen_drop(&share);
    close(file);
    return failures ? 1 : 0;
}
