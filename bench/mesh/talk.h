/* The messages of the programs that `unisono bench mesh` measures. Each program is compiled twice: with
 * messages of MPI (by_mpi.c), and by hand on the registers of its tile, without a library (by_hand.c). */

#ifndef BENCH_TALK_H
#define BENCH_TALK_H

#include <stdint.h>

/* Begin, and end. All PEs call them. */
void talk_open(int *argc, char ***argv);
void talk_close(void);

int talk_me(void);
int talk_pes(void);

/* Send words of 32 bits to a PE; receive as many from one as it sends next to this one. Both block until the
 * words have gone, or come. */
void talk_send(int to, const void *data, int words);
void talk_receive(int from, void *data, int words);

/* All PEs call these: words of PE 0 go to all; each PE gets its share of words of PE 0, in the order of PEs,
 * or gives it back; PE 0 gets the sum of all numbers, and any other PE part of it. */
void talk_broadcast(void *data, int words);
void talk_scatter(const void *all, void *mine, int share);
void talk_gather(const void *mine, void *all, int share);
double talk_sum(double mine);

#endif
