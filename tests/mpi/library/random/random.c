/* random --seed S --rounds N [--tells 1]: see random.h. Communicators come and go: copies, parts, and parts
 * in another order. */

#include "random.h"

#include "../campaign.h"

#include <string.h>

enum { COMMS = 6 };

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

static struct world world_of(const struct world *w, MPI_Comm comm) {
    struct world made = *w;
    made.comm = comm;
    GOOD(MPI_Comm_rank(comm, &made.rank));
    GOOD(MPI_Comm_size(comm, &made.size));
    return made;
}

int main(int argc, char **argv) {
    struct world w, all[COMMS];
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    int tells = campaign_tells(argc, argv);
    GOOD(MPI_Init(&argc, &argv));
    struct campaign campaign = campaign_of(argc, argv, 300);
    w = (struct world){.seed = campaign.seed};
    w.all = rng_for(w.seed, 1, 2, 3);
    for (int i = 1; i < COMMS; i++)
        comms[i] = make_comm(&w.all, MPI_COMM_WORLD);
    for (w.round = 0; w.round < campaign.rounds; w.round++) {
        int i = rng_below(&w.all, COMMS);
        if (i && rng_below(&w.all, 8) == 0) {
            GOOD(MPI_Comm_free(&comms[i]));
            comms[i] = make_comm(&w.all, comms[rng_below(&w.all, i)]);
        }
        for (int k = 0; k < COMMS; k++)
            all[k] = world_of(&w, comms[k]);
        /* parts of a split differ in size: each goes on with random numbers of its own, the same at its ranks
         */
        all[i].all = rng_for(w.seed, (uint64_t)w.round, 77, (uint64_t)all[i].size);
        switch (rng_below(&w.all, 3)) {
        case 0:
            messages_round(&all[i]);
            break;
        case 1:
            collective_round(&all[i]);
            break;
        default:
            several_round(all, COMMS);
        }
    }
    for (int i = 1; i < COMMS; i++)
        GOOD(MPI_Comm_free(&comms[i]));
    if (tells)
        printf("done\n");
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
