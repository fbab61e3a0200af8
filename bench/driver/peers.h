/* Workers that were built without a launcher: the MPI library is the one that is there when they run, as a
 * wheel's. */

#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <jansson.h>
#include <stdbool.h>

/* Complete the description of a peer whose launcher has no folder in it ("mpirun"): with the first of PATH
 * that says of itself what the description has as "says", and with the folder of its library, if that lies
 * beside it. Returns false if there is none. A description that has a folder is complete. */
bool bench_peer_find(json_t *description);

#endif
