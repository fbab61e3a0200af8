/* The requests of a rank of an MPI program, for unisono ps and unisono inspect. */

#ifndef UNO_CLI_REQUESTS_H
#define UNO_CLI_REQUESTS_H

#include "common/jobs.h"
#include "launch/matches.h"

/* The requests of a job, as JSON and as lines for users. */
struct requests {
    struct uno_requests all;
    struct uno_matches matches;
};

/* Look at a job, whose places are those of uno_places. Return true if there was memory; freed by
 * requests_close in any case. */
bool requests_open(struct requests *requests, const struct found *found, const struct uno_place *place);
void requests_close(struct requests *requests);

/* Return the requests of PE k as a JSON array; null if it is no rank, or they cannot be read. */
json_t *requests_json(struct requests *requests, int k);

#endif
