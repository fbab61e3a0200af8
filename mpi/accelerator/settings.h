/* What the environment asks of the accelerator. Rank 0's settings hold for all ranks. */

#ifndef UNO_SETTINGS_H
#define UNO_SETTINGS_H

#include <stdbool.h>

struct uno_settings {
    bool off;       /* UNISONO_MPI=off */
    bool check;     /* UNISONO_MPI_CHECK=1: each accelerated collective also goes through the host */
    bool fast_math; /* UNISONO_MPI_FAST_MATH=1: floating-point numbers may be combined in any order */
    bool profile;   /* UNISONO_MPI_PROFILE=FILE */
};

/* Of the process; read only after uno_settings_set. */
extern struct uno_settings uno_settings;

/* Parse the environment. Returns NULL, or what is wrong with it. */
const char *uno_settings_parse(struct uno_settings *settings);

/* UNISONO_MPI_PROFILE, or NULL. */
const char *uno_settings_profile_file(void);

#endif
