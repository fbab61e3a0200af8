/* The questions of the recording to the library below it. */

#ifndef UNO_SEEN_BELOW_H
#define UNO_SEEN_BELOW_H

#include <stdbool.h>

#include "memory.h"

struct uno_seen_below {
    const char *const *names; /* of all functions, by their numbers */
    unsigned functions;
    uint64_t (*type_size)(uint64_t type);
    /* Find the world's rank of each peer, and in an intercommunicator of each member of the own group; both
     * arrays are to be freed. */
    bool (*members)(uint64_t comm, int *peers, int **peer, int *others, int **other);
    void (*name)(uint64_t comm, char name[UNO_SEEN_NAME]);
    bool (*is_null_comm)(uint64_t comm);
    bool (*is_null_request)(uint64_t request);
    int any_source, any_tag, root;
    bool pes;           /* the ranks are PEs of <papers.h> */
    const char *python; /* in the path of the module by which Python calls it */
};
/* That of this process, from uno_seen_start on. */
extern const struct uno_seen_below *uno_seen_below;

#endif
