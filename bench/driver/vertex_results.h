/* unisono bench vertex: the measurements, the computed figures, and the reports.
 *
 * Three benches by the one engine: messages between 2 PEs; messages in a ring of more PEs than processors;
 * the edge detector. Times are lower octiles, as in all tables of the bench. */

#ifndef BENCH_DRIVER_VERTEX_RESULTS_H
#define BENCH_DRIVER_VERTEX_RESULTS_H

#include "goals.h"

/* The two protocols. Of an MPI library the standard one is MPI_Send and MPI_Recv; the extended one MPI_Irecv,
 * posted beforehand, and MPI_Rsend. */
enum { STANDARD, EXTENDED, PROTOCOLS };

/* tcomm = m x + f, x: bytes. */
struct fit {
    bool fitted;
    double f, m;  /* ns, ns per byte */
    double large; /* m of large messages alone */
    double worst; /* the greatest deviation of a measured time, as a part of it */
};

struct vertex {
    struct bench near, over, pair, pictures;
    struct fit fit[MAX_SIDES][PROTOCOLS];
    struct limits limits;
};

/* ---- figures computed from the times ------------------------------------------------------------------- */

/* "standard", "extended" */
extern const char *const vertex_protocols[PROTOCOLS];

/* The cell of this kind; below 0: there is none. */
int vertex_cell(const struct bench *b, int op, uint64_t bytes);

/* The time of one operation in ns; below 0: not measured. Of a ring, and of a stream: of one message. */
double vertex_time(const struct bench *b, int count, int op, uint64_t bytes, int side);

/* The times of all sides, as a note; of an exchange the bare one's is that of copies. */
void vertex_note_times(struct limit *row, const struct bench *b, int count, int op, uint64_t bytes);

/* The index of a number of PEs; below 0: there is none. */
int vertex_count(const struct bench *b, int pes);

/* The median over the rounds of side `over`'s time in one operation by side `under`'s in another; below 0:
 * they never were in one round. */
double vertex_ratio(const struct bench *b, int count, uint64_t bytes, int over_op, int over, int under_op,
                    int under);

/* A ratio with its spread, over all rounds that have both values. */
struct vertex_spread {
    double least, median, greatest; /* below 0: they never were in one round */
};
struct vertex_spread vertex_spread(const struct bench *b, int count, uint64_t bytes, int over_op, int over,
                                   int under_op, int under);

/* The same, over: the better of the peers in each round; under: side 0. */
struct vertex_spread vertex_better_spread(const struct bench *b, int count, int op, uint64_t bytes);

/* Return the median of the better peer. */
double vertex_better_peer(const struct bench *b, int count, int op, uint64_t bytes);

/* Fit all rings. */
void vertex_fit(struct vertex *v);

/* One row of Table 3. */
struct detection {
    int edge, pes;
    double alone, parts, exec[PROTOCOLS]; /* ns; below 0: not measured */
    double gamma[PROTOCOLS];
    bool complete;
};
struct detection vertex_detection(const struct vertex *v, const struct bench *b, int count, int edge);

/* ---- reports
 * -------------------------------------------------------------------------------------------- */

void vertex_goals(struct vertex *v);

/* Tell whether the two processors shared a core in each round, by the bare exchange of 8 bytes, there and
 * back: of a bench whose first number of PEs is 2, and that has the ring of 8 bytes. */
void vertex_tell_mode(struct limits *l, const struct bench *b);

/* The tables of 1987 with rows of today, as text; and everything as JSON. */
void vertex_report(const struct vertex *v);
json_t *vertex_json(const struct vertex *v);

#endif
