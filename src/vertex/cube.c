/* Places in the cube, and subcubes. The nodes of a subcube are consecutive PEs, so a view of the channel is
 * all that a subcube is. */

#include "cube_local.h"

#include "engine/group.h"

int uno_cube_dimension(struct uno_channel *channel, const char *name) {
    int n = channel->view.n;
    if (n & (n - 1))
        uno_fail(channel->pe, "%s: %d nodes are no cube; the number of PEs must be a power of two", name, n);
    return __builtin_ctz((unsigned)n);
}

/* ---- places ------------------------------------------------------------------------------------------ */

int nneighbor(int dimension) {
    struct uno_channel *channel = uno_vertex("nneighbor");
    int dimensions = uno_cube_dimension(channel, "nneighbor");
    if (dimension < 0 || dimension >= dimensions)
        uno_fail(channel->pe, "nneighbor: dimension %d; this cube has %d, counted from 0", dimension,
                 dimensions);
    return uno_cube_node(channel) ^ 1 << dimension;
}

int ngray(int i) {
    return i ^ i >> 1;
}

int nungray(int code) {
    unsigned i = (unsigned)code;
    for (int shift = 1; shift < 32; shift *= 2)
        i ^= i >> shift;
    return (int)i;
}

int nring(int steps) {
    struct uno_channel *channel = uno_vertex("nring");
    unsigned last = (1u << uno_cube_dimension(channel, "nring")) - 1;
    return ngray((int)(((unsigned)nungray(uno_cube_node(channel)) + (unsigned)steps) & last));
}

/* ---- subcubes ---------------------------------------------------------------------------------------- */

/* See n = 2^dimension nodes. Each subcube has a pair of contexts, the whole job 0 and 1, its halves 2 to 5,
 * and so on; the odd one is for what nspread and ncombine send. */
static void look_at(struct uno_channel *channel, int dimension, const char *name) {
    struct uno_pe *pe = channel->pe;
    struct uno_numbering *view = &channel->view;
    view->n = 1 << dimension;
    view->first = pe->me & -view->n;
    view->context = 2 * (uint32_t)((pe->n >> dimension) + (view->first >> dimension) - 1);
    uint64_t mask[UNO_WORDS] = {0};
    for (int k = view->first; k < view->first + view->n; k++)
        mask[k / 64] |= (uint64_t)1 << k % 64;
    uno_group_set(pe, mask, name);
}

void nsubcube(int k) {
    struct uno_channel *channel = uno_vertex("nsubcube");
    int dimension = uno_cube_dimension(channel, "nsubcube");
    if (k < 0 || k >= dimension)
        uno_fail(channel->pe, "nsubcube: dimension %d; it must be from 0 to less than %d, that of this cube",
                 k, dimension);
    channel->view.around |= 1u << dimension;
    look_at(channel, k, "nsubcube");
}

void nsupercube(void) {
    struct uno_channel *channel = uno_vertex("nsupercube");
    struct uno_numbering *view = &channel->view;
    if (!view->around)
        uno_fail(channel->pe, "nsupercube: this node is in no subcube");
    int dimension = __builtin_ctz(view->around);
    view->around &= view->around - 1;
    look_at(channel, dimension, "nsupercube");
}
