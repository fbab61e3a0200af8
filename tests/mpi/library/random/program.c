/* The program of one thread of each rank. Communicators come and go: copies, parts, and parts in another
 * order; and with them windows and files. */

#include "beside.h"

#include <stdbool.h>

enum { COMMS = 6, WINDOWS = 3, FILES = 2 };

struct program {
    struct world w, all[COMMS];
    MPI_Comm comms[COMMS]; /* the first is the program's */
    struct window *window[WINDOWS];
    struct file *file[FILES];
    const char *folder;
};

/* A communicator of every rank's: a copy of another one, its ranks in another order, or this rank's part of
 * it. */
static MPI_Comm make_comm(struct rng *r, MPI_Comm of) {
    MPI_Comm comm;
    int rank, parts = 1 + rng_below(r, 3), backwards = rng_below(r, 2), kind = rng_below(r, 2);
    GOOD(MPI_Comm_rank(of, &rank));
    if (kind == 0)
        GOOD(MPI_Comm_dup(of, &comm));
    else
        GOOD(MPI_Comm_split(of, rank % parts, backwards ? -rank : rank, &comm));
    return comm;
}

/* Take a step with a window, or a file. It has random numbers of its own. */
static void step_beside(struct program *p) {
    struct rng r = rng_for(p->w.seed, (uint64_t)p->w.round, 8, 8);
    int i = rng_below(&r, WINDOWS + (p->folder ? FILES : 0)), renews = rng_below(&r, 10) == 0;
    const struct world *of = &p->all[rng_below(&r, COMMS)];
    if (i < WINDOWS) {
        if (p->window[i] && renews) {
            window_end(p->window[i], p->w.round);
            p->window[i] = NULL;
        }
        if (!p->window[i])
            p->window[i] = window_make(of);
        window_step(p->window[i], p->w.round);
        return;
    }
    struct file **file = &p->file[i - WINDOWS];
    if (*file && renews) {
        file_end(*file, p->w.round);
        *file = NULL;
    }
    if (!*file)
        *file = file_make(of, p->folder);
    file_step(*file, p->w.round);
}

static void one_round(struct program *p, int i) {
    for (int k = 0; k < COMMS; k++)
        p->all[k] = world_of(&p->w, p->comms[k]);
    /* parts of a split differ in size: each goes on with random numbers of its own, the same at its ranks */
    p->all[i].all = rng_for(p->w.seed, (uint64_t)p->w.round, 77, (uint64_t)p->all[i].size);
    switch (rng_below(&p->w.all, 3)) {
    case 0:
        messages_round(&p->all[i]);
        break;
    case 1:
        collective_round(&p->all[i]);
        break;
    default:
        several_round(p->all, COMMS);
    }
    if (p->w.round % 2)
        step_beside(p);
}

void program_run(const struct world *w, int rounds, const char *folder) {
    struct program p = {.w = *w, .comms = {w->comm}, .folder = folder};
    p.w.all = rng_for(w->seed, 1, 2, 3);
    for (int i = 1; i < COMMS; i++)
        p.comms[i] = make_comm(&p.w.all, w->comm);
    for (p.w.round = 0; p.w.round < rounds; p.w.round++) {
        int i = rng_below(&p.w.all, COMMS);
        if (i && rng_below(&p.w.all, 8) == 0) {
            GOOD(MPI_Comm_free(&p.comms[i]));
            p.comms[i] = make_comm(&p.w.all, p.comms[rng_below(&p.w.all, i)]);
        }
        one_round(&p, i);
    }
    for (int i = 0; i < WINDOWS; i++)
        if (p.window[i])
            window_end(p.window[i], rounds);
    for (int i = 0; i < FILES; i++)
        if (p.file[i])
            file_end(p.file[i], rounds);
    for (int i = 1; i < COMMS; i++)
        GOOD(MPI_Comm_free(&p.comms[i]));
}
