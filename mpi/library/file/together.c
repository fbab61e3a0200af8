/* Collective reads and writes. Where each rank has many short runs among those of the others, the ranks
 * exchange their data through a window that they share: it holds a part of the file, of which each rank reads
 * or writes a share by one system call. The window has two halves, so one meeting for each part is enough:
 * nobody comes to the next but one before all have left this one.
 *
 * A part can be written as a whole only if the runs of all ranks cover it. That is found out by a number for
 * each byte of the file that looks random: each rank adds up what the numbers grow by from the beginning to
 * the end of each of its runs. If every byte is covered once, all but the first and the last number cancel
 * out, and the sum is what the number grows by from the beginning to the end of all. With a gap, or where
 * runs overlap, it is another one, except once in 2 to the 64. */

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "engine/bytes.h"
#include "library/file/memory.h"

enum { SHORT = 32 * 1024 /* mean bytes of runs that are exchanged */ };

/* ---- what all ranks know ------------------------------------------------------------------------------- */

/* The data of one rank, or of all. */
struct extent {
    uint64_t begin, end; /* places in the file */
    uint64_t bytes, runs;
    uint64_t grows;    /* by what the numbers of the bytes grow */
    uint64_t exchange; /* enum uno_io_exchange: as it would have it */
    uint64_t error;
};

enum { WORDS = sizeof(struct extent) / sizeof(uint64_t) };

static uint64_t number_of(MPI_Count place) {
    uint64_t x = (uint64_t)place + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static bool add_run(void *context, MPI_Count at, MPI_Count bytes) {
    struct extent *e = context;
    if (!e->runs++)
        e->begin = (uint64_t)at;
    e->end = (uint64_t)(at + bytes);
    e->grows += number_of(at + bytes) - number_of(at);
    return true;
}

static struct extent extent_of(const struct uno_mpi_file *file, MPI_Offset at, const struct uno_io_data *data,
                               int error) {
    const struct uno_io_hints *hints = &file->hints;
    struct extent e = {.error = (uint64_t)error, .exchange = data->writes ? hints->write : hints->read};
    e.bytes = error ? 0 : (uint64_t)uno_io_bytes(data);
    if (!file->view.ordered || file->atomic)
        e.exchange = UNO_IO_NEVER;
    else if (e.bytes)
        uno_io_runs(&file->view, at, (MPI_Count)e.bytes, add_run, &e);
    return e;
}

/* Add another rank's to all. */
static void add(struct extent *all, const struct extent *one) {
    all->error = all->error ? all->error : one->error;
    all->exchange = all->exchange > one->exchange ? all->exchange : one->exchange;
    if (!one->bytes)
        return;
    all->begin = all->bytes && all->begin < one->begin ? all->begin : one->begin;
    all->end = all->end > one->end ? all->end : one->end;
    all->bytes += one->bytes;
    all->runs += one->runs;
    all->grows += one->grows;
}

static bool exchanges(const struct uno_mpi_file *file, const struct extent *all, bool writes) {
    bool wanted = all->exchange == UNO_IO_ALWAYS ||
                  (all->exchange == UNO_IO_AUTOMATIC && uno_io_ranks(file)->size > 1 &&
                   all->bytes / SHORT < all->runs && all->runs > (uint64_t)uno_io_ranks(file)->size);
    if (!wanted || !all->bytes)
        return false;
    if (writes)
        return all->grows == number_of((MPI_Count)all->end) - number_of((MPI_Count)all->begin);
    return all->bytes >= (all->end - all->begin) / 2;
}

/* ---- the exchange -------------------------------------------------------------------------------------- */

/* A half of the window, and what of the file it holds. In front of the window is how many bytes of its share
 * each rank has read. */
struct parts {
    struct uno_mpi_file *file;
    struct uno_io_data *data;
    MPI_Offset at; /* of this rank's data */
    uint64_t *got;
    char *window;
    size_t share, half;
    uint64_t begin, end; /* the part */
    char *memory;        /* the packed data that come next */
    MPI_Count some;      /* bytes of them in this part, if they have been counted */
    int error;           /* an errno */
};

/* The bytes of a run that lie in the part. */
static MPI_Count inside(const struct parts *p, MPI_Count at, MPI_Count bytes) {
    MPI_Count there = (MPI_Count)p->end - at;
    return there < 0 ? 0 : uno_io_least(there, bytes);
}

static bool count_in(void *context, MPI_Count at, MPI_Count bytes) {
    struct parts *p = context;
    MPI_Count some = inside(p, at, bytes);
    p->some += some;
    return some == bytes;
}

static bool copy_in(void *context, MPI_Count at, MPI_Count bytes) {
    struct parts *p = context;
    MPI_Count some = inside(p, at, bytes);
    memcpy(p->window + (at - (MPI_Count)p->begin), p->memory, (size_t)some);
    p->memory += some;
    return some == bytes;
}

static bool copy_out(void *context, MPI_Count at, MPI_Count bytes) {
    struct parts *p = context;
    MPI_Count some = inside(p, at, bytes);
    memcpy(p->memory, p->window + (at - (MPI_Count)p->begin), (size_t)some);
    p->memory += some;
    return some == bytes;
}

/* Copy this rank's data of the part, from or to the window, beside packed data in memory. */
static void copy_packed(struct parts *p, char *packed) {
    MPI_Count left = uno_io_bytes(p->data) - p->data->done;
    p->memory = packed;
    uno_io_runs(&p->file->view, p->at + p->data->done, left, p->data->writes ? copy_in : copy_out, p);
}

/* Likewise, of data that have to be packed first: as many as are in the part. */
static void copy_unpacked(struct parts *p) {
    struct uno_io_data *data = p->data;
    p->some = 0;
    uno_io_runs(&p->file->view, p->at + data->done, uno_io_bytes(data) - data->done, count_in, p);
    char *packed = uno_base_allocate((size_t)p->some + 1, 1);
    if (data->writes)
        uno_io_pack(data, data->done, p->some, packed);
    copy_packed(p, packed);
    if (!data->writes)
        uno_io_pack(data, data->done, p->some, packed);
    data->done += p->some;
    free(packed);
}

static void copy(struct parts *p) {
    struct uno_io_data *data = p->data;
    if (!data->type->layout.plain) {
        copy_unpacked(p);
        return;
    }
    char *memory = (char *)data->at + data->type->pattern.at + data->done;
    copy_packed(p, memory);
    data->done += p->memory - memory;
}

/* Return the bytes of this rank's share of the part; *from: where it begins. */
static size_t share_of(const struct parts *p, int rank, size_t *from) {
    size_t bytes = p->end - p->begin;
    *from = uno_least(p->share * (size_t)rank, bytes);
    return uno_least(p->share, bytes - *from);
}

static void write_share(struct parts *p) {
    size_t from, bytes = share_of(p, uno_io_ranks(p->file)->rank, &from);
    int error = bytes && !p->error ? uno_file_put(p->file->fd, p->window + from, bytes, p->begin + from) : 0;
    p->error = error ? -error : p->error;
}

static void read_share(struct parts *p) {
    int rank = uno_io_ranks(p->file)->rank;
    size_t from, bytes = share_of(p, rank, &from), got = 0;
    int error = bytes ? uno_file_get(p->file->fd, p->window + from, bytes, p->begin + from, &got) : 0;
    p->error = error ? -error : p->error;
    p->got[rank] = got;
}

/* Shorten the part to what has been read. */
static void find_end(struct parts *p) {
    for (int r = 0; r < uno_io_ranks(p->file)->size; r++) {
        size_t from, bytes = share_of(p, r, &from);
        if (p->got[r] < bytes) {
            p->end = p->begin + from + p->got[r];
            return;
        }
    }
}

/* Move all data through the window, whose halves are `half` bytes apart. Returns an errno. */
static int move_parts(struct parts *p, char *halves[2], const struct extent *all) {
    bool writes = p->data->writes, ended = false;
    uint64_t step = p->share * (uint64_t)uno_io_ranks(p->file)->size;
    size_t got = (size_t)uno_io_ranks(p->file)->size * sizeof *p->got;
    for (uint64_t begin = all->begin; begin < all->end; begin += step, p->half = !p->half) {
        p->got = (uint64_t *)halves[p->half];
        p->window = halves[p->half] + got;
        p->begin = begin;
        p->end = all->end - begin < step ? all->end : begin + step;
        if (writes)
            copy(p);
        else
            read_share(p);
        int error = uno_io_agree(p->file, MPI_SUCCESS);
        if (error)
            return p->error;
        uint64_t whole = p->end;
        if (writes)
            write_share(p);
        else
            find_end(p);
        if (!writes && !ended && !p->error)
            copy(p);
        ended = ended || p->end != whole;
    }
    return p->error;
}

/* Return false if there is no memory for a window. */
static bool exchange(struct parts *p, const struct extent *all, int *error) {
    enum { LINE = 64 };
    size_t size = (size_t)uno_io_ranks(p->file)->size, most = (all->end - all->begin + size - 1) / size;
    p->share = uno_least(p->file->hints.part, (most + LINE - 1) / LINE * LINE);
    size_t half = (size * (p->share + sizeof *p->got) + LINE - 1) / LINE * LINE;
    char *window = uno_io_window(p->file, 2 * half);
    if (!window)
        return false;
    *error = move_parts(p, (char *[]){window, window + half}, all);
    return true;
}

int uno_io_together(struct uno_mpi_file *file, MPI_Offset at, struct uno_io_data *data, int error) {
    struct extent mine = extent_of(file, at, data, error), all = {0};
    struct extent *each = uno_base_allocate((size_t)uno_io_ranks(file)->size, sizeof *each);
    int failed = 0;
    data->done = 0;
    error = uno_io_meet(file, (const uint64_t *)&mine, (uint64_t *)each, WORDS);
    for (int r = 0; r < uno_io_ranks(file)->size; r++)
        add(&all, &each[r]);
    free(each);
    if (error || all.error)
        return error ? error : mine.error ? (int)mine.error : uno_io_another((int)all.error);
    struct parts p = {.file = file, .data = data, .at = at};
    if (exchanges(file, &all, data->writes) && exchange(&p, &all, &failed))
        error = uno_io_error(data->writes ? "write" : "read", file->path, failed);
    else
        error = uno_io_alone(file, at, data);
    return uno_io_agree(file, error);
}
