#include "library/file/view.h"

#include "library/calls.h"
#include "library/file/representation.h"
#include "library/type/predefined.h"

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* The last run, which the next one may continue. */
struct joined {
    MPI_Count at, bytes;
    uno_run_visit *visit;
    void *context;
};

static bool join(void *context, MPI_Count at, MPI_Count bytes) {
    struct joined *j = context;
    if (j->bytes && j->at + j->bytes == at) {
        j->bytes += bytes;
        return true;
    }
    bool on = !j->bytes || j->visit(j->context, j->at, j->bytes);
    j->at = at;
    j->bytes = bytes;
    return on;
}

bool uno_io_runs(const struct uno_io_view *view, MPI_Offset at, MPI_Count bytes, uno_run_visit *visit,
                 void *context) {
    if (!bytes)
        return true;
    if (view->whole)
        return visit(context, uno_io_place(view, at), bytes);
    struct joined j = {.visit = visit, .context = context};
    MPI_Count tile = at / view->bytes, from = at % view->bytes;
    for (; bytes; tile++, from = 0) {
        MPI_Count some = uno_io_least(view->bytes - from, bytes);
        if (!uno_pattern_runs(&view->filetype->pattern, view->start + tile * view->extent, from, some, join,
                              &j))
            return false;
        bytes -= some;
    }
    return visit(context, j.at, j.bytes);
}

static bool take_place(void *context, MPI_Count at, MPI_Count bytes) {
    (void)bytes;
    *(MPI_Count *)context = at;
    return false;
}

MPI_Offset uno_io_place(const struct uno_io_view *view, MPI_Offset at) {
    if (!view->bytes)
        return view->start;
    MPI_Count place = view->start + at / view->bytes * view->extent;
    if (view->whole)
        return view->start + view->filetype->pattern.at + at;
    uno_pattern_runs(&view->filetype->pattern, place, at % view->bytes, 1, take_place, &place);
    return place;
}

/* The data before a place of the file, as far as they have been counted. */
struct before {
    MPI_Count place, bytes;
};

static bool count_before(void *context, MPI_Count at, MPI_Count bytes) {
    struct before *b = context;
    MPI_Count there = b->place - at;
    b->bytes += there < 0 ? 0 : uno_io_least(there, bytes);
    return there > bytes;
}

MPI_Count uno_io_before(const struct uno_io_view *view, MPI_Offset place) {
    MPI_Count tile = view->extent > 0 && place > view->start ? (place - view->start) / view->extent : 0;
    struct before b = {.place = place, .bytes = tile * view->bytes};
    uno_pattern_runs(&view->filetype->pattern, view->start + tile * view->extent, 0, view->bytes,
                     count_before, &b);
    return b.bytes;
}

/* ---- setting ------------------------------------------------------------------------------------------- */

/* The findings of a walk over one filetype. */
struct look {
    MPI_Count first, begin, end, runs; /* where the first run begins, and the last one and its end */
    bool decreases, overlaps;
};

static bool look_at(void *context, MPI_Count at, MPI_Count bytes) {
    struct look *l = context;
    if (!l->runs++)
        l->first = at;
    l->decreases = l->decreases || at < l->begin;
    l->overlaps = l->overlaps || at < l->end;
    l->begin = at;
    l->end = at + bytes > l->end ? at + bytes : l->end;
    return true;
}

static struct look look(const struct uno_mpi_type *type) {
    struct look l = {0};
    struct joined j = {.visit = look_at, .context = &l};
    uno_pattern_runs(&type->pattern, 0, 0, (MPI_Count)type->layout.size, join, &j);
    if (j.bytes)
        look_at(&l, j.at, j.bytes);
    return l;
}

/* MPI wants the data of a file that is written to overlap nowhere. */
static int check_type(const char *name, const struct uno_mpi_type *type, const struct look *l, bool writes) {
    if (type->layout.size && type->true_low < 0)
        return uno_error(MPI_ERR_IO, "%s has data %lld bytes before its beginning", name,
                         (long long)-type->true_low);
    if (l->decreases || (l->overlaps && writes))
        return uno_error(MPI_ERR_IO, "%s has data that %s", name,
                         l->decreases ? "go back in the file" : "overlap, and the file is to be written");
    return MPI_SUCCESS;
}

static int check_types(const struct uno_mpi_type *etype, const struct uno_mpi_type *filetype,
                       const struct look *l, bool writes) {
    struct look unit = look(etype);
    int error = check_type("etype", etype, &unit, writes);
    error = error ? error : check_type("filetype", filetype, l, writes);
    if (!error && (!etype->layout.size || filetype->layout.size % etype->layout.size))
        error = uno_error(MPI_ERR_ARG, "filetype has %zu bytes of data, which is no multiple of etype's %zu",
                          filetype->layout.size, etype->layout.size);
    return error;
}

/* Make the units those of a representation in which they have other sizes. */
static int scale(struct uno_io_view *view, MPI_Count unit) {
    if (unit == view->unit)
        return MPI_SUCCESS;
    if (!view->whole)
        return uno_error(
            MPI_ERR_UNSUPPORTED_DATAREP,
            "etype has %lld bytes in \"%s\" and %lld in memory, which only views without gaps can have",
            (long long)unit, uno_io_representation_name(view->representation), (long long)view->unit);
    view->bytes = view->extent = view->bytes / view->unit * unit;
    view->unit = unit;
    return MPI_SUCCESS;
}

int uno_io_view_set(struct uno_io_view *view, bool writes, MPI_Offset start, struct uno_mpi_type *etype,
                    struct uno_mpi_type *filetype, const struct uno_io_representation *representation) {
    struct look l = look(filetype);
    MPI_Count unit;
    int error = check_types(etype, filetype, &l, writes);
    error = error ? error : uno_io_size(representation, etype, &unit);
    if (!error && start < 0)
        error = uno_error(MPI_ERR_ARG, "disp is %lld", (long long)start);
    if (error)
        return error;
    struct uno_io_view made = {.start = start,
                               .etype = etype,
                               .filetype = filetype,
                               .representation = representation,
                               .unit = (MPI_Count)etype->layout.size,
                               .bytes = (MPI_Count)filetype->layout.size,
                               .extent = filetype->layout.extent,
                               .runs = l.runs};
    made.ordered = !l.overlaps && (!made.bytes || made.extent + l.first >= l.end);
    made.whole = l.runs == 1 && made.extent == made.bytes;
    error = scale(&made, unit);
    if (error)
        return error;
    uno_object_hold(etype);
    uno_object_hold(filetype);
    uno_io_view_drop(view);
    *view = made;
    return MPI_SUCCESS;
}

void uno_io_view_drop(struct uno_io_view *view) {
    uno_object_drop(view->etype);
    uno_object_drop(view->filetype);
}
