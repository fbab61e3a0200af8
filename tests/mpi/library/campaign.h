/* The command line of a random program: [--seed NUMBER|time] [--rounds NUMBER] [--tells 1]. */

#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "mpi_check.h"

#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct campaign {
    uint64_t seed;
    int rounds;
    int tells; /* --tells 1 */
};

/* Return the word behind an option; or NULL. */
static inline const char *campaign_option(int argc, char **argv, const char *name) {
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0)
            return argv[i + 1];
    return NULL;
}

/* Announce the rank if it is told to; called first. A test that disturbs the ranks
 * (tests/launch/disturbed.py) has them print their job and their process first, at the end that they are
 * done, and nothing else. */
static inline int campaign_tells(int argc, char **argv) {
    int tells = campaign_option(argc, argv, "--tells") != NULL;
    if (tells) {
        printf("%s %d\n", getenv("UNISONO_JOB"), (int)getpid());
        fflush(stdout);
    }
    return tells;
}

/* Read the command line; called after MPI_Init, with the same result at all ranks. Rank 0 prints the seed,
 * which repeats the run. */
static inline struct campaign campaign_of(int argc, char **argv, int rounds) {
    const char *seed = campaign_option(argc, argv, "--seed"),
               *given = campaign_option(argc, argv, "--rounds");
    struct campaign c = {.seed = 1, .rounds = given ? atoi(given) : rounds};
    int rank;
    c.tells = campaign_option(argc, argv, "--tells") != NULL;
    if (seed)
        c.seed = strcmp(seed, "time") ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    GOOD(MPI_Bcast(&c.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    if (rank == 0 && !c.tells)
        printf("seed %llu\n", (unsigned long long)c.seed);
    return c;
}

#endif
