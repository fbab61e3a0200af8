/* A permutation as a program does it by MPI: it packs the elements into a buffer for each rank, each with the
 * place where it goes; exchanges the buffers by MPI_Alltoallv; and unpacks the received ones. No rank knows
 * the numbers of elements that the others send, so these go first. */

#include "mpi_permute.h"

#include <mpi.h>
#include <stdlib.h>

enum {
    WORDS = 2,  /* of an element with its place */
    AHEAD = 32, /* elements that are asked for before they are stored */
};

struct pair {
    uint64_t place, value;
};

/* Memory for pairs, as many as a part has elements; kept for the next operation. */
static struct pair *room[2];
static size_t room_for;

static void make_room(size_t words) {
    for (int i = 0; i < 2 && words > room_for; i++) {
        free(room[i]);
        room[i] = malloc(words * sizeof *room[i]);
        if (!room[i])
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    room_for = words > room_for ? words : room_for;
}

/* Words to each rank and from each, and where their buffers start. */
struct sizes {
    int to[BENCH_MAX_PES], to_at[BENCH_MAX_PES], from[BENCH_MAX_PES], from_at[BENCH_MAX_PES];
};

static void count(const struct bench_work *w, size_t words, int shift, struct sizes *s) {
    *s = (struct sizes){.to = {0}};
    for (size_t i = 0; i < words; i++)
        s->to[w->index[i] >> shift] += WORDS;
    MPI_Alltoall(s->to, 1, MPI_INT, s->from, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 1; r < w->n; r++) {
        s->to_at[r] = s->to_at[r - 1] + s->to[r - 1];
        s->from_at[r] = s->from_at[r - 1] + s->from[r - 1];
    }
}

static void pack(const struct bench_work *w, size_t words, int shift, const struct sizes *s) {
    struct pair *next[BENCH_MAX_PES];
    const uint64_t *in = w->in;
    for (int r = 0; r < w->n; r++)
        next[r] = room[0] + s->to_at[r] / WORDS;
    for (size_t i = 0; i < words; i++)
        *next[w->index[i] >> shift]++ = (struct pair){w->index[i], in[i]};
}

static void unpack(const struct bench_work *w, size_t words) {
    uint64_t *out = w->out, first = (uint64_t)w->me * words;
    const struct pair *in = room[1];
    for (size_t i = 0; i < words; i++) {
        __builtin_prefetch(&out[in[i + AHEAD < words ? i + AHEAD : i].place - first], 1);
        out[in[i].place - first] = in[i].value;
    }
}

void mpi_permute(const struct bench_work *w) {
    size_t words = w->bytes / sizeof *w->index;
    int shift = __builtin_ctzll(words); /* parts are powers of 2 */
    struct sizes s;
    make_room(words);
    for (int i = 0; i < w->count; i++) {
        count(w, words, shift, &s);
        pack(w, words, shift, &s);
        MPI_Alltoallv(room[0], s.to, s.to_at, MPI_UINT64_T, room[1], s.from, s.from_at, MPI_UINT64_T,
                      MPI_COMM_WORLD);
        unpack(w, words);
    }
}
