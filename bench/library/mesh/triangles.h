/* A mesh of triangles in the unit square, made at random, the same at each rank. */

#ifndef TRIANGLES_H
#define TRIANGLES_H

/* A mesh: vertex i has the neighbours to[first[i]] to to[first[i + 1] - 1], in ascending order. */
struct triangles {
    long vertices, edges; /* each edge counted from both of its ends */
    double *x, *y;
    long *first, *to;
};

/* Make a mesh of about `vertices` vertices, numbered at random. */
void triangles_make(struct triangles *mesh, long vertices);

/* Cut the mesh into `parts` parts of nearly equally many vertices, by repeated cuts across the longer side.
 * part[i] becomes the part of vertex i. */
void triangles_cut(const struct triangles *mesh, int parts, int *part);

#endif
