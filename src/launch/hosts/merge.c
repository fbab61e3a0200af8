#include "merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/files.h"
#include "launch/refuse.h"
#include "launch/say.h"

enum {
    INPUT = 64 * 1024,  /* bytes of input under way */
    CREDIT = 64 * 1024, /* bytes of output that are taken, and of which the agent is told */
    FULL = 1024 * 1024, /* bytes that a sink may hold, as of output.c */
};

bool uno_merge_open(struct uno_coordinator *c) {
    const struct uno_launch *launch = c->far->launch;
    size_t streams = 2 * (size_t)launch->n;
    c->stream = calloc(streams, sizeof *c->stream);
    c->file = calloc(streams, sizeof *c->file);
    int error = c->stream && c->file ? uno_output_open(&c->output, launch->n, launch->tag) : -ENOMEM;
    if (error) {
        uno_refuse(0, "cannot set up the output: %s", strerror(-error));
        return false;
    }
    if (!uno_files_folder(launch))
        return false;
    for (size_t i = 0; i < streams; i++)
        c->file[i] = -1;
    for (int i = 0; i < (int)streams; i++)
        if (!uno_files_wanted(launch, i % 2))
            c->stream[i] = uno_output_stream(&c->output, i / 2, i % 2);
        else if ((c->file[i] = uno_files_open(launch, i / 2, i % 2)) < 0)
            return false;
    return true;
}

void uno_merge_close(struct uno_coordinator *c) {
    for (int i = 0; c->file && i < 2 * c->far->launch->n; i++)
        if (c->file[i] >= 0)
            close(c->file[i]);
    uno_output_close(&c->output);
    free(c->stream);
    free(c->file);
}

/* Write into the file of a PE. If that fails, the PE learns it as usual. */
static void write_file(struct uno_coordinator *c, int i, const char *text, size_t length) {
    while (length && c->file[i] >= 0) {
        ssize_t written = write(c->file[i], text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            uno_say(&c->output, "cannot write the %s of PE %d: %s", i % 2 ? "errors" : "output", i / 2,
                    strerror(errno));
            close(c->file[i]);
            c->file[i] = -1;
            c->status = c->status ? c->status : EXIT_FAILURE;
            break;
        }
        text += written;
        length -= (size_t)written;
    }
}

void uno_merge_take(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t pe, which;
    const char *text;
    size_t length;
    if (!uno_frame_get(frame, &pe, &which, &text, &length) || which < 1 || which > 2 ||
        pe >= c->far->launch->n)
        return;
    if (pe < 0) {
        uno_output_say(&c->output, text, length);
        return;
    }
    int i = 2 * pe + which - 1;
    c->node[node].owed[which] += length;
    if (!c->stream[i])
        write_file(c, i, text, length);
    else if (length)
        uno_output_take(&c->output, c->stream[i], text, length);
    else
        uno_output_end(&c->output, c->stream[i]);
}

/* Return true if more output of that kind may come. */
static bool has_room(const struct uno_coordinator *c, int which) {
    const struct uno_sink *sink = &c->output.sink[which == 2 && !c->output.one_place];
    return uno_files_wanted(c->far->launch, which - 1) || sink->end - sink->start < FULL;
}

void uno_merge_step(struct uno_coordinator *c) {
    for (int which = 1; which <= 2; which++) {
        const struct uno_sink *sink = &c->output.sink[which == 2 && !c->output.one_place];
        bool breaks = sink->error && !c->broken[which];
        bool room = has_room(c, which);
        c->broken[which] |= breaks;
        for (int i = 0; i < c->far->hosts->count; i++) {
            struct uno_far_node *node = &c->node[i];
            if (breaks)
                uno_link_put(&node->link, UNO_FRAME_BROKEN, which);
            if (!room || node->owed[which] < CREDIT)
                continue;
            uno_link_put(&node->link, UNO_FRAME_TAKEN, which, node->owed[which]);
            node->owed[which] = 0;
        }
    }
}

bool uno_merge_wants_input(const struct uno_coordinator *c) {
    const struct uno_far_node *node = &c->node[c->far->hosts->seat[0]];
    /* a job in the background is stopped if it reads from its terminal */
    return node->begun && !node->over && !c->input_over && c->input_sent < INPUT &&
           (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp());
}

void uno_merge_input(struct uno_coordinator *c) {
    static char buffer[INPUT];
    ssize_t length = read(STDIN_FILENO, buffer, INPUT - c->input_sent);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length < 0)
        length = 0;
    uno_link_put(&c->node[c->far->hosts->seat[0]].link, UNO_FRAME_INPUT, (const void *)buffer,
                 (size_t)length);
    c->input_sent += (uint64_t)length;
    c->input_over = !length;
}
