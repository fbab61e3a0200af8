/* A file is written and read by all ranks: files PATH SHAPE RUN alone|together MEGABYTES. The shapes:
 *
 *     contiguous    each rank has a part of the file, and moves RUN bytes by a call
 *     strided       runs of RUN bytes of the ranks in turns, by a view
 *     nested        a matrix of double, of which each rank has a block of columns and rows: RUN bytes of each
 * row of the file, by a subarray; in memory it lies among ghost cells, by another one
 *
 * It prints the seconds of writing and of reading, from the first rank that begins to the last that is done.
 * What is read is compared. The file stays in the page cache, and is removed. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL = 16 << 20 /* bytes of a rank in a call */ };

static int rank, size;
static int together;

static int write_file(MPI_File f, MPI_Offset at, const void *data, int count, MPI_Datatype type) {
    return together ? MPI_File_write_at_all(f, at, data, count, type, MPI_STATUS_IGNORE)
                    : MPI_File_write_at(f, at, data, count, type, MPI_STATUS_IGNORE);
}

static int read_file(MPI_File f, MPI_Offset at, void *data, int count, MPI_Datatype type) {
    return together ? MPI_File_read_at_all(f, at, data, count, type, MPI_STATUS_IGNORE)
                    : MPI_File_read_at(f, at, data, count, type, MPI_STATUS_IGNORE);
}

static void fail(const char *what) {
    fprintf(stderr, "files: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A rank's `calls` of `count` elements of a type. The next one is `step` units of the view and `apart` bytes
 * of memory behind the last. */
struct work {
    MPI_Datatype etype, filetype, memory;
    MPI_Offset start, step;
    int calls, count;
    size_t apart, room;
};

static struct work contiguous(int run, MPI_Offset bytes) {
    return (struct work){MPI_BYTE,           MPI_BYTE, MPI_BYTE,    rank * bytes, run,
                         (int)(bytes / run), run,      (size_t)run, (size_t)bytes};
}

static MPI_Datatype committed(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return type;
}

static struct work strided(int run, MPI_Offset bytes) {
    MPI_Datatype one, filetype;
    int call = CALL / run * run, calls = (int)(bytes / call);
    call = calls ? call : (int)bytes;
    calls = calls ? calls : 1;
    MPI_Type_contiguous(run, MPI_BYTE, &one);
    MPI_Type_create_resized(one, 0, (MPI_Aint)run * size, &filetype);
    return (struct work){
        MPI_BYTE,     committed(filetype),         MPI_BYTE, (MPI_Offset)rank * run, call, calls, call,
        (size_t)call, (size_t)calls * (size_t)call};
}

static struct work nested(int run, MPI_Offset bytes) {
    enum { GHOST = 2 };
    int across = size % 2 ? 1 : 2, down = size / across, columns = run / 8, rows = (int)(bytes / run);
    int file[] = {rows * down, columns * across}, block[] = {rows, columns},
        at[] = {rank / across * rows, rank % across * columns};
    int memory[] = {rows + 2 * GHOST, columns + 2 * GHOST}, inside[] = {GHOST, GHOST};
    MPI_Datatype filetype, type;
    MPI_Type_create_subarray(2, file, block, at, MPI_ORDER_C, MPI_DOUBLE, &filetype);
    MPI_Type_create_subarray(2, memory, block, inside, MPI_ORDER_C, MPI_DOUBLE, &type);
    return (struct work){MPI_DOUBLE,
                         committed(filetype),
                         committed(type),
                         0,
                         0,
                         1,
                         1,
                         0,
                         (size_t)memory[0] * (size_t)memory[1] * sizeof(double)};
}

static double all_done(double began) {
    double seconds = MPI_Wtime() - began, most;
    MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static unsigned long long value_of(size_t i) {
    return (i + (size_t)rank * 0x10001) * 0x9e3779b97f4a7c15u;
}

/* Return true if the data of a type that are at the address are what has been written from there. */
static int is_right(const struct work *w, const char *data) {
    int bytes, place = 0;
    MPI_Type_size(w->memory, &bytes);
    if (w->calls > 1 || bytes == 1) {
        for (size_t i = 0; i < (size_t)w->calls * w->apart / 8; i++)
            if (((const unsigned long long *)data)[i] != value_of(i))
                return 0;
        return 1;
    }
    char *all = malloc(w->room), *packed[2] = {malloc((size_t)bytes), malloc((size_t)bytes)};
    for (size_t i = 0; i < w->room / 8; i++)
        ((unsigned long long *)all)[i] = value_of(i);
    MPI_Pack(data, 1, w->memory, packed[0], bytes, &place, MPI_COMM_SELF);
    place = 0;
    MPI_Pack(all, 1, w->memory, packed[1], bytes, &place, MPI_COMM_SELF);
    return memcmp(packed[0], packed[1], (size_t)bytes) == 0;
}

int main(int argc, char **argv) {
    MPI_File f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 6)
        fail("files PATH contiguous|strided|nested RUN alone|together MEGABYTES");
    int run = atoi(argv[3]);
    MPI_Offset bytes = atoll(argv[5]) * 1000000 / size / run * run;
    together = strcmp(argv[4], "together") == 0;
    struct work w = strcmp(argv[2], "contiguous") == 0 ? contiguous(run, bytes)
                    : strcmp(argv[2], "strided") == 0  ? strided(run, bytes)
                                                       : nested(run, bytes);
    char *data = malloc(w.room);
    for (size_t i = 0; i < w.room / 8; i++)
        ((unsigned long long *)data)[i] = value_of(i);
    if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &f))
        fail("cannot open the file");
    if (MPI_File_set_view(f, w.start, w.etype, w.filetype, "native", MPI_INFO_NULL))
        fail("cannot set the view");
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int i = 0; i < w.calls; i++)
        if (write_file(f, i * w.step, data + (size_t)i * w.apart, w.count, w.memory))
            fail("cannot write");
    double writing = all_done(began);
    memset(data, 0, w.room);
    MPI_Barrier(MPI_COMM_WORLD);
    began = MPI_Wtime();
    for (int i = 0; i < w.calls; i++)
        if (read_file(f, i * w.step, data + (size_t)i * w.apart, w.count, w.memory))
            fail("cannot read");
    double reading = all_done(began);
    if (!is_right(&w, data))
        fail("has read what is wrong");
    MPI_File_close(&f);
    if (rank == 0)
        printf("{\"write\": %.6f, \"read\": %.6f}\n", writing, reading);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
