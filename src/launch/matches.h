/* The messages and ranks that could match a request of an MPI program, and why nothing can. */

#ifndef UNO_MATCHES_H
#define UNO_MATCHES_H

#include <stdio.h>

#include "requests.h"

/* The places, messages and requests of all PEs of a job. */
struct uno_matches {
    const struct uno_mail *mail;
    const struct uno_place *place;
    const struct uno_requests *requests;
    struct uno_shown_all *shown; /* the messages of each PE, */
    bool *looked;                /* once they have been read */
};

/* Return true if there was memory. The arguments stay until uno_matches_free, which is called in any case. */
bool uno_matches_open(struct uno_matches *matches, const struct uno_mail *mail, const struct uno_place *place,
                      const struct uno_requests *requests);
void uno_matches_free(struct uno_matches *matches);

/* Write what is known of the other side of a request of PE k: "rank 2 has sent tag 8"; or nothing. Return
 * true if nobody can match it any more: the text then says why. */
bool uno_matches_write(FILE *f, struct uno_matches *matches, int k, const struct uno_pending *request);

/* Return the messages of PE k; none if memory is short. */
const struct uno_shown_all *uno_matches_messages(struct uno_matches *matches, int k);

/* Return true if it is a message of the program's that has come to rank k and that nobody has asked for. */
bool uno_matches_unclaimed(const struct uno_shown *message);

/* Find the ranks that have not called for a collective of PE k. Return how many there are. */
int uno_matches_missing(const struct uno_matches *matches, int k, const struct uno_pending *request,
                        uint64_t missing[UNO_WORDS]);

#endif
