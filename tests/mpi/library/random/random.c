/* random --seed S --rounds N [--tells 1] [--folder F] [--threads T] [--refused 1]: see random.h. With a
 * folder the program has files there. With threads so many of each rank run a program each, at the same time,
 * in communicators of their own. Refused: the kernel copies nothing between processes. */

#include "../window/refuse.h"

#include "random.h"

#include "../campaign.h"

#include <pthread.h>

enum { MOST_THREADS = 16 };

struct thread {
    pthread_t id;
    struct world w;
    int rounds;
    const char *folder;
};

static void *run(void *argument) {
    const struct thread *t = argument;
    program_run(&t->w, t->rounds, t->folder);
    return NULL;
}

/* The first thread is this one. */
static void run_threads(struct thread *thread, int count) {
    for (int i = 1; i < count; i++)
        CHECK(pthread_create(&thread[i].id, NULL, run, &thread[i]) == 0);
    run(thread);
    for (int i = 1; i < count; i++)
        CHECK(pthread_join(thread[i].id, NULL) == 0);
}

int main(int argc, char **argv) {
    struct thread thread[MOST_THREADS];
    const char *folder = campaign_option(argc, argv, "--folder"),
               *given = campaign_option(argc, argv, "--threads");
    int tells = campaign_tells(argc, argv), count = given ? atoi(given) : 1, provided;
    int level = given ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    refused = campaign_option(argc, argv, "--refused") != NULL;
    GOOD(MPI_Init_thread(&argc, &argv, level, &provided));
    CHECK(provided >= level && count > 0 && count <= MOST_THREADS);
    struct campaign campaign = campaign_of(argc, argv, 300);
    for (int i = 0; i < count; i++) {
        struct rng seeds = rng_for(campaign.seed, (uint64_t)i, 10, 11);
        MPI_Comm comm = MPI_COMM_WORLD;
        if (i)
            GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        thread[i] = (struct thread){.rounds = campaign.rounds, .folder = folder};
        thread[i].w.seed = i ? rng_next(&seeds) : campaign.seed;
        thread[i].w = world_of(&thread[i].w, comm);
    }
    run_threads(thread, count);
    for (int i = 1; i < count; i++)
        GOOD(MPI_Comm_free(&thread[i].w.comm));
    CHECK(!refused || !copies);
    if (tells)
        printf("done\n");
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
