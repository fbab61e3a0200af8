#include "library/window/stream.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/type/parts.h"
#include "library/type/predefined.h"

/* ---- runs ------------------------------------------------------------------------------------------------
 */

static void add(struct uno_runs *runs, MPI_Count at, size_t bytes) {
    struct uno_run *last = runs->count ? &runs->run[runs->count - 1] : NULL;
    runs->bytes += bytes;
    if (last && last->at + (MPI_Count)last->bytes == at) {
        last->bytes += bytes;
        return;
    }
    if (runs->count == runs->room) {
        size_t room = 2 * runs->room + 16;
        struct uno_run *all = realloc(runs->run == &runs->only ? NULL : runs->run, room * sizeof *all);
        if (!all)
            uno_base_fail("out of memory");
        if (runs->run == &runs->only)
            all[0] = runs->only;
        runs->run = all;
        runs->room = room;
    }
    runs->run[runs->count++] = (struct uno_run){at, bytes};
}

/* Elements of a predefined type, which may be a pair. */
static void add_basic(struct uno_runs *runs, const struct uno_mpi_type *basic, MPI_Count at,
                      MPI_Count count) {
    size_t bytes = (size_t)count * (size_t)basic->layout.extent;
    if (!bytes)
        return;
    runs->mixed |= runs->basic && runs->basic != basic;
    runs->basic = basic;
    add(runs, at, bytes);
}

static void walk(struct uno_runs *runs, const struct uno_mpi_type *type, MPI_Count at, MPI_Count count) {
    const struct uno_mpi_type *named = type->same ? type->same : type;
    if (uno_type_is_predefined(named)) {
        add_basic(runs, named, at, count);
        return;
    }
    MPI_Count parts = uno_type_parts(type);
    for (MPI_Count k = 0; k < count && type->layout.size; k++, at += type->layout.extent)
        for (MPI_Count i = 0; i < parts; i++) {
            struct uno_part part = uno_type_part(type, i);
            walk(runs, part.type, at + part.at, part.count);
        }
}

void uno_runs_of(struct uno_runs *runs, MPI_Count count, const struct uno_mpi_type *type) {
    *runs = (struct uno_runs){.run = &runs->only, .room = 1};
    walk(runs, type, 0, count);
    if (runs->mixed)
        runs->basic = NULL;
}

void uno_runs_free(struct uno_runs *runs) {
    if (runs->run != &runs->only)
        free(runs->run);
}

void uno_runs_cut(struct uno_runs *runs, size_t bytes) {
    size_t before = 0;
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->run[i].bytes >= bytes - before) {
            runs->run[i].bytes = bytes - before;
            runs->count = i + (bytes > before);
            runs->bytes = bytes;
            return;
        }
        before += runs->run[i].bytes;
    }
}

/* ---- streams ---------------------------------------------------------------------------------------------
 */

void uno_stream_out(struct uno_stream *stream, void *at, MPI_Count count, const struct uno_mpi_type *type) {
    uno_runs_of(&stream->runs, count, type);
    const struct uno_runs *runs = &stream->runs;
    stream->at = at;
    stream->memory = runs->count > 1 ? uno_base_allocate(runs->bytes, 1) : NULL;
    stream->bytes = stream->memory ? stream->memory : stream->at + (runs->count ? runs->run->at : 0);
}

void uno_stream_in(struct uno_stream *stream, const void *at, MPI_Count count,
                   const struct uno_mpi_type *type) {
    uno_stream_out(stream, (void *)at, count, type);
    char *to = stream->memory;
    for (size_t i = 0; to && i < stream->runs.count; to += stream->runs.run[i++].bytes)
        memcpy(to, stream->at + stream->runs.run[i].at, stream->runs.run[i].bytes);
}

void uno_stream_fill(const struct uno_stream *stream, size_t bytes) {
    const char *from = stream->memory;
    for (size_t i = 0; from && i < stream->runs.count && bytes; i++) {
        struct uno_run run = stream->runs.run[i];
        size_t some = uno_least(run.bytes, bytes);
        memcpy(stream->at + run.at, from, some);
        from += some;
        bytes -= some;
    }
}

void uno_stream_free(struct uno_stream *stream) {
    free(stream->memory);
    uno_runs_free(&stream->runs);
}
