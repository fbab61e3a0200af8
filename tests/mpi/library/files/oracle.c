/* Random programs of files, against a model of the file in memory: oracle FILE SEED ROUNDS. The ranks draw
 * the same numbers, so each knows what all of them do. The cells of a period belong each to one rank, or to
 * none, so the views of the ranks overlap nowhere; what a rank writes, and reads, goes by one of all calls.
 */

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "mpi/library/mpi_check.h"

enum { RANKS = 16, CELLS = 64, ROOM = 4 << 20, MOST = 4096 };

static int rank, size;
static uint64_t state;
static unsigned char model[ROOM], before[ROOM];
static MPI_Offset end; /* of the model */

static unsigned draw(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* ---- views --------------------------------------------------------------------------------------------- */

/* The cells of a period: where each begins, and whose it is; -1: nobody's. */
struct period {
    int cells, begin[CELLS + 1], owner[CELLS];
    MPI_Offset start;
};

static struct period draw_period(void) {
    struct period p = {.cells = 1 + (int)draw(CELLS), .start = (MPI_Offset)draw(300)};
    int most = draw(3) ? 40 : 9000, holes = (int)draw(2), whole = !draw(4);
    for (int i = 0; i < p.cells; i++) {
        p.begin[i + 1] = p.begin[i] + 4 * (1 + (int)draw((unsigned)most / 4));
        p.owner[i] = whole ? i % size : (int)draw((unsigned)(size + holes)) - holes;
    }
    return p;
}

/* Return the place in the file of byte `at` of a rank's data; -1: it has none. */
static MPI_Offset place_of(const struct period *p, int of, MPI_Offset at) {
    MPI_Offset bytes = 0;
    for (int i = 0; i < p->cells; i++)
        bytes += p->owner[i] == of ? p->begin[i + 1] - p->begin[i] : 0;
    if (!bytes)
        return -1;
    MPI_Offset tile = at / bytes, left = at % bytes;
    for (int i = 0;; i++) {
        int length = p->begin[i + 1] - p->begin[i];
        if (p->owner[i] != of)
            continue;
        if (left < length)
            return p->start + tile * p->begin[p->cells] + p->begin[i] + left;
        left -= length;
    }
}

static MPI_Datatype filetype_of(const struct period *p) {
    int lengths[CELLS], n = 0;
    MPI_Aint begins[CELLS];
    MPI_Datatype cells, made;
    for (int i = 0; i < p->cells; i++)
        if (p->owner[i] == rank) {
            lengths[n] = (p->begin[i + 1] - p->begin[i]) / 4;
            begins[n++] = p->begin[i];
        }
    GOOD(MPI_Type_create_hindexed(n, lengths, begins, MPI_INT, &cells));
    GOOD(MPI_Type_create_resized(cells, 0, p->begin[p->cells], &made));
    GOOD(MPI_Type_commit(&made));
    GOOD(MPI_Type_free(&cells));
    return made;
}

/* ---- data ---------------------------------------------------------------------------------------------- */

/* The data of one rank in a call: `count` int behind `at` of them; in memory they are `step` int apart. */
struct part {
    int count, step;
    MPI_Offset at;
};

static int value_of(unsigned call, int of, int i) {
    return (int)(call * 2654435761u + (unsigned)of * 40503u + (unsigned)i * 97u + 1);
}

/* ---- calls --------------------------------------------------------------------------------------------- */

enum way { AT, AT_ALL, OWN, OWN_ALL, IAT, IOWN_ALL, SPLIT_AT, SPLIT_OWN, WAYS };

static int by_pointer(enum way way) {
    return way == OWN || way == OWN_ALL || way == IOWN_ALL || way == SPLIT_OWN;
}

#define DO(moves, address)                                                                                   \
    static void do_##moves(MPI_File f, enum way way, MPI_Offset at, address data, MPI_Datatype type,         \
                           MPI_Status *s) {                                                                  \
        MPI_Request r = MPI_REQUEST_NULL;                                                                    \
        if (by_pointer(way))                                                                                 \
            GOOD(MPI_File_seek(f, at, MPI_SEEK_SET));                                                        \
        if (way == AT)                                                                                       \
            GOOD(MPI_File_##moves##_at(f, at, data, 1, type, s));                                            \
        else if (way == AT_ALL)                                                                              \
            GOOD(MPI_File_##moves##_at_all(f, at, data, 1, type, s));                                        \
        else if (way == OWN)                                                                                 \
            GOOD(MPI_File_##moves(f, data, 1, type, s));                                                     \
        else if (way == OWN_ALL)                                                                             \
            GOOD(MPI_File_##moves##_all(f, data, 1, type, s));                                               \
        else if (way == IAT)                                                                                 \
            GOOD(MPI_File_i##moves##_at(f, at, data, 1, type, &r));                                          \
        else if (way == IOWN_ALL)                                                                            \
            GOOD(MPI_File_i##moves##_all(f, data, 1, type, &r));                                             \
        else if (way == SPLIT_AT)                                                                            \
            GOOD(MPI_File_##moves##_at_all_begin(f, at, data, 1, type));                                     \
        else                                                                                                 \
            GOOD(MPI_File_##moves##_all_begin(f, data, 1, type));                                            \
        if (way == IAT || way == IOWN_ALL)                                                                   \
            GOOD(MPI_Wait(&r, s));                                                                           \
        else if (way == SPLIT_AT)                                                                            \
            GOOD(MPI_File_##moves##_at_all_end(f, data, s));                                                 \
        else if (way == SPLIT_OWN)                                                                           \
            GOOD(MPI_File_##moves##_all_end(f, data, s));                                                    \
    }
DO(write, const int *)
DO(read, int *)

/* ---- one round ----------------------------------------------------------------------------------------- */

/* Draw each rank's part of a call, so that all of it lies within the model. */
static void draw_parts(const struct period *p, struct part *parts) {
    int most = draw(2) ? 20 : MOST;
    for (int r = 0; r < size; r++) {
        parts[r] = (struct part){
            .at = draw(400), .step = draw(2) ? 1 : 1 + (int)draw(3), .count = (int)draw((unsigned)most)};
        MPI_Offset last = 4 * (parts[r].at + parts[r].count);
        if (draw(8) == 0 || place_of(p, r, last) < 0 || place_of(p, r, last) >= ROOM)
            parts[r].count = 0;
    }
}

static void write_model(const struct period *p, const struct part *parts, unsigned call) {
    for (int r = 0; r < size; r++)
        for (int i = 0; i < parts[r].count; i++) {
            int value = value_of(call, r, i);
            for (int b = 0; b < 4; b++) {
                MPI_Offset place = place_of(p, r, 4 * (parts[r].at + i) + b);
                model[place] = ((unsigned char *)&value)[b];
                end = place >= end ? place + 1 : end;
            }
        }
}

/* Return how many int of this rank's part are in the file, and check that they are right. */
static void check_read(const struct period *p, const struct part *part, const int *data, MPI_Status *s) {
    int bytes, n = 0;
    for (; n < 4 * part->count && place_of(p, rank, 4 * part->at + n) < end; n++) {
        unsigned char got = ((const unsigned char *)(data + (n / 4) * part->step))[n % 4];
        CHECK(got == model[place_of(p, rank, 4 * part->at + n)]);
    }
    GOOD(MPI_Get_count(s, MPI_BYTE, &bytes));
    CHECK(bytes == n);
}

/* The type of a part's data in memory. */
static MPI_Datatype type_of(const struct part *part) {
    MPI_Datatype made;
    GOOD(MPI_Type_vector(part->count, 1, part->step, MPI_INT, &made));
    GOOD(MPI_Type_commit(&made));
    return made;
}

/* Write, and read something else, which may lie between what has been written, or behind the end. */
static void one_round(MPI_File f, unsigned call) {
    static int data[3 * MOST];
    struct period p = draw_period();
    struct part parts[RANKS], *mine = &parts[rank];
    MPI_Datatype filetype = filetype_of(&p), type;
    MPI_Status s;
    int bytes;
    GOOD(MPI_File_set_view(f, p.start, MPI_INT, filetype, "native", MPI_INFO_NULL));
    draw_parts(&p, parts);
    for (int i = 0; i < mine->count; i++)
        data[i * mine->step] = value_of(call, rank, i);
    type = type_of(mine);
    do_write(f, (enum way)draw(WAYS), mine->at, data, type, &s);
    GOOD(MPI_Type_free(&type));
    GOOD(MPI_Get_count(&s, MPI_BYTE, &bytes));
    CHECK(bytes == 4 * mine->count);
    write_model(&p, parts, call);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    draw_parts(&p, parts);
    memset(data, 0x55, sizeof data);
    type = type_of(mine);
    do_read(f, (enum way)draw(WAYS), mine->at, data, type, &s);
    check_read(&p, mine, data, &s);
    GOOD(MPI_Type_free(&type));
    GOOD(MPI_Type_free(&filetype));
}

/* Compare all of the file with the model. */
static void compare(MPI_File f) {
    MPI_Offset bytes;
    MPI_Status s;
    GOOD(MPI_File_sync(f));
    GOOD(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    GOOD(MPI_File_get_size(f, &bytes));
    CHECK(bytes == end);
    GOOD(MPI_File_read_at_all(f, 0, before, (int)end, MPI_BYTE, &s));
    CHECK(memcmp(before, model, (size_t)end) == 0);
}

/* Open it, with hints that make a difference: small windows, and data exchanged or not. */
static MPI_File open_file(const char *path) {
    static const char *const exchange[] = {"automatic", "enable", "disable"};
    MPI_Info info;
    MPI_File f;
    GOOD(MPI_Info_create(&info));
    GOOD(MPI_Info_set(info, "cb_buffer_size", draw(2) ? "4096" : "50000"));
    GOOD(MPI_Info_set(info, "romio_cb_write", exchange[draw(3)]));
    GOOD(MPI_Info_set(info, "romio_cb_read", exchange[draw(3)]));
    GOOD(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                       &f));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_File_set_size(f, 0)); /* a test that has failed may have left it */
    GOOD(MPI_File_set_atomicity(f, draw(4) == 0));
    memset(model, 0, sizeof model);
    end = 0;
    return f;
}

int main(int argc, char **argv) {
    MPI_File f = MPI_FILE_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(argc == 4 && size <= RANKS);
    state = (uint64_t)(strcmp(argv[2], "time") ? atoll(argv[2]) : time(NULL));
    GOOD(MPI_Bcast(&state, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD));
    if (rank == 0)
        printf("files: seed %llu\n", (unsigned long long)state);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    for (int round = 0, rounds = atoi(argv[3]); round < rounds; round++) {
        if (round % 20 == 0)
            f = open_file(argv[1]);
        one_round(f, (unsigned)round);
        if (round % 20 == 19 || round == rounds - 1) {
            compare(f);
            GOOD(MPI_File_close(&f));
        }
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
