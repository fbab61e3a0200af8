/* The two runs that unisono compare compares: the files of --stats=FILE of unisono run or unisono mpi, as
 * rows. */

#ifndef UNO_COMPARE_RUNS_H
#define UNO_COMPARE_RUNS_H

#include <jansson.h>
#include <stdbool.h>

/* The figures of a run at one place, or of one operation. Times are in s, of a rank on average. */
struct compare_row {
    const char *function, *place; /* place: "src/cg.c:211"; NULL: this is an operation of <papers.h> */
    json_int_t calls, bytes;      /* of all ranks */
    double seconds, waited;
    int mostly_for; /* the rank for which it waited longest; -1: for none */
    bool paired;    /* it has its row in the other run */
};

struct compare_run {
    const char *path;
    json_t *figures; /* the file, which owns the texts */
    const char *program;
    int ranks;
    double seconds;     /* that the job ran */
    double inside;      /* of a rank's time, in calls or operations */
    double outside;     /* in the program */
    double waited;      /* in calls, for others; of operations all of `inside` */
    bool placed;        /* rows are calls by place; otherwise operations */
    const char *member; /* "rank" or "PE" */
    int rows;
    struct compare_row *row;
};

/* Read a file. Returns false after a message that begins with "unisono compare". */
bool compare_read(struct compare_run *run, const char *path);

/* Return how long rank k was in the program, outside of calls or operations, in s. */
double compare_outside(const struct compare_run *run, int k);

void compare_free(struct compare_run *run);

#endif
