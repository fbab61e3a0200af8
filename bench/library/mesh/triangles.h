/* A mesh of triangles in the unit square, made at random, the same at each rank. */

#ifndef TRIANGLES_H
#define TRIANGLES_H

/* Vertex i has the neighbours to[first[i]] to to[first[i + 1] - 1], in rising order. */
struct triangles {
    long vertices, edges; /* each edge counted from both of its ends */
    double *x, *y;
    long *first, *to;
};

/* About so many vertices, numbered at random. */
void triangles_make(struct triangles *mesh, long vertices);

/* Cut the mesh into so many parts of nearly the same number of vertices: again and again across its longer
 * side. part[i] becomes the part of vertex i. */
void triangles_cut(const struct triangles *mesh, int parts, int *part);

#endif
