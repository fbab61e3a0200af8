/* What the environment asks of the accelerator. Rank 0's settings hold for all ranks. */

#ifndef UNO_SETTINGS_H
#define UNO_SETTINGS_H

#include <stdbool.h>

enum { UNO_SETTINGS_LISTED = 256 };

struct uno_settings {
    bool off;       /* UNISONO_MPI=off */
    bool check;     /* UNISONO_MPI_CHECK=1: each accelerated collective also goes through the host */
    bool fast_math; /* UNISONO_MPI_FAST_MATH=1: floating-point numbers may be combined in any order */
    bool tolerant;  /* the host was told to go on when a process has ended (ULFM) */
    bool profile;   /* UNISONO_MPI_PROFILE=FILE */
    /* UNISONO_MPI_NODES=K, K:cyclic, or as in 0,1,1,0 the node of each rank */
    int nodes;   /* to pretend that there are so many; 0: those that there are */
    bool cyclic; /* ranks are dealt out one by one, not in blocks */
    bool listed; /* as in `node` */
    short node[UNO_SETTINGS_LISTED];
};

/* Of the process; read only after uno_settings_set. */
extern struct uno_settings uno_settings;

/* Parse the environment, for a program of so many ranks. Returns NULL, or what is wrong with it. */
const char *uno_settings_parse(struct uno_settings *settings, int ranks);

/* The node on which a rank, of so many, is said to be. */
int uno_settings_node_of(int rank, int ranks);

/* UNISONO_MPI_PROFILE, or NULL. */
const char *uno_settings_profile_file(void);

#endif
