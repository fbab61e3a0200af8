/* A step of heat flow, implicit in time, on a mesh of triangles with about `size` vertices: the linear system
 * of the mesh's Laplacian, weighted by lengths, is solved by conjugate gradients. Each rank has the vertices
 * of one part; in every iteration it gets the values beside its part from the ranks that have them, by a
 * collective of neighbours, and two sums of all ranks. The order of additions differs from the serial
 * program's, so results agree but for rounding. */

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "solver.h"
#include "triangles.h"

/* Rows of the matrix, and the vectors of the method. */
struct system {
    long rows, beside; /* own vertices, and those of others beside them, which stand behind */
    long *first, *column;
    double *value, *diagonal;
    double *b, *x, *r, *p, *q;
};

/* A rank with which values are exchanged. */
struct exchange {
    MPI_Comm comm;
    int count;                   /* of neighbours */
    int *rank, *sends, *send_at; /* of each: how many values it gets, and where they stand in out */
    int *gets, *get_at;          /* and gives, and where they go behind the own ones */
    long *from, sent;            /* own vertices whose values stand in out */
    double *out;
};

static struct triangles mesh;
static int *part;
static long *number; /* of each vertex within its part */
static long *vertex; /* of each own one within the mesh */
static struct system mine, whole;
static struct exchange near;
static double expected, at_first; /* residuals, after the last iteration and before the first one */

/* ---- a part of the mesh -------------------------------------------------------------------------------- */

/* The vertices beside part `inner` that belong to part `outer`, in the order of their numbers; returns how
 * many there are. */
static long border(int inner, int outer, long *found) {
    long count = 0;
    for (long i = 0; i < mesh.vertices; i++) {
        if (part[i] != outer)
            continue;
        bool beside = false;
        for (long e = mesh.first[i]; e < mesh.first[i + 1]; e++)
            beside |= part[mesh.to[e]] == inner;
        if (beside)
            found[count++] = i;
    }
    return count;
}

/* Ghosts of mine come in the order of ranks and vertices; so do those of others that this rank has. */
static void find_neighbours(long *place) {
    long *found = room(mesh.vertices, sizeof *found), gets, sends;
    near.rank = room(ranks, sizeof(int));
    near.sends = room(ranks, sizeof(int)), near.send_at = room(ranks, sizeof(int));
    near.gets = room(ranks, sizeof(int)), near.get_at = room(ranks, sizeof(int));
    near.from = room(mesh.vertices * ranks, sizeof *near.from);
    for (int k = 0; k < ranks; k++) {
        if (k == me || !(gets = border(me, k, found)))
            continue;
        for (long i = 0; i < gets; i++)
            place[found[i]] = mine.rows + mine.beside + i;
        sends = border(k, me, found);
        for (long i = 0; i < sends; i++)
            near.from[near.sent + i] = number[found[i]];
        int c = near.count++;
        near.rank[c] = k;
        near.sends[c] = (int)sends, near.send_at[c] = (int)near.sent;
        near.gets[c] = (int)gets, near.get_at[c] = (int)mine.beside;
        near.sent += sends, mine.beside += gets;
    }
    near.out = room(near.sent, sizeof *near.out);
    free(found);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, near.count, near.rank, MPI_UNWEIGHTED, near.count,
                                   near.rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &near.comm);
}

/* ---- the system ---------------------------------------------------------------------------------------- */

/* Rows of these vertices of the mesh; place[i]: where vertex i stands in the vectors. */
static void make_system(struct system *s, const long *row, const long *place) {
    long edges = 0, columns = s->rows + s->beside;
    for (long i = 0; i < s->rows; i++)
        edges += mesh.first[row[i] + 1] - mesh.first[row[i]];
    s->first = room(s->rows + 1, sizeof *s->first), s->column = room(edges, sizeof *s->column);
    s->value = room(edges, sizeof *s->value), s->diagonal = room(s->rows, sizeof *s->diagonal);
    s->b = room(s->rows, sizeof *s->b), s->x = room(s->rows, sizeof *s->x);
    s->r = room(s->rows, sizeof *s->r), s->q = room(s->rows, sizeof *s->q);
    s->p = room(columns, sizeof *s->p);
    edges = 0;
    for (long i = 0; i < s->rows; i++) {
        long v = row[i];
        s->diagonal[i] = 0.01;
        for (long e = mesh.first[v]; e < mesh.first[v + 1]; e++) {
            long w = mesh.to[e];
            double length = hypot(mesh.x[v] - mesh.x[w], mesh.y[v] - mesh.y[w]) * sqrt((double)mesh.vertices);
            s->column[edges] = place[w];
            s->value[edges] = -1 / (0.1 + length);
            s->diagonal[i] -= s->value[edges++];
        }
        s->first[i + 1] = edges;
        s->b[i] = sin(7 * mesh.x[v]) + mesh.y[v] * mesh.y[v];
    }
}

void solver_make(long size) {
    triangles_make(&mesh, size);
    part = room(mesh.vertices, sizeof *part);
    number = room(mesh.vertices, sizeof *number);
    vertex = room(mesh.vertices, sizeof *vertex);
    long *place = room(mesh.vertices, sizeof *place), *rows = room(ranks, sizeof *rows);
    triangles_cut(&mesh, ranks, part);
    for (long i = 0; i < mesh.vertices; i++) {
        number[i] = rows[part[i]]++;
        if (part[i] == me) {
            place[i] = number[i];
            vertex[mine.rows++] = i;
        }
    }
    find_neighbours(place);
    make_system(&mine, vertex, place);
    for (long i = 0; i < mesh.vertices; i++)
        place[i] = i;
    whole.rows = mesh.vertices;
    make_system(&whole, place, place);
    free(place);
    free(rows);
}

/* ---- the method ---------------------------------------------------------------------------------------- */

static void begin(struct system *s) {
    memset(s->p, 0, (size_t)(s->rows + s->beside) * sizeof *s->p);
    for (long i = 0; i < s->rows; i++) {
        s->x[i] = 0;
        s->r[i] = s->p[i] = s->b[i];
    }
}

static double product(const double *a, const double *b, long count, bool serial) {
    double sum = 0, all;
    for (long i = 0; i < count; i++)
        sum += a[i] * b[i];
    if (serial || alone)
        return sum;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, near.comm);
    return all;
}

/* The values of p beside this rank's part. */
static void exchange(void) {
    for (long i = 0; i < near.sent; i++)
        near.out[i] = mine.p[near.from[i]];
    MPI_Neighbor_alltoallv(near.out, near.sends, near.send_at, MPI_DOUBLE, mine.p + mine.rows, near.gets,
                           near.get_at, MPI_DOUBLE, near.comm);
}

static double iterate(struct system *s, long iterations, bool serial) {
    double was = product(s->r, s->r, s->rows, serial);
    while (iterations--) {
        if (!serial && !alone)
            exchange();
        for (long i = 0; i < s->rows; i++) {
            double sum = s->diagonal[i] * s->p[i];
            for (long e = s->first[i]; e < s->first[i + 1]; e++)
                sum += s->value[e] * s->p[s->column[e]];
            s->q[i] = sum;
        }
        double step = was / product(s->p, s->q, s->rows, serial);
        for (long i = 0; i < s->rows; i++) {
            s->x[i] += step * s->p[i];
            s->r[i] -= step * s->q[i];
        }
        double is = product(s->r, s->r, s->rows, serial);
        for (long i = 0; i < s->rows; i++)
            s->p[i] = s->r[i] + is / was * s->p[i];
        was = is;
    }
    return sqrt(was);
}

void solver_expect(long iterations) {
    begin(&whole);
    at_first = iterate(&whole, 0, true);
    expected = iterate(&whole, iterations, true);
}

void solver_begin(void) {
    begin(&mine);
}

double solver_run(long iterations) {
    return iterate(&mine, iterations, false);
}

bool solver_is_right(double residual) {
    double most = 0, off = 0;
    for (long i = 0; i < whole.rows; i++)
        most = fmax(most, fabs(whole.x[i]));
    for (long i = 0; i < mine.rows; i++)
        off = fmax(off, fabs(mine.x[i] - whole.x[vertex[i]]));
    return off <= 1e-6 * most && fabs(residual - expected) <= 1e-6 * at_first;
}
