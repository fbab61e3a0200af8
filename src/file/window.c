#include "window.h"

#include <string.h>

#include "engine/bytes.h"
#include "engine/arrays.h"
#include "engine/nodes.h"

enum {
    AHEAD_LEAST = 64 * 1024,  /* bytes that are read at once; doubled while the reads go on from there */
    SHARE_LEAST = 256 * 1024, /* of them by one member */
    PAGE = 4096
};

/* ---- its memory -------------------------------------------------------------------------------------- */

static void give_back(struct uno_pe *pe, const struct uno_array *array) {
    if (pe->group.rank == 0)
        uno_arrays_release(pe, array);
    else
        uno_arrays_detach(pe, array);
}

/* Make the window. All members call this, after a meeting in which they found that they need it. */
static UNO_COLD void make(struct uno_pe *pe, struct uno_file *file) {
    struct uno_array array = {.bytes = (size_t)2 * UNO_WINDOW, .group = pe->group};
    struct uno_file_told told = {.id = file->id, .error = !uno_arrays_of(pe)};
    bool first = pe->group.rank == 0, there = first && !told.error && uno_arrays_reserve(pe, &array);
    file->window.tried = true;
    if (uno_nodes_far(pe, pe->group.mask) >= 0)
        return; /* members on several machines share no memory */
    if (first) {
        told.error = !there;
        told.given = array.at;
    }
    struct uno_file_seen seen = uno_file_meet(pe, UNO_P_OPEN, &told, NULL);
    if (!seen.error) { /* all have what knows of arrays, and the first has reserved this one */
        array.at = seen.given;
        told.error = first ? !uno_arrays_populate(&array, 0, 1) : !uno_arrays_attach(pe, &array);
        there = !told.error || first;
        seen = uno_file_meet(pe, UNO_P_OPEN, &told, NULL);
    }
    if (!seen.error)
        file->window.array = array;
    else if (there)
        give_back(pe, &array);
}

void uno_window_free(struct uno_pe *pe, struct uno_file *file) {
    if (file->window.array.address)
        give_back(pe, &file->window.array);
}

bool uno_window_takes(struct uno_pe *pe, struct uno_file *file, const struct uno_file_seen *pieces) {
    if (pieces->most > UNO_WINDOW_PIECE || pieces->all > UNO_WINDOW)
        return false;
    if (UNO_UNLIKELY(!file->window.tried))
        make(pe, file);
    return file->window.array.address != NULL;
}

/* Return the address in the window of byte `at` of the file. */
static char *spot(const struct uno_window *window, uint64_t at) {
    return window->array.address + window->half * (size_t)UNO_WINDOW + (at - window->begin);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void start_at(struct uno_window *window, uint64_t at) {
    window->begin = window->end = at;
    window->dirty = false;
}

/* Write the window's data to the file, in the first member. */
static void put_out(struct uno_pe *pe, struct uno_file *file) {
    struct uno_window *window = &file->window;
    if (pe->group.rank == 0 && !window->error)
        window->error =
            -uno_file_put(file->fd, spot(window, window->begin), window->end - window->begin, window->begin);
}

void uno_window_flush(struct uno_pe *pe, struct uno_file *file) {
    if (file->window.dirty)
        put_out(pe, file);
    start_at(&file->window, 0); /* the place from which it was read may be written now */
}

void uno_window_write(struct uno_pe *pe, struct uno_file *file, const void *data,
                      const struct uno_file_seen *pieces) {
    struct uno_window *window = &file->window;
    if (!window->dirty) {
        start_at(window, file->at);
    } else if (window->end + pieces->all - window->begin > UNO_WINDOW) {
        put_out(pe, file);
        window->half = !window->half;
        start_at(window, file->at);
    }
    window->dirty = true;
    window->end += pieces->all;
    if (pieces->mine)
        memcpy(spot(window, file->at + pieces->before), data, pieces->mine);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* Read what begins at the position, at least `least` bytes if the file has them: each member its share. */
static void fill(struct uno_pe *pe, struct uno_file *file, uint64_t least, struct uno_file_seen *read) {
    struct uno_window *window = &file->window;
    bool on = window->end == file->at && window->ahead;
    window->ahead = !on ? AHEAD_LEAST : window->ahead < UNO_WINDOW ? 2 * window->ahead : UNO_WINDOW;
    start_at(window, file->at);
    uint64_t bytes = least > window->ahead ? least : window->ahead;
    uint64_t shares = bytes / SHARE_LEAST + 1, size = (uint64_t)pe->group.size;
    uint64_t share = bytes / (shares < size ? shares : size) / PAGE * PAGE + PAGE;
    uint64_t from = share * (uint64_t)pe->group.rank, mine = from >= bytes ? 0 : bytes - from;
    size_t got = 0;
    if (mine > share)
        mine = share;
    struct uno_file_told told = {.id = file->id, .wanted = mine};
    if (mine)
        told.error =
            (uint64_t)-uno_file_get(file->fd, spot(window, file->at + from), mine, file->at + from, &got);
    told.bytes = got;
    *read = uno_file_meet(pe, UNO_P_READ, &told, NULL);
    if (!read->error)
        window->end += read->all;
}

void uno_window_read(struct uno_pe *pe, struct uno_file *file, void *data, const struct uno_file_seen *pieces,
                     struct uno_file_seen *read) {
    struct uno_window *window = &file->window;
    *read = (struct uno_file_seen){0};
    if (file->at < window->begin || file->at + pieces->all > window->end)
        fill(pe, file, pieces->all, read);
    if (read->error)
        return;
    uint64_t there = window->end - file->at, mine = there > pieces->before ? there - pieces->before : 0;
    read->mine = mine < pieces->mine ? mine : pieces->mine;
    read->all = there < pieces->all ? there : pieces->all;
    if (read->mine)
        memcpy(data, spot(window, file->at + pieces->before), read->mine);
}
