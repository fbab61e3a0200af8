/* unisono bench mesh: its parts, and its options. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/here.h"
#include "drive.h"
#include "failure.h"
#include "mesh_part.h"

/* The paper's text has 1 and 1,000 words, and squares of 16 and 2,048 rows. The other sizes are ours. */
static const struct mesh_part parts[] = {
    {.word = "latency",
     .title = "A message to the next tile, half of the time there and back",
     .unit = "words",
     .pes = 2,
     .size = {1, 2, 4, 8, 16, 31, 32, 64, 128, 256, 512, 1000, 2000, 4000},
     .few = 5,
     .many = 15,
     .ways = 2},
    {.word = "jacobi",
     .title = "Jacobi's method on a square, a sweep",
     .unit = "rows",
     .size = {16, 2048},
     .few = 2,
     .many = 4,
     .ways = 1},
    {.word = "product",
     .title = "Product of two square matrices",
     .unit = "rows",
     .size = {16, 128},
     .few = 2,
     .many = 4,
     .ways = 1},
    {.word = "trapezoid",
     .title = "Area below a parabola by trapezoids",
     .unit = "intervals",
     .size = {1000, 100000},
     .few = 2,
     .many = 6,
     .ways = 1},
    {.word = "pi",
     .title = "Pi as an integral",
     .unit = "intervals",
     .size = {1000, 100000},
     .few = 2,
     .many = 6,
     .ways = 1},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* ---- which parts ----------------------------------------------------------------------------------------
 */

static int find(const char *word, size_t length) {
    for (int p = 0; p < PARTS; p++)
        if (strlen(parts[p].word) == length && !memcmp(parts[p].word, word, length))
            return p;
    return -1;
}

static bool is_chosen(const struct bench_options *options, int part) {
    const char *at = options->parts;
    for (size_t length; at && *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        if (find(at, length) == part)
            return true;
    }
    return !options->parts;
}

static void check_words(const char *list) {
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        if (find(at, length) < 0)
            bench_reject("--parts %s: there is no part \"%.*s\"; see unisono bench mesh --help", list,
                         (int)length, at);
        at += length;
        if (!*at)
            return;
    }
}

static void check(const struct bench_options *options) {
    if (options->parts)
        check_words(options->parts);
    for (int i = 0; i < options->count_count; i++) {
        int n = options->counts[i];
        if (n > MESH_TILES || n & (n - 1))
            bench_reject(
                "-n %d: the chip has %d tiles, and the programs share their work among 1, 2, 4, 8 or "
                "16 PEs",
                n, MESH_TILES);
    }
}

/* ---- measuring ------------------------------------------------------------------------------------------
 */

/* End this program if something that it runs was not built. */
static void check_build(void) {
    static const struct {
        const char *file, *lacks;
    } needed[] = {{"mesh", "the simulated units, which need Verilator (Debian: verilator)"},
                  {"bench-mesh-mpi", "its MPI library, which needs python3"}};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        char path[4096];
        here_path(path, sizeof path, ".", needed[k].file);
        if (access(path, X_OK))
            bench_fail("Unisono was built without %s; install it, and configure again", needed[k].lacks);
    }
}

static void report(const struct bench_options *options, const json_t *rows, const struct limits *limits) {
    printf("A simulated chip of 4 x 4 tiles, a PE on each; each instruction takes a clock of its tile.\n"
           "By hand: on a tile's registers, without a library. All figures are clocks, the same in every "
           "run.\n");
    for (int p = 0; p < PARTS; p++)
        if (is_chosen(options, p)) {
            printf("\n%s\n", parts[p].title);
            mesh_report(&parts[p], rows);
        }
    limits_report(limits);
}

static json_t *measure(const struct bench_options *options, bool to_report) {
    static struct limits limits;
    json_t *rows = json_array();
    int expected = 0;
    check_build();
    for (int p = 0; p < PARTS; p++)
        if (is_chosen(options, p))
            expected += mesh_rows(&parts[p], options);
    mesh_progress_begin(expected);
    for (int p = 0; p < PARTS; p++)
        if (is_chosen(options, p)) {
            mesh_measure(&parts[p], options, rows);
            mesh_set_goals(&parts[p], rows, &limits);
        }
    mesh_progress_end();
    if (to_report)
        report(options, rows, &limits);
    return json_pack("{ss ss so so}", "unisono", UNISONO_VERSION, "mesh", "4x4", "rows", rows, "limits",
                     limits_json(&limits));
}

static const struct argp_option accepted[] = {
    {"parts", BENCH_PARTS, "LIST", 0,
     "Only these parts, of latency,jacobi,product,trapezoid,pi (default all)", 0},
    {"pes", 'n', "LIST", 0, "Numbers of PEs, each 1, 2, 4, 8 or 16 (default all of them)", 0},
    {"quick", BENCH_QUICK, NULL, 0, "The first size of each part alone", 0},
    {"json", BENCH_JSON, "FILE", 0,
     "Write all figures as JSON into FILE; -: to standard output, in place of the tables", 0},
    {"plot", BENCH_PLOT, "FILE", 0, "Draw what MPI takes more, and the speed-up of the programs, as PNG", 0},
    {0},
};

const struct bench_subject bench_subject_mesh = {
    .word = "mesh",
    .name = "unisono bench mesh",
    .plot = "plot_mesh.py",
    .doc =
        "Measure messages and programs of the paper about rMPI on a simulated chip of 16 tiles, in clocks: "
        "with Unisono's MPI library, and with messages by hand on a tile's registers. Nothing is repeated, "
        "since the clocks are the same in every run."
        "\vThe exit status is 1 if a result was wrong or a run broke off. See unisono-bench(1).",
    .options = accepted,
    .standard = {.counts = {1, 2, 4, 8, 16}, .count_count = 5},
    .check = check,
    .measure = measure,
};
