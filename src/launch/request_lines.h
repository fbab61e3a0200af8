/* The requests of an MPI program in words, a line each. */

#ifndef UNO_REQUEST_LINES_H
#define UNO_REQUEST_LINES_H

#include "matches.h"

/* The most requests of a rank, and messages to it, that have a line of their own in a report of all PEs. */
enum { UNO_REQUEST_LINES = 100, UNO_MESSAGE_LINES = 10 };

/* Return the name of a kind: "receive", "send" ... */
const char *uno_pending_name(enum uno_pending_kind kind);

/* Write a line for each request of PE k, if it is a rank; of more than `most` only their number. */
void uno_request_lines(FILE *f, struct uno_matches *matches, int k, size_t most);

/* Write a line for each message that has come to PE k and that nobody has asked for, likewise. */
void uno_unclaimed_lines(FILE *f, struct uno_matches *matches, int k, size_t most);

#endif
