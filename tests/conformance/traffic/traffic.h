/* Random messages between all PEs, each checked by its reader. */

#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <stdint.h>

/* Run one phase: every PE writes `messages` messages to random PEs, itself among them, of random types and
 * lengths, and reads and tests in between in random ways; then it reads all remaining messages. Length and
 * content of a message follow from the seed, the phase, the writer, the reader, the type, and the number of
 * the message among those of the same three; so one that is lost, doubled, out of order or damaged is an
 * error, which ends the job with a line that contains "WRONG". Every PE calls this, with the same arguments,
 * in the group of all PEs. */
void traffic_phase(uint64_t seed, uint64_t phase, long messages);

#endif
