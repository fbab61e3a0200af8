#include "mpi_results.h"

const struct layer mpi_layers[LAYERS] = {{"the channel", "the bare exchange", CHANNEL_SIDE, BARE_SIDE},
                                         {"MPI", "the channel", MPI_SIDE, CHANNEL_SIDE},
                                         {"MPI", "the bare exchange", MPI_SIDE, BARE_SIDE}};

double mpi_paper_overhead(int op, uint64_t bytes) {
    return op == BENCH_OP_ring && bytes == WORD              ? 481
           : op == BENCH_OP_ring && bytes == WORDS_1000      ? 33
           : op == BENCH_OP_jacobi && bytes == LARGEST_FIELD ? 5
                                                             : -1;
}

bool mpi_overhead(const struct bench *b, int count, int op, uint64_t bytes, const struct layer *layer,
                  struct vertex_spread *percent) {
    struct vertex_spread ratio = vertex_spread(b, count, bytes, op, layer->over, op, layer->under);
    *percent =
        (struct vertex_spread){100 * (ratio.least - 1), 100 * (ratio.median - 1), 100 * (ratio.greatest - 1)};
    return ratio.least > 0;
}

struct vertex_spread mpi_speedup(const struct bench *b, int count, const struct program *program,
                                 uint64_t size, int side) {
    return vertex_spread(b, count, size, program->alone, BARE_SIDE, program->op, side);
}
