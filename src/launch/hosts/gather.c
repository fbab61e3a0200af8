#define _GNU_SOURCE
#include "gather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "engine/observe.h"
#include "launch/memory.h"
#include "launch/refuse.h"
#include "launch/say.h"
#include "pieces.h"

/* ---- the beginning ----------------------------------------------------------------------------------- */

/* Make the memories. Returns 0 or an errno. */
static int make(struct uno_gather *gather, const struct uno_far_launch *far) {
    int n = far->launch->n;
    gather->size = uno_job_size(n, gather->observe);
    gather->place = calloc((size_t)n * UNO_SEEN_SITES, sizeof *gather->place);
    gather->clock = calloc((size_t)far->hosts->count, sizeof *gather->clock);
    void *job = mmap(NULL, gather->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (job == MAP_FAILED || !gather->place || !gather->clock)
        return ENOMEM;
    gather->job = job;
    uno_job_format(gather->job, n, 1, gather->observe);
    int error = -uno_seen_make(&gather->seen, n);
    if (!error)
        fcntl(gather->seen.fd, F_SETFD, FD_CLOEXEC);
    return error;
}

bool uno_gather_open(struct uno_coordinator *c) {
    struct uno_gather *gather = &c->gather;
    const struct uno_hosts *hosts = c->far->hosts;
    gather->observe = uno_records_wanted(c->far->launch);
    if (!gather->observe)
        return true;
    int error = make(gather, c->far);
    if (error) {
        uno_refuse(0, "cannot make the memory for the records of %d PEs: %s", c->far->launch->n,
                   strerror(error));
        return false;
    }
    gather->far = (struct uno_calls_far){.seats = {hosts->count, c->far->hosts->name, hosts->seat},
                                         .clock = gather->clock,
                                         .place = gather->place};
    return uno_records_open(&gather->records, c->far->launch);
}

void uno_gather_began(struct uno_coordinator *c) {
    if (c->gather.job)
        uno_memory_describe(c->gather.job, c->far->launch, getppid());
}

/* ---- what agents send -------------------------------------------------------------------------------- */

bool uno_gather_hear_records(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    struct uno_gather *gather = &c->gather;
    const char *clock;
    size_t bytes;
    if (!uno_frame_get(frame, &clock, &bytes) || !gather->job || bytes != sizeof *gather->clock)
        return false;
    memcpy(&gather->clock[node], clock, bytes);
    gather->over = uno_kernel_now();
    uno_link_put(&c->node[node].link, UNO_FRAME_SEND);
    return true;
}

/* Return true if PE k is one of this node, which gives its records. */
static bool gives(struct uno_coordinator *c, int node, int k) {
    if (!c->gather.job || k < 0 || k >= c->far->launch->n || c->far->hosts->seat[k] != node)
        return false;
    if (c->ending) /* who sends is not to be given up */
        c->ending = uno_kernel_now();
    return true;
}

bool uno_gather_hear_record(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k, piece;
    uint64_t at;
    const char *data;
    size_t bytes, room;
    if (!uno_frame_get(frame, &k, &piece, &at, &data, &bytes) || !gives(c, node, k) || piece < 0 ||
        piece >= UNO_PIECES)
        return false;
    char *to = uno_piece(piece, c->gather.job, c->gather.seen.memory, k, &room);
    if (at > room || bytes > room - at)
        return false;
    memcpy(to + at, data, bytes);
    return true;
}

bool uno_gather_hear_site(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k, site;
    const char *text;
    if (!uno_frame_get(frame, &k, &site, &text) || !gives(c, node, k) || site < 0 || site >= UNO_SEEN_SITES)
        return false;
    char **place = &c->gather.place[(size_t)k * UNO_SEEN_SITES + (size_t)site];
    free(*place);
    *place = strdup(text);
    return true;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

static bool begun(const struct uno_coordinator *c) {
    return c->gather.job && c->told && !c->refused;
}

/* Say of which PEs there are no figures, since their machines are gone. */
static void say_missing(struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++)
        if (!c->node[i].over)
            uno_say(&c->output, "the figures and the timeline have nothing of the PEs on %s, which is gone",
                    c->far->hosts->name[i]);
}

void uno_gather_say(struct uno_coordinator *c) {
    struct uno_gather *gather = &c->gather;
    char *text = NULL;
    size_t length = 0;
    if (!begun(c))
        return;
    gather->records.recorded = (struct uno_recorded){.job = gather->job,
                                                     .calls = uno_calls_sum(&gather->seen, &gather->far),
                                                     .over = gather->over ? gather->over : uno_kernel_now(),
                                                     .seats = &gather->far.seats};
    say_missing(c);
    FILE *f = c->far->launch->stats ? open_memstream(&text, &length) : NULL;
    if (!f)
        return;
    uno_records_table(f, &gather->records);
    if (fclose(f) == 0)
        uno_output_say(&c->output, text, length);
    free(text);
}

bool uno_gather_write(struct uno_coordinator *c, bool (*interrupted)(void *c)) {
    return !begun(c) || uno_records_write(&c->gather.records, interrupted, c);
}

void uno_gather_close(struct uno_coordinator *c) {
    struct uno_gather *gather = &c->gather;
    uno_records_close(&gather->records);
    for (size_t i = 0; gather->place && i < (size_t)c->far->launch->n * UNO_SEEN_SITES; i++)
        free(gather->place[i]);
    free(gather->place);
    free(gather->clock);
    uno_seen_drop(&gather->seen);
    if (gather->job)
        munmap(gather->job, gather->size);
}
