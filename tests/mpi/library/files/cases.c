/* Files of MPI: what each function does, and its errors: cases FOLDER. */

#include <string.h>
#include <unistd.h>

#include "mpi/library/mpi_check.h"

static int rank, size;
static char path[400];

static int class_of(int error) {
    int class;
    GOOD(MPI_Error_class(error, &class));
    return class;
}
#define FAILS(call, class) CHECK(class_of(call) == (class))

static MPI_File open_new(int more) {
    MPI_File f;
    GOOD(MPI_File_open(MPI_COMM_WORLD, path,
                       MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE | more, MPI_INFO_NULL, &f));
    return f;
}

static void close_file(MPI_File *f) {
    GOOD(MPI_File_close(f));
    CHECK(*f == MPI_FILE_NULL);
}

static int count_of(const MPI_Status *s, MPI_Datatype type) {
    int count;
    GOOD(MPI_Get_count(s, type, &count));
    return count;
}

/* ---- pointers ------------------------------------------------------------------------------------------ */

static void individual_pointers(void) {
    MPI_File f = open_new(0);
    MPI_Offset at;
    MPI_Status s;
    int data[3] = {rank, rank + 1, rank + 2}, got[4] = {-1, -1, -1, -1};
    GOOD(MPI_File_set_view(f, 12 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    GOOD(MPI_File_write(f, data, 2, MPI_INT, &s));
    GOOD(MPI_File_get_position(f, &at));
    CHECK(at == 2);
    GOOD(MPI_File_write(f, data + 2, 1, MPI_INT, MPI_STATUS_IGNORE));
    GOOD(MPI_File_sync(f));
    GOOD(MPI_File_seek(f, -2, MPI_SEEK_CUR));
    GOOD(MPI_File_get_position(f, &at));
    CHECK(at == 1);
    GOOD(MPI_File_read(f, got, 2, MPI_INT, &s));
    CHECK(got[0] == rank + 1 && got[1] == rank + 2 && got[2] == -1 && count_of(&s, MPI_INT) == 2);
    GOOD(MPI_File_seek(f, -1, MPI_SEEK_END)); /* the last of the file's, of all ranks' */
    GOOD(MPI_File_get_position(f, &at));
    CHECK(at == 3 * (size - rank) - 1);
    GOOD(MPI_File_read(f, got, 4, MPI_INT, &s)); /* one, and then the file ends */
    CHECK(got[0] == size + 1 && count_of(&s, MPI_INT) == 1);
    GOOD(MPI_File_get_position(f, &at));
    CHECK(at == 3 * (size - rank));
    FAILS(MPI_File_seek(f, -1, MPI_SEEK_SET), MPI_ERR_ARG);
    FAILS(MPI_File_seek(f, 0, 12345), MPI_ERR_ARG);
    FAILS(MPI_File_read_at(f, -1, got, 1, MPI_INT, &s), MPI_ERR_ARG);
    close_file(&f);
    CHECK(access(path, F_OK) != 0);
    GOOD(MPI_Barrier(MPI_COMM_WORLD)); /* the first rank makes the next one */
}

static void shared_pointer(void) {
    MPI_File f = open_new(0);
    MPI_Offset at;
    MPI_Status s;
    int seen[64] = {0}, data, all[64];
    for (int i = 0; i < 4; i++) {
        data = 4 * rank + i;
        GOOD(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
        GOOD(MPI_File_seek_shared(f, i * size, MPI_SEEK_SET));
        GOOD(MPI_File_write_shared(f, &data, 1, MPI_INT, &s));
        GOOD(MPI_Barrier(MPI_COMM_WORLD));
        GOOD(MPI_File_get_position_shared(f, &at));
        CHECK(at == (i + 1) * size);
        GOOD(MPI_Barrier(MPI_COMM_WORLD));
    }
    GOOD(MPI_File_read_at(f, 0, all, 4 * size, MPI_INT, &s));
    for (int i = 0; i < 4 * size; i++)
        CHECK(all[i] >= 0 && all[i] < 4 * size && !seen[all[i]]++);
    GOOD(MPI_File_seek_shared(f, 0, MPI_SEEK_END));
    GOOD(MPI_File_get_position_shared(f, &at));
    CHECK(at == 4 * size);
    /* in the order of the ranks, of which each has one more than the one before */
    for (int i = 0; i <= rank; i++)
        all[i] = 100 * rank + i;
    GOOD(MPI_File_write_ordered(f, all, rank + 1, MPI_INT, &s));
    GOOD(MPI_File_get_position_shared(f, &at));
    CHECK(at == 4 * size + size * (size + 1) / 2);
    for (int r = 0, i = 4 * size; r < size; r++)
        for (int j = 0; j <= r; j++, i++) {
            GOOD(MPI_File_read_at(f, i, &data, 1, MPI_INT, &s));
            CHECK(data == 100 * r + j);
        }
    /* behind what the last rank alone does before it comes to the others */
    GOOD(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    data = rank;
    if (rank == size - 1) {
        usleep(20000);
        GOOD(MPI_File_read_shared(f, &data, 1, MPI_INT, &s));
    }
    GOOD(MPI_File_read_ordered(f, &data, 1, MPI_INT, &s));
    GOOD(MPI_File_read_at(f, rank + 1, all, 1, MPI_INT, &s));
    CHECK(data == all[0]);
    GOOD(MPI_File_get_position_shared(f, &at));
    CHECK(at == size + 1);
    GOOD(MPI_File_seek_shared(f, 4 * size, MPI_SEEK_SET));
    memset(all, 0, sizeof all);
    GOOD(MPI_File_read_ordered_begin(f, all, rank + 1, MPI_INT));
    FAILS(MPI_File_read_all_begin(f, all, rank + 1, MPI_INT), MPI_ERR_IO);
    FAILS(MPI_File_read_all_end(f, all, &s), MPI_ERR_IO);
    GOOD(MPI_File_read_ordered_end(f, all, &s));
    CHECK(all[rank] == 101 * rank && count_of(&s, MPI_INT) == rank + 1);
    FAILS(MPI_File_read_ordered_end(f, all, &s), MPI_ERR_IO);
    close_file(&f);
}

/* The end of a view with gaps, of which the file ends in the middle; and a file that is opened to be made
 * longer. */
static void ends(void) {
    MPI_File f = open_new(0);
    MPI_Datatype every;
    MPI_Offset at;
    MPI_Request r;
    MPI_Status s;
    int data = 40 + rank;
    GOOD(MPI_Type_create_resized(MPI_INT, 0, 12, &every)); /* of three int the first */
    GOOD(MPI_Type_commit(&every));
    GOOD(MPI_File_set_size(f, 4 * 8));
    GOOD(MPI_File_set_view(f, 4, MPI_INT, every, "native", MPI_INFO_NULL)); /* at 4, 16 and 28 */
    GOOD(MPI_File_seek(f, 0, MPI_SEEK_END));
    GOOD(MPI_File_get_position(f, &at));
    CHECK(at == 3);
    GOOD(MPI_File_set_size(f, 4 * 7));
    GOOD(MPI_File_seek(f, 0, MPI_SEEK_END));
    GOOD(MPI_File_get_position(f, &at));
    CHECK(at == 2);
    GOOD(MPI_Type_free(&every));
    GOOD(MPI_File_set_size(f, 4 * 2));
    MPI_File longer;
    GOOD(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL, &longer));
    GOOD(MPI_File_get_position(longer, &at));
    CHECK(at == 8);
    GOOD(MPI_File_get_position_shared(longer, &at));
    CHECK(at == 8);
    GOOD(MPI_File_write_ordered(longer, &data, 1, MPI_INT, &s));
    GOOD(MPI_File_iread_at(longer, 8 + 4 * ((rank + 1) % size), &data, 1, MPI_INT, &r));
    GOOD(MPI_Wait(&r, &s));
    CHECK(data == 40 + (rank + 1) % size && count_of(&s, MPI_INT) == 1);
    close_file(&longer);
    close_file(&f);
}

/* ---- views --------------------------------------------------------------------------------------------- */

static void views(void) {
    MPI_File f = open_new(0);
    MPI_Datatype pairs, etype, filetype;
    MPI_Offset at;
    char name[MPI_MAX_DATAREP_STRING];
    GOOD(MPI_Type_vector(2, 1, 3, MPI_INT, &pairs));
    GOOD(MPI_Type_commit(&pairs));
    GOOD(MPI_File_set_view(f, 8, MPI_INT, pairs, "internal", MPI_INFO_NULL));
    GOOD(MPI_File_get_view(f, &at, &etype, &filetype, name));
    CHECK(at == 8 && etype == MPI_INT && strcmp(name, "internal") == 0);
    GOOD(MPI_Type_free(&filetype));
    const MPI_Offset places[] = {8, 20, 24, 36, 40};
    for (int i = 0; i < 5; i++) {
        GOOD(MPI_File_get_byte_offset(f, i, &at));
        CHECK(at == places[i]);
    }
    FAILS(MPI_File_set_view(f, -5, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    FAILS(MPI_File_set_view(f, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    FAILS(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "none such", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP);
    FAILS(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
          MPI_ERR_ARG);
    FAILS(MPI_File_set_view(f, 0, rank ? MPI_INT : MPI_DOUBLE, rank ? MPI_INT : MPI_DOUBLE, "native",
                            MPI_INFO_NULL),
          size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
    GOOD(MPI_Type_free(&pairs));
    /* back in the file; and twice the same place, of which a file that is only read may have several */
    GOOD(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){3, 0}, MPI_INT, &pairs));
    GOOD(MPI_Type_commit(&pairs));
    FAILS(MPI_File_set_view(f, 0, MPI_INT, pairs, "native", MPI_INFO_NULL), MPI_ERR_IO);
    GOOD(MPI_Type_free(&pairs));
    GOOD(MPI_Type_indexed(2, (int[]){3, 1}, (int[]){0, 1}, MPI_INT, &pairs));
    GOOD(MPI_Type_commit(&pairs));
    FAILS(MPI_File_set_view(f, 0, MPI_INT, pairs, "native", MPI_INFO_NULL), MPI_ERR_IO);
    GOOD(MPI_Type_free(&pairs));
    close_file(&f);
}

/* Atomic operations on the same runs, of which there are many: what is there is all of one rank. */
static void atomic_operations(void) {
    enum { RUNS = 32, RUN = 2048, TIMES = 20 };
    static int data[RUNS * RUN], got[RUNS * RUN];
    MPI_File f = open_new(0);
    MPI_Datatype runs;
    GOOD(MPI_Type_vector(RUNS, RUN, RUN + 1, MPI_INT, &runs));
    GOOD(MPI_Type_commit(&runs));
    GOOD(MPI_File_set_view(f, 0, MPI_INT, runs, "native", MPI_INFO_NULL));
    GOOD(MPI_File_set_atomicity(f, 1));
    for (int i = 0; i < RUNS * RUN; i++)
        data[i] = rank;
    for (int t = 0; t < TIMES; t++) {
        GOOD(MPI_Barrier(MPI_COMM_WORLD));
        GOOD(MPI_File_write_at(f, 0, data, RUNS * RUN, MPI_INT, MPI_STATUS_IGNORE));
        GOOD(MPI_File_read_at(f, 0, got, RUNS * RUN, MPI_INT, MPI_STATUS_IGNORE));
        for (int i = 0; i < RUNS * RUN; i++)
            CHECK(got[i] == got[0]);
    }
    GOOD(MPI_Type_free(&runs));
    close_file(&f);
}

/* A view whose data are nowhere at all ranks but one. */
static void empty_views(void) {
    MPI_File f = open_new(0);
    MPI_Datatype none;
    MPI_Status s;
    int data = 7, got = 0;
    GOOD(MPI_Type_contiguous(rank ? 0 : 1, MPI_INT, &none));
    GOOD(MPI_Type_commit(&none));
    GOOD(MPI_File_set_view(f, 0, MPI_INT, none, "native", MPI_INFO_NULL));
    GOOD(MPI_File_write_all(f, &data, rank == 0, MPI_INT, &s));
    GOOD(MPI_File_seek(f, 0, MPI_SEEK_SET));
    GOOD(MPI_File_read_all(f, &got, rank == 0, MPI_INT, &s));
    CHECK(got == (rank ? 0 : 7));
    if (rank)
        FAILS(MPI_File_write(f, &data, 1, MPI_INT, &s), MPI_ERR_IO);
    GOOD(MPI_Type_free(&none));
    close_file(&f);
}

/* ---- representations ----------------------------------------------------------------------------------- */

static int reads, writes;

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *state) {
    CHECK(state == &reads && type == MPI_INT);
    *bytes = 2;
    return MPI_SUCCESS;
}

static int shrink(void *memory, MPI_Datatype type, int count, void *file, MPI_Offset position, void *state) {
    CHECK(type == MPI_INT && position == 0 && state == &reads);
    for (int i = 0; i < count; i++)
        ((short *)file)[i] = (short)((int *)memory)[i];
    writes++;
    return MPI_SUCCESS;
}

static int grow(void *memory, MPI_Datatype type, int count, void *file, MPI_Offset position, void *state) {
    CHECK(type == MPI_INT && position == 0 && state == &reads);
    for (int i = 0; i < count; i++)
        ((int *)memory)[i] = ((short *)file)[i];
    reads++;
    return MPI_SUCCESS;
}

static void representations(void) {
    MPI_File f = open_new(0);
    MPI_Aint bytes;
    MPI_Offset all;
    MPI_Status s;
    int data[2] = {1 + rank, -2}, got[3] = {0};
    unsigned char raw[4];
    GOOD(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    GOOD(MPI_File_write_at_all(f, 2 * rank, data, 2, MPI_INT, &s));
    CHECK(count_of(&s, MPI_INT) == 2);
    GOOD(MPI_File_read_at_all(f, 2 * rank, got, 2, MPI_INT, &s));
    CHECK(got[0] == 1 + rank && got[1] == -2);
    GOOD(MPI_File_seek(f, 2 * size - 1, MPI_SEEK_SET)); /* and read more than there is */
    GOOD(MPI_File_read(f, got, 3, MPI_INT, &s));
    GOOD(MPI_File_get_position(f, &all));
    CHECK(got[0] == -2 && count_of(&s, MPI_INT) == 1 && all == 2 * size);
    GOOD(MPI_File_get_type_extent(f, MPI_LONG, &bytes));
    CHECK(bytes == 4);
    GOOD(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    GOOD(MPI_File_read_at(f, 8 * rank, raw, 4, MPI_BYTE, &s));
    CHECK(raw[0] == 0 && raw[3] == 1 + rank);
    GOOD(MPI_File_get_type_extent(f, MPI_LONG, &bytes));
    CHECK(bytes == sizeof(long));
    /* one of the program's, in which an int has two bytes */
    GOOD(MPI_Register_datarep("short", grow, shrink, extent, &reads));
    FAILS(MPI_Register_datarep("short", grow, shrink, extent, &reads), MPI_ERR_DUP_DATAREP);
    FAILS(MPI_Register_datarep("native", grow, shrink, extent, &reads), MPI_ERR_DUP_DATAREP);
    GOOD(MPI_File_set_size(f, 0));
    GOOD(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "short", MPI_INFO_NULL));
    GOOD(MPI_File_write_ordered(f, data, 2, MPI_INT, &s));
    GOOD(MPI_File_get_size(f, &all));
    CHECK(all == 4 * size && writes == 1 && count_of(&s, MPI_INT) == 2);
    GOOD(MPI_File_read_at(f, 2 * rank, got, 3, MPI_INT, &s));
    CHECK(got[0] == 1 + rank && got[1] == -2 && reads == 1 &&
          count_of(&s, MPI_INT) == (rank < size - 1 ? 3 : 2));
    close_file(&f);
}

/* ---- sizes, hints and the like --------------------------------------------------------------------------
 */

static void state(void) {
    MPI_File f = open_new(0);
    MPI_Group group;
    MPI_Info info;
    MPI_Offset bytes;
    char value[32];
    int n, flag;
    GOOD(MPI_File_set_size(f, 1000));
    GOOD(MPI_File_preallocate(f, 3000));
    GOOD(MPI_File_get_size(f, &bytes));
    CHECK(bytes == 3000);
    GOOD(MPI_File_set_size(f, 10));
    GOOD(MPI_File_get_size(f, &bytes));
    CHECK(bytes == 10);
    FAILS(MPI_File_set_size(f, -1), MPI_ERR_ARG);
    FAILS(MPI_File_set_size(f, rank), size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
    GOOD(MPI_File_get_group(f, &group));
    GOOD(MPI_Group_size(group, &n));
    CHECK(n == size);
    GOOD(MPI_Group_free(&group));
    GOOD(MPI_File_get_amode(f, &n));
    CHECK(n == (MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE));
    GOOD(MPI_File_get_atomicity(f, &flag));
    CHECK(!flag);
    GOOD(MPI_File_set_atomicity(f, 1));
    GOOD(MPI_File_get_atomicity(f, &flag));
    CHECK(flag);
    GOOD(MPI_Info_create(&info));
    GOOD(MPI_Info_set(info, "cb_buffer_size", "8192"));
    GOOD(MPI_Info_set(info, "unknown", "1"));
    GOOD(MPI_File_set_info(f, info));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_File_get_info(f, &info));
    GOOD(MPI_Info_get(info, "cb_buffer_size", 31, value, &flag));
    CHECK(flag && strcmp(value, "8192") == 0);
    GOOD(MPI_Info_get(info, "unknown", 31, value, &flag));
    CHECK(!flag);
    GOOD(MPI_Info_free(&info));
    close_file(&f);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static void errors(void) {
    MPI_File f = MPI_FILE_NULL;
    MPI_Offset at;
    MPI_Datatype etype, filetype;
    char other[420], name[MPI_MAX_DATAREP_STRING];
    int data = 1;
    snprintf(other, sizeof other, "%s-not-there", path);
    FAILS(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_NO_SUCH_FILE);
    CHECK(f == MPI_FILE_NULL);
    FAILS(MPI_File_delete(other, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, "/", MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_BAD_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f),
          MPI_ERR_AMODE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &f),
          MPI_ERR_AMODE);
    if (size > 1) { /* a file is for ranks of one group */
        MPI_Comm half, both;
        GOOD(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half));
        GOOD(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both));
        FAILS(MPI_File_open(both, other, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &f), MPI_ERR_COMM);
        GOOD(MPI_Comm_free(&both));
        GOOD(MPI_Comm_free(&half));
    }
    /* not the same at all ranks, or wrong at one */
    FAILS(MPI_File_open(MPI_COMM_WORLD, other, (rank ? MPI_MODE_WRONLY : MPI_MODE_RDWR) | MPI_MODE_CREATE,
                        MPI_INFO_NULL, &f),
          size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
    if (f != MPI_FILE_NULL)
        close_file(&f);
    FAILS(MPI_File_open(MPI_COMM_WORLD, path, rank == size - 1 ? 0 : MPI_MODE_RDWR | MPI_MODE_CREATE,
                        MPI_INFO_NULL, &f),
          MPI_ERR_AMODE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL,
                        &f),
          MPI_ERR_FILE_EXISTS);
    GOOD(MPI_File_open(MPI_COMM_WORLD, other, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
    FAILS(MPI_File_write_at(f, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_write_all(f, &data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_set_size(f, 4), MPI_ERR_READ_ONLY);
    /* what is only read may be read twice, but not backwards */
    MPI_Datatype twice, back;
    GOOD(MPI_Type_indexed(2, (int[]){3, 1}, (int[]){0, 1}, MPI_INT, &twice));
    GOOD(MPI_Type_commit(&twice));
    GOOD(MPI_File_set_view(f, 0, MPI_INT, twice, "native", MPI_INFO_NULL));
    GOOD(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){3, 0}, MPI_INT, &back));
    GOOD(MPI_Type_commit(&back));
    FAILS(MPI_File_set_view(f, 0, MPI_INT, back, "native", MPI_INFO_NULL), MPI_ERR_IO);
    GOOD(MPI_Type_free(&twice));
    GOOD(MPI_Type_free(&back));
    close_file(&f);
    GOOD(MPI_File_open(MPI_COMM_WORLD, other,
                       MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
    FAILS(MPI_File_read_shared(f, &data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
    FAILS(MPI_File_write_at(f, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_OPERATION);
    GOOD(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    if (rank == size - 1)
        usleep(20000);
    GOOD(MPI_File_write_shared(f, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    GOOD(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    GOOD(MPI_File_get_view(f, &at, &etype, &filetype, name));
    CHECK(at == 4 * size); /* behind what all have written */
    close_file(&f);
}

/* A full disk is an error at all ranks, however the data come to it. */
static void full(void) {
    static const char *const ways[] = {"enable", "disable"};
    MPI_Datatype filetype;
    int data[100] = {0};
    GOOD(MPI_Type_vector(100, 1, size, MPI_INT, &filetype));
    GOOD(MPI_Type_commit(&filetype));
    for (int i = 0; i < 2; i++) {
        MPI_File f;
        MPI_Info info;
        GOOD(MPI_Info_create(&info));
        GOOD(MPI_Info_set(info, "romio_cb_write", ways[i]));
        GOOD(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_RDWR, info, &f));
        GOOD(MPI_Info_free(&info));
        FAILS(MPI_File_write_all(f, data, rank == 0, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
        GOOD(MPI_File_set_view(f, 4 * rank, MPI_INT, filetype, "native", MPI_INFO_NULL));
        FAILS(MPI_File_write_all(f, data, 100, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
        FAILS(MPI_File_write(f, data, 100, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
        close_file(&f);
    }
    GOOD(MPI_Type_free(&filetype));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(argc == 2);
    snprintf(path, sizeof path, "%s/files-%d-%d.data", argv[1], size, (int)getppid());
    GOOD(MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD)); /* each node has a launcher of its own */
    individual_pointers();
    shared_pointer();
    ends();
    views();
    empty_views();
    atomic_operations();
    representations();
    state();
    errors();
    full();
    MPI_Finalize();
    return EXIT_SUCCESS;
}
