/* The user's crossovers: up to how many bytes operations are accelerated, in a file whose rows override the
 * table of the plan (collective/transport/plan.h, which says which bytes count):
 *
 *     below openmpi MPI_Allreduce 4 65536
 *     below openmpi MPI_Bcast 4 65536 512
 *
 * The words: the build of the accelerator that the row is for, the operation, the number of ranks of the
 * communicator, and the number of bytes, 0 for never and "all" for always; then, if smaller ones are not
 * accelerated either, the least number of bytes. A communicator goes by the row of its operation with the
 * most ranks that it has, else by the one with the fewest. Lines of other first words, and what follows a #,
 * are not for the accelerator. */

#ifndef UNO_CROSSOVERS_H
#define UNO_CROSSOVERS_H

/* Read the file, if there is one, in rank 0. Returns NULL, or the words of the error, and then no row of the
 * file holds. */
const char *uno_crossovers_read(void);

/* Give rank 0's rows to all ranks, and to the plan. All ranks of MPI_COMM_WORLD call this. */
void uno_crossovers_agree(void);

#endif
