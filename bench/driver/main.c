/* unisono bench: the tables of the 1995 paper with today's figures, and more, beside MPI libraries in the
 * same run. `unisono bench` becomes this program, with its own command line.
 *
 * Calls go from here to the subjects (tables, vertex, exchange, mpi, mesh), from there to measure and sides,
 * then to the computed figures, and to the reports. */

#include "drive.h"

int main(int argc, char **argv) {
    static const struct bench_subject *const subjects[] = {&bench_subject_tables,   &bench_subject_vertex,
                                                           &bench_subject_exchange, &bench_subject_mpi,
                                                           &bench_subject_mesh,     NULL};
    return bench_drive(subjects, argc, argv);
}
