#include "requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/interpreter.h"
#include "engine/kernel.h"
#include "engine/tuning.h"

/* The bounds of the section, from the linker; a program that links no reader has none. */
extern uno_pending_read *const __start_uno_pending[] __attribute__((weak, visibility("hidden")));
extern uno_pending_read *const __stop_uno_pending[] __attribute__((weak, visibility("hidden")));

static void read_rank(struct uno_pending_rank *rank, pid_t process, uint64_t at) {
    rank->is = true;
    for (uno_pending_read *const *read = __start_uno_pending; read < __stop_uno_pending; read++) {
        if ((*read)(process, at, rank))
            return;
        rank->error = errno;
    }
}

/* ---- the lines of the program ------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Find the places of all requests of a rank: most come from few lines. */
static void find_places(struct uno_pending_rank *rank, pid_t process) {
    uint64_t *from = malloc(rank->requests * sizeof *from);
    size_t n = 0, different = 0;
    for (; from && n < rank->requests; n++)
        from[n] = rank->request[n].from;
    if (n)
        qsort(from, n, sizeof *from, by_value);
    for (size_t i = 0; i < n; i++)
        if (!different || from[i] != from[different - 1])
            from[different++] = from[i];
    bool any = different && from[different - 1];
    char(*text)[UNO_CALLER_TEXT] = any ? malloc(different * sizeof *text) : NULL;
    if (text)
        uno_callers_in(process, from, different, text);
    for (size_t i = 0; text && i < n; i++) {
        const uint64_t *at = bsearch(&rank->request[i].from, from, different, sizeof *from, by_value);
        const char *place = text[at - from], *before = "; called ";
        if (strncmp(place, before, strlen(before)) == 0)
            strcpy(rank->request[i].place, place + strlen(before));
    }
    free(text);
    free(from);
}

/* Add the lines of Python from which the program has called, or a library for it. */
static void add_python(struct uno_pending_rank *rank, pid_t process) {
    struct uno_cpython_at *at = calloc(rank->requests, sizeof *at);
    char(*text)[UNO_CALLER_TEXT] = malloc(rank->requests * sizeof *text);
    bool any = false;
    for (size_t i = 0; at && i < rank->requests; i++) {
        at[i] = rank->request[i].python;
        any |= at[i].code != 0;
    }
    if (any && text)
        uno_interpreter_places(process, at, rank->requests, sizeof *text, *text);
    for (size_t i = 0; any && text && i < rank->requests; i++) {
        char *place = rank->request[i].place;
        size_t length = strlen(place), room = sizeof rank->request[i].place;
        const char *before = "called ", *python = text[i];
        if (!length && strncmp(python, before, strlen(before)) == 0)
            python += strlen(before);
        if (*python && length + strlen(python) + sizeof ", " <= room)
            snprintf(place + length, room - length, "%s%s", length ? ", " : "", python);
    }
    free(text);
    free(at);
}

/* ---- all of them ------------------------------------------------------------------------------------- */

bool uno_requests_look(struct uno_requests *requests, const struct uno_mail *mail,
                       const struct uno_place *place) {
    int n = uno_shown_pes(mail);
    *requests = (struct uno_requests){n, calloc((size_t)n, sizeof *requests->rank)};
    if (!requests->rank)
        return false;
    for (int k = 0; mail->base && k < n; k++) {
        uint64_t at = uno_load64_relaxed(&uno_mail_box(mail, k)->rank);
        if (at && place[k].pid && !place[k].gone)
            read_rank(&requests->rank[k], place[k].pid, at);
    }
    uint64_t began = uno_kernel_now();
    for (int k = 0; k < n && uno_kernel_now() - began < UNO_CALLERS_NS; k++)
        if (requests->rank[k].requests) {
            find_places(&requests->rank[k], place[k].pid);
            add_python(&requests->rank[k], place[k].pid);
        }
    return true;
}

void uno_requests_free(struct uno_requests *requests) {
    for (int k = 0; requests->rank && k < requests->n; k++) {
        free(requests->rank[k].request);
        free(requests->rank[k].comm);
    }
    free(requests->rank);
    requests->rank = NULL;
}

const struct uno_pending_comm *uno_pending_comm_of(const struct uno_pending_rank *rank, uint32_t id) {
    for (size_t i = 0; i < rank->comms; i++)
        if ((uint32_t)rank->comm[i].id == id)
            return &rank->comm[i];
    return NULL;
}
