#include "triangles.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "rank.h"

static uint64_t state;

/* Marsaglia's xorshift with a product: the same numbers everywhere. */
static uint64_t random_number(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1d;
}

static double random_part(void) {
    return (double)(random_number() >> 11) * 0x1p-53;
}

static int compare(const void *a, const void *b) {
    long p = *(const long *)a, q = *(const long *)b;
    return (p > q) - (p < q);
}

/* ---- the mesh ------------------------------------------------------------------------------------------
 *
 * Points of a grid, each moved at random within its cell, and the cells between them cut into two triangles
 * along one or the other diagonal, at random. */

static void connect(struct triangles *mesh, long (*edge)[2], long a, long b) {
    edge[mesh->edges][0] = a, edge[mesh->edges++][1] = b;
    edge[mesh->edges][0] = b, edge[mesh->edges++][1] = a;
}

static void sort_edges(struct triangles *mesh, long (*edge)[2]) {
    for (long e = 0; e < mesh->edges; e++)
        mesh->first[edge[e][0] + 1]++;
    for (long i = 0; i < mesh->vertices; i++)
        mesh->first[i + 1] += mesh->first[i];
    long *filled = room(mesh->vertices, sizeof *filled);
    for (long e = 0; e < mesh->edges; e++) {
        long i = edge[e][0];
        mesh->to[mesh->first[i] + filled[i]++] = edge[e][1];
    }
    for (long i = 0; i < mesh->vertices; i++)
        qsort(mesh->to + mesh->first[i], (size_t)filled[i], sizeof *mesh->to, compare);
    free(filled);
}

void triangles_make(struct triangles *mesh, long vertices) {
    long side = lround(sqrt((double)vertices)), count = side * side;
    long *number = room(count, sizeof *number), (*edge)[2] = room(6 * count, sizeof *edge);
    state = 0x9e3779b97f4a7c15;
    *mesh = (struct triangles){.vertices = count,
                               .x = room(count, sizeof *mesh->x),
                               .y = room(count, sizeof *mesh->y),
                               .first = room(count + 1, sizeof *mesh->first)};
    for (long i = 0; i < count; i++) {
        long j = (long)(random_number() % (uint64_t)(i + 1));
        number[i] = number[j];
        number[j] = i;
    }
    for (long i = 0; i < count; i++) {
        mesh->x[number[i]] = ((double)(i % side) + 0.7 * random_part()) / (double)side;
        mesh->y[number[i]] = ((double)(i / side) + 0.7 * random_part()) / (double)side;
    }
    for (long r = 0; r < side; r++)
        for (long c = 0; c < side; c++) {
            long at = r * side + c;
            bool right = c + 1 < side, down = r + 1 < side, falls = random_number() >> 63;
            if (right)
                connect(mesh, edge, number[at], number[at + 1]);
            if (down)
                connect(mesh, edge, number[at], number[at + side]);
            if (right && down && falls)
                connect(mesh, edge, number[at], number[at + side + 1]);
            else if (right && down)
                connect(mesh, edge, number[at + 1], number[at + side]);
        }
    mesh->to = room(mesh->edges, sizeof *mesh->to);
    sort_edges(mesh, edge);
    free(number);
    free(edge);
}

/* ---- its parts ----------------------------------------------------------------------------------------- */

struct place {
    double along; /* the longer side */
    long vertex;
};

static int compare_places(const void *a, const void *b) {
    const struct place *p = a, *q = b;
    return (p->along > q->along) - (p->along < q->along);
}

/* Deal these vertices out to so many parts from `part` on. */
static void cut(const struct triangles *mesh, struct place *place, long count, int from, int parts,
                int *part) {
    if (parts == 1) {
        for (long i = 0; i < count; i++)
            part[place[i].vertex] = from;
        return;
    }
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (long i = 0; i < count; i++) {
        double at[2] = {mesh->x[place[i].vertex], mesh->y[place[i].vertex]};
        for (int d = 0; d < 2; d++) {
            least[d] = fmin(least[d], at[d]);
            most[d] = fmax(most[d], at[d]);
        }
    }
    const double *longer = most[0] - least[0] > most[1] - least[1] ? mesh->x : mesh->y;
    for (long i = 0; i < count; i++)
        place[i].along = longer[place[i].vertex];
    qsort(place, (size_t)count, sizeof *place, compare_places);
    long half = count * (parts / 2) / parts;
    cut(mesh, place, half, from, parts / 2, part);
    cut(mesh, place + half, count - half, from + parts / 2, parts - parts / 2, part);
}

void triangles_cut(const struct triangles *mesh, int parts, int *part) {
    struct place *place = room(mesh->vertices, sizeof *place);
    for (long i = 0; i < mesh->vertices; i++)
        place[i].vertex = i;
    cut(mesh, place, mesh->vertices, 0, parts, part);
    free(place);
}
