/* Programs on the chip, by hand and by MPI. Two runs that differ in how often they do it tell what one takes.
 * What they print is the same with any number of PEs and by either side. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "mesh_part.h"
#include "mpi_results.h"

const char *const mesh_side[MESH_SIDES] = {[MESH_HAND] = "hand", [MESH_MPI] = "mpi"};

enum { RUNS = 2 }; /* with few times, and with many */

bool mesh_is_of(const json_t *row, const struct mesh_part *part) {
    return strcmp(json_string_value(json_object_get(row, "part")), part->word) == 0;
}

static int sizes(const struct mesh_part *part, const struct bench_options *options) {
    int count = 0;
    while (part->size[count])
        count++;
    return options->quick ? 1 : count;
}

int mesh_rows(const struct mesh_part *part, const struct bench_options *options) {
    return sizes(part, options) * (part->pes ? 1 : options->count_count);
}

/* Keep the first output of so many times; any other must be the same. */
static void compare(const struct mesh_part *part, int size, int pes, int side, char *output, char **first) {
    if (*first && strcmp(output, *first))
        bench_fail("%s %d with %d PEs by %s printed \"%s\", and with another number of PEs, or side, \"%s\"",
                   part->word, size, pes, mesh_side[side], output, *first);
    if (*first)
        free(output);
    else
        *first = output;
}

/* The clocks of one time. */
static double clocks_of(const struct mesh_part *part, int size, int pes, int side, char *first[RUNS]) {
    const int times[RUNS] = {part->few, part->many};
    double clocks[RUNS];
    for (int k = 0; k < RUNS; k++) {
        char *output;
        clocks[k] = mesh_run(part, mesh_side[side], pes, size, times[k], &output);
        compare(part, size, pes, side, output, &first[k]);
    }
    return (clocks[1] - clocks[0]) / (part->many - part->few) / part->ways;
}

/* The paper's figure: its library took so much more, in per cent; below 0: its text has none. */
static double published(const struct mesh_part *part, int size, int pes) {
    return strcmp(part->word, "latency") == 0 ? mpi_paper_overhead(BENCH_OP_ring, WORD * (uint64_t)size)
           : strcmp(part->word, "jacobi") == 0 && pes == MESH_TILES
               ? mpi_paper_overhead(BENCH_OP_jacobi, (uint64_t)size)
               : -1;
}

static json_t *number(double value, bool known) {
    return known ? json_real(value) : json_null();
}

void mesh_measure(const struct mesh_part *part, const struct bench_options *options, json_t *rows) {
    for (int i = 0; i < sizes(part, options); i++) {
        char *first[RUNS] = {NULL, NULL};
        double alone = 0; /* clocks by hand on one tile, where there are no messages */
        for (int k = 0; k < (part->pes ? 1 : options->count_count); k++) {
            int size = part->size[i], pes = part->pes ? part->pes : options->counts[k];
            double clocks[MESH_SIDES];
            mesh_progress(part, size, pes);
            for (int side = 0; side < MESH_SIDES; side++)
                clocks[side] = clocks_of(part, size, pes, side, first);
            if (pes == 1)
                alone = clocks[MESH_HAND];
            double hand = clocks[MESH_HAND], mpi = clocks[MESH_MPI], paper = published(part, size, pes);
            json_array_append_new(
                rows, json_pack("{ss si si s{sf sf} sf so s{so so}}", "part", part->word, "size", size, "pes",
                                pes, "clocks", "hand", hand, "mpi", mpi, "percent", 100 * (mpi / hand - 1),
                                "paper", number(paper, paper >= 0), "speedup", "hand",
                                number(alone / hand, alone > 0), "mpi", number(alone / mpi, alone > 0)));
        }
        free(first[0]);
        free(first[1]);
    }
}

/* ---- goals ----------------------------------------------------------------------------------------------
 */

static const struct {
    const char *part;
    int size, pes;
    double percent;
} goals[] = {{"latency", 1, 2, 200}, {"latency", 1000, 2, 15}, {"jacobi", 2048, MESH_TILES, 5}};

void mesh_set_goals(const struct mesh_part *part, const json_t *rows, struct limits *limits) {
    static const char SECTION[] = "MPI by messages by hand";
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        size_t i;
        json_t *row;
        json_array_foreach(rows, i, row) {
            int size, pes;
            double percent;
            json_unpack(row, "{si si sf}", "size", &size, "pes", &pes, "percent", &percent);
            if (!mesh_is_of(row, part) || strcmp(part->word, goals[g].part) || size != goals[g].size ||
                pes != goals[g].pes)
                continue;
            limit_note(limit_add(limits, SECTION, AT_MOST, 1 + goals[g].percent / 100, "times",
                                 1 + percent / 100, "%s of size %d, %d PEs", part->word, size, pes),
                       "%.1f %% more; goal %.0f; rMPI %.0f", percent, goals[g].percent,
                       published(part, size, pes));
        }
    }
}
