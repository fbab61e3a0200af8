/* The accelerator's settings, from the environment. Rank 0's settings hold for all ranks. */

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
    int nodes;   /* the number of nodes to pretend; 0: the real ones */
    bool cyclic; /* ranks are dealt out one by one, not in blocks */
    bool listed; /* the node of each rank is in `node` */
    short node[UNO_SETTINGS_LISTED];
};

/* The settings of this process; read only after uno_settings_set. */
extern struct uno_settings uno_settings;

/* Parse the environment, for a program of so many ranks. Returns NULL, or the words of the error. */
const char *uno_settings_parse(struct uno_settings *settings, int ranks);

/* Return the node that the settings give a rank, of so many ranks. */
int uno_settings_node_of(int rank, int ranks);

/* Return UNISONO_MPI_PROFILE, or NULL. */
const char *uno_settings_profile_file(void);

#endif
