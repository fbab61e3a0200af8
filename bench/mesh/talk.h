/* The messages of the programs that are measured on a mesh (script/bench-mesh). Each program is compiled
 * twice: with messages of MPI (by_mpi.c), and by hand on the registers of its tile, without a library
 * (by_hand.c). */

#ifndef BENCH_TALK_H
#define BENCH_TALK_H

#include <stdint.h>

/* Begin, and end. All PEs call them. */
void talk_open(int *argc, char ***argv);
void talk_close(void);

int talk_me(void);
int talk_pes(void);

/* Send words to a PE; receive as many from one as it sends next to this one. Both block until the words have
 * gone, or come. */
void talk_send(int to, const uint32_t *words, int n);
void talk_receive(int from, uint32_t *words, int n);

#endif
