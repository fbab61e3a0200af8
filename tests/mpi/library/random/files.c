/* Files: what their calls are, and what a serial program would have written and read. */

#include "files.h"

#include <string.h>
#include <unistd.h>

static bool by_shared_pointer(const struct file *f) {
    return f->way == SHARED || f->way == ORDERED;
}

/* ---- views ------------------------------------------------------------------------------------------- */

/* Return where in the file word i of a rank's part is. */
static int place_of(const struct view *v, int rank, int i) {
    int at = v->at[rank] + i, tile = at / v->length[rank], left = at % v->length[rank];
    return v->start + tile * v->period + v->begins[rank] + left;
}

/* The words of a period belong to one rank after the other, from a random one on. */
static void draw_view(struct file *f, struct rng *r) {
    struct view *v = &f->view;
    int size = f->w.size, first = rng_below(r, size), longest = rng_below(r, 2) ? 3 : 40;
    int most = rng_below(r, 2) ? 30 : MOST_WORDS;
    *v = (struct view){.start = rng_below(r, 100)};
    for (int i = 0; i < size; i++) {
        int rank = (first + i) % size;
        v->length[rank] = 1 + rng_below(r, longest);
        v->begins[rank] = v->period;
        v->period += v->length[rank] + rng_below(r, 2);
    }
    for (int rank = 0; rank < size; rank++) {
        v->at[rank] = rng_below(r, 50);
        v->n[rank] = rng_below(r, 8) ? rng_below(r, most) : 0;
        if (place_of(v, rank, v->n[rank]) >= ROOM)
            v->n[rank] = 0;
    }
}

/* By the pointer that all share one rank after the other has some words: as many as all others, if nobody
 * knows who comes first. */
static void draw_shared(struct file *f, struct rng *r) {
    struct view *v = &f->view;
    int behind = v->at[0] = rng_below(r, 300), n = rng_below(r, 100);
    for (int rank = 0; rank < f->w.size; rank++) {
        v->n[rank] = f->way == SHARED ? n : rng_below(r, 100);
        v->at[rank] = behind;
        behind += v->n[rank];
        v->begins[rank] = 0;
        v->length[rank] = v->period = ROOM;
    }
}

static MPI_Datatype filetype_of(const struct file *f) {
    const struct view *v = &f->view;
    MPI_Datatype words, made;
    MPI_Aint begins = (MPI_Aint)sizeof(word) * v->begins[f->w.rank];
    GOOD(MPI_Type_create_hindexed(1, &v->length[f->w.rank], &begins, MPI_UINT32_T, &words));
    GOOD(MPI_Type_create_resized(words, 0, (MPI_Aint)sizeof(word) * v->period, &made));
    GOOD(MPI_Type_commit(&made));
    GOOD(MPI_Type_free(&words));
    return made;
}

/* ---- beginning --------------------------------------------------------------------------------------- */

static void set_size(struct file *f, int words) {
    GOOD(MPI_File_set_size(f->handle, (MPI_Offset)sizeof(word) * words));
    for (int i = words; i < f->end; i++)
        f->model[i] = 0;
    f->end = words;
}

static void draw_call(struct file *f, struct rng *r) {
    static const bool has[WAYS][BEGINNINGS] = {
        [AT] = {true, true, false},     [AT_ALL] = {true, true, true},  [OWN] = {true, true, false},
        [OWN_ALL] = {true, true, true}, [SHARED] = {true, true, false}, [ORDERED] = {true, false, true}};
    f->writes = rng_below(r, 2);
    f->way = (enum way)rng_below(r, WAYS);
    do
        f->begun = (enum begun)rng_below(r, BEGINNINGS);
    while (!has[f->way][f->begun]);
    draw_view(f, r);
    if (by_shared_pointer(f))
        draw_shared(f, r);
}

static void begin(struct file *f) {
    struct rng r = rng_for(f->w.seed, (uint64_t)f->w.round, 95, (uint64_t)f->w.size);
    int rank = f->w.rank;
    if (rng_below(&r, 10) == 0)
        set_size(f, rng_below(&r, 3000));
    draw_call(f, &r);
    f->step = 1 + (rng_below(&r, 2) + rank) % 2;
    f->data = malloc((size_t)(2 * MOST_WORDS) * sizeof(word));
    for (int i = 0; i < 2 * MOST_WORDS; i++)
        f->data[i] = UNTOUCHED;
    for (int i = 0; i < f->view.n[rank] && f->writes; i++)
        f->data[i * f->step] = value_of(&f->w, rank, i);
    GOOD(MPI_Type_create_resized(MPI_UINT32_T, 0, (MPI_Aint)sizeof(word) * f->step, &f->type));
    GOOD(MPI_Type_commit(&f->type));
    f->filetype = filetype_of(f);
    f->request = MPI_REQUEST_NULL;
    GOOD(MPI_File_set_view(f->handle, (MPI_Offset)sizeof(word) * f->view.start, MPI_UINT32_T, f->filetype,
                           "native", MPI_INFO_NULL));
    file_begin_call(f);
    GOOD(MPI_Type_free(&f->type)); /* the call holds what it needs */
    GOOD(MPI_Type_free(&f->filetype));
}

/* ---- ending ------------------------------------------------------------------------------------------ */

static void write_model(struct file *f, int place, word value) {
    f->model[place] = value;
    f->end = place >= f->end ? place + 1 : f->end;
}

/* Find out in which order the ranks have come: what each has written is there once, as a whole. */
static void learn_order(struct file *f) {
    const struct view *v = &f->view;
    int n = v->n[0], all = n * f->w.size;
    word *got = malloc((size_t)(all + 1) * sizeof(word));
    bool came[MOST_RANKS] = {false};
    GOOD(MPI_File_read_at(f->handle, v->at[0], got, all, MPI_UINT32_T, MPI_STATUS_IGNORE));
    for (int turn = 0; turn < f->w.size; turn++) {
        int rank = 0;
        while (rank < f->w.size && (came[rank] || (n && got[turn * n] != value_of(&f->w, rank, 0))))
            rank++;
        CHECK(rank < f->w.size);
        came[rank] = true;
        for (int i = 0; i < n; i++) {
            CHECK(got[turn * n + i] == value_of(&f->w, rank, i));
            write_model(f, v->start + v->at[0] + turn * n + i, got[turn * n + i]);
        }
    }
    free(got);
}

static void end_write(struct file *f) {
    const struct view *v = &f->view;
    int count;
    GOOD(MPI_Get_count(&f->status, MPI_UINT32_T, &count));
    CHECK(count == v->n[f->w.rank]);
    GOOD(MPI_Barrier(f->w.comm)); /* all have written */
    if (f->way == SHARED) {
        learn_order(f);
        return;
    }
    for (int rank = 0; rank < f->w.size; rank++)
        for (int i = 0; i < v->n[rank]; i++)
            write_model(f, place_of(v, rank, i), value_of(&f->w, rank, i));
}

/* Return how many words of a rank's part are in the file. */
static int there(const struct file *f, int rank) {
    int n = 0;
    while (n < f->view.n[rank] && place_of(&f->view, rank, n) < f->end)
        n++;
    return n;
}

/* By the shared pointer each has got other words: the sum of all is that of the file. */
static void compare_sums(const struct file *f, int count) {
    uint64_t sums[2] = {0, (uint64_t)count}, expected[2] = {0, 0};
    for (int i = 0; i < count; i++)
        sums[0] += f->data[i * f->step];
    for (int rank = 0; rank < f->w.size; rank++)
        for (int i = 0; i < there(f, rank); i++, expected[1]++)
            expected[0] += f->model[place_of(&f->view, rank, i)];
    GOOD(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, f->w.comm));
    CHECK(sums[0] == expected[0] && sums[1] == expected[1]);
}

static void end_read(struct file *f) {
    int count, rank = f->w.rank;
    GOOD(MPI_Get_count(&f->status, MPI_UINT32_T, &count));
    if (f->way == SHARED) {
        compare_sums(f, count);
    } else {
        CHECK(count == there(f, rank));
        for (int i = 0; i < count; i++)
            CHECK(f->data[i * f->step] == f->model[place_of(&f->view, rank, i)]);
    }
    for (int i = 0; i < count && f->step == 2; i++)
        CHECK(f->data[2 * i + 1] == UNTOUCHED);
    CHECK(f->data[count * f->step] == UNTOUCHED);
}

static void end(struct file *f) {
    MPI_Offset at;
    file_end_call(f);
    if (f->writes)
        end_write(f);
    else
        end_read(f);
    free(f->data);
    GOOD(MPI_Barrier(f->w.comm)); /* the next call may change what this one has read */
    if (by_shared_pointer(f)) {
        const struct view *v = &f->view;
        int last = f->w.size - 1, behind = v->at[last] + v->n[last], most = f->end - v->start;
        GOOD(MPI_File_get_position_shared(f->handle, &at));
        CHECK(at == behind || (!f->writes && at <= behind && at >= most));
    }
    f->open = false;
}

/* ---- the file ---------------------------------------------------------------------------------------- */

struct file *file_make(const struct world *of, const char *folder) {
    static const char *const exchange[] = {"automatic", "enable", "disable"};
    struct file *f = calloc(1, sizeof *f);
    struct rng r = rng_for(of->seed, (uint64_t)of->round, 94, (uint64_t)of->size);
    char path[400];
    MPI_Comm comm;
    MPI_Info info;
    GOOD(MPI_Comm_dup(of->comm, &comm));
    f->w = world_of(of, comm);
    f->model = calloc(ROOM + MOST_WORDS, sizeof *f->model);
    snprintf(path, sizeof path, "%s/random-%d-%p", folder, (int)getpid(), (void *)f);
    GOOD(MPI_Bcast(path, sizeof path, MPI_CHAR, 0, comm));
    GOOD(MPI_Info_create(&info));
    GOOD(MPI_Info_set(info, "cb_buffer_size", rng_below(&r, 2) ? "512" : "20000"));
    GOOD(MPI_Info_set(info, "romio_cb_write", exchange[rng_below(&r, 3)]));
    GOOD(MPI_Info_set(info, "romio_cb_read", exchange[rng_below(&r, 3)]));
    GOOD(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       info, &f->handle));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_File_set_atomicity(f->handle, rng_below(&r, 4) == 0));
    return f;
}

void file_step(struct file *f, int round) {
    if (f->open) {
        end(f);
        return;
    }
    f->w.round = round;
    begin(f);
    f->open = true;
}

/* Compare all of it, which has been brought to the disk. */
static void compare(struct file *f) {
    MPI_Offset bytes;
    word *got = malloc((size_t)(f->end + 1) * sizeof(word));
    GOOD(MPI_File_sync(f->handle));
    GOOD(MPI_File_set_view(f->handle, 0, MPI_UINT32_T, MPI_UINT32_T, "native", MPI_INFO_NULL));
    GOOD(MPI_File_get_size(f->handle, &bytes));
    CHECK(bytes == (MPI_Offset)sizeof(word) * f->end);
    GOOD(MPI_File_read_at_all(f->handle, 0, got, f->end, MPI_UINT32_T, MPI_STATUS_IGNORE));
    CHECK(memcmp(got, f->model, (size_t)f->end * sizeof(word)) == 0);
    free(got);
}

void file_end(struct file *f, int round) {
    if (!f->open)
        file_step(f, round);
    end(f);
    compare(f);
    GOOD(MPI_File_close(&f->handle));
    CHECK(f->handle == MPI_FILE_NULL);
    GOOD(MPI_Comm_free(&f->w.comm));
    free(f->model);
    free(f);
}
