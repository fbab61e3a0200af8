#define _GNU_SOURCE
#include "lose.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "launch/exit.h"
#include "launch/say.h"

enum { LINE = 400, SAID = 64 * 1024 };

static const char OWN[] = "unisono run: "; /* begins the lines of an agent's launcher */

void uno_lose_refuse(struct uno_coordinator *c, int status, const char *format, ...) {
    char text[1024];
    if (c->refused || c->signal)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uno_say(&c->output, "%s", text);
    c->refused = true;
    c->status = status;
    if (!c->ending)
        c->ending = uno_kernel_now();
}

/* ---- what it said ------------------------------------------------------------------------------------ */

void uno_lose_listen(struct uno_coordinator *c, int k) {
    struct uno_far_node *node = &c->node[k];
    char text[4096];
    ssize_t length;
    while (node->err >= 0 && (length = read(node->err, text, sizeof text)) != 0) {
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            break;
        if (node->said.end - node->said.start < SAID)
            uno_bytes_add(&node->said, text, (size_t)length);
    }
    if (node->err >= 0 && length == 0) {
        close(node->err);
        node->err = -1;
    }
    if (!node->begun)
        return;
    struct uno_bytes *said = &node->said;
    if (node->over) /* the command that started the agent may tell that it did not end well; the job has told
                       why */
        said->start = said->end = 0;
    char *end =
        said->end > said->start ? memrchr(said->data + said->start, '\n', said->end - said->start) : NULL;
    if (!end)
        return;
    size_t whole = (size_t)(end + 1 - said->data) - said->start;
    uno_output_say(&c->output, said->data + said->start, whole);
    said->start += whole;
}

/* Find the line that says most: the last one of the agent's launcher, without its beginning, or else the last
 * one. Returns true if it is the launcher's. */
static bool find_line(const struct uno_bytes *said, char line[LINE]) {
    bool own = false;
    *line = 0;
    for (size_t at = said->start; at < said->end;) {
        const char *text = said->data + at, *end = memchr(text, '\n', said->end - at);
        size_t length = end ? (size_t)(end - text) : said->end - at;
        at += length + 1;
        while (length && (text[length - 1] == '\r' || text[length - 1] == ' '))
            length--;
        bool launchers = length >= strlen(OWN) && memcmp(text, OWN, strlen(OWN)) == 0;
        if (!length || (own && !launchers))
            continue;
        size_t skip = launchers ? strlen(OWN) : 0;
        snprintf(line, LINE, "%.*s", (int)(length - skip), text + skip);
        own |= launchers;
    }
    return own;
}

/* ---- how it ended ------------------------------------------------------------------------------------ */

/* Write how the process of an agent, or the command that has started it elsewhere, has ended. */
static void write_end(const struct uno_coordinator *c, int k, char text[LINE]) {
    const struct uno_far_node *node = &c->node[k];
    char who[UNO_STARTER];
    uno_agent_starter(c->far, k, who);
    if (node->silent)
        snprintf(text, LINE, "nothing comes from there any more (--heartbeat-timeout %g)",
                 (double)c->far->silence / 1e9);
    else if (node->pid)
        snprintf(text, LINE, "the connection has ended");
    else if (WIFSIGNALED(node->ended))
        snprintf(text, LINE, "%.80s was killed by signal %d (%s)", who, WTERMSIG(node->ended),
                 strsignal(WTERMSIG(node->ended)));
    else
        snprintf(text, LINE, "%.80s has ended with exit status %d", who, WEXITSTATUS(node->ended));
}

const char *uno_lose_try(const struct uno_coordinator *c, int k, char text[UNO_HINT]) {
    const char *name = c->far->hosts->name[k];
    char starter[UNO_STARTER];
    uno_agent_starter(c->far, k, starter);
    *text = 0;
    if (!uno_host_is_here(name))
        snprintf(text, UNO_HINT, "; does `%s %s true` work?", starter, name);
    return text;
}

/* The agent of a node has not begun. */
static void refuse_node(struct uno_coordinator *c, int k) {
    const struct uno_far_node *node = &c->node[k];
    const char *name = c->far->hosts->name[k];
    bool exited = !node->pid && WIFEXITED(node->ended);
    int status = exited ? WEXITSTATUS(node->ended) : 0;
    char line[LINE], end[LINE];
    char hint[UNO_HINT];
    bool own = find_line(&node->said, line);
    write_end(c, k, end);
    if (own)
        uno_lose_refuse(c, status ? status : EXIT_FAILURE, "%s: %s", name, line);
    else if (!node->greeted && status == UNO_EXIT_NOT_FOUND)
        uno_lose_refuse(
            c, EXIT_FAILURE,
            "%s: there is no program unisono, neither %s nor in PATH; install the same version there", name,
            c->far->self);
    else
        uno_lose_refuse(c, EXIT_FAILURE, "%s: cannot start an agent there: %s%s%s%s", name,
                        *line ? line : end, *line ? ": " : "", *line ? end : "", uno_lose_try(c, k, hint));
}

void uno_lose_gone(struct uno_coordinator *c, int k, const char *format, ...) {
    char text[UNO_FAULT_TEXT];
    int length = snprintf(text, sizeof text, "node %s is gone: ", c->far->hosts->name[k]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    if (c->signal || c->verdict)
        return;
    if (!*c->gone && c->failed < 0)
        memcpy(c->gone, text, sizeof text);
    if (!c->status)
        c->status = EXIT_FAILURE;
    if (!c->ending)
        c->ending = uno_kernel_now();
    for (int i = 0; i < c->far->hosts->count; i++)
        if (i != k)
            uno_link_put(&c->node[i].link, UNO_FRAME_GONE, k, text);
}

void uno_lose_node(struct uno_coordinator *c, int k) {
    char line[LINE], end[LINE];
    uno_lose_listen(c, k);
    if (!c->node[k].begun) {
        refuse_node(c, k);
        return;
    }
    find_line(&c->node[k].said, line);
    write_end(c, k, end);
    uno_lose_gone(c, k, "%s%s%.80s", end, *line ? ": " : "", line);
}
