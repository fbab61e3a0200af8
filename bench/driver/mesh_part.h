/* unisono bench mesh: experiments on the tiles of a simulated chip, in clocks, which are the same in every
 * run. An experiment is a part: a row of the table in mesh.c. */

#ifndef BENCH_DRIVER_MESH_PART_H
#define BENCH_DRIVER_MESH_PART_H

#include <jansson.h>

#include "goals.h"
#include "options.h"

enum { MESH_SIZES = 16, MESH_TILES = 16 };

/* The sides of each trial. */
enum { MESH_HAND, MESH_MPI, MESH_SIDES };
extern const char *const mesh_side[MESH_SIDES];

/* A part measures a program of bench/mesh/ by hand and by MPI. */
struct mesh_part {
    const char *word;     /* in --parts, in each row of the figures as "part", and of the program */
    const char *title;    /* of its table */
    const char *unit;     /* of the sizes: "words" */
    int pes;              /* 0: those of the option -n */
    int size[MESH_SIZES]; /* ascending; 0: there are no more */
    int few, many;        /* times that a run does it: the clocks of one are the difference of two runs */
    int ways;             /* one by one: a message there and back is two */
};

/* Say how many rows there will be; show what is being measured, before each row; and end that. */
void mesh_progress_begin(int rows);
void mesh_progress(const struct mesh_part *part, int size, int pes);
void mesh_progress_end(void);

/* Run the part's program so many times of that size, as bench-mesh-SIDE does it, on so many tiles of the
 * chip, where instructions take clocks: the clocks of the whole run, and what it printed, for the caller to
 * free. A run that fails ends this program. */
double mesh_run(const struct mesh_part *part, const char *side, int pes, int size, int times, char **output);

/* Return true if a row is of this part. */
bool mesh_is_of(const json_t *row, const struct mesh_part *part);

/* Return how many rows mesh_measure() appends to the figures, and calls mesh_progress() for. */
int mesh_rows(const struct mesh_part *part, const struct bench_options *options);
void mesh_measure(const struct mesh_part *part, const struct bench_options *options, json_t *rows);

/* Print the table of the part; add its goals. */
void mesh_report(const struct mesh_part *part, const json_t *rows);
void mesh_set_goals(const struct mesh_part *part, const json_t *rows, struct limits *limits);

#endif
