/* The questions of the recording to the MPI library below it. */

#ifndef UNO_SEEN_ABI_H
#define UNO_SEEN_ABI_H

#include <stdbool.h>

#include "observe/memory.h"

struct uno_seen_abi {
    uint64_t (*type_size)(uint64_t type);
    /* Find the world's rank of each peer, and in an intercommunicator of each member of the own group; both
     * arrays are to be freed. */
    bool (*members)(uint64_t comm, int *peers, int **peer, int *others, int **other);
    void (*name)(uint64_t comm, char name[UNO_SEEN_NAME]);
    bool (*is_null_comm)(uint64_t comm);
    bool (*is_null_request)(uint64_t request);
    int any_source, any_tag, root;
};
extern const struct uno_seen_abi uno_seen_abi;

#endif
