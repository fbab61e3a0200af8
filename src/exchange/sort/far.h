/* p_sort in a group whose members are on several machines, which share no memory. */

#ifndef UNO_SORT_FAR_H
#define UNO_SORT_FAR_H

#include "engine/pe.h"
#include "key.h"

/* The records of a member, `n` of them, and how many those before it have together. */
struct uno_sort_far {
    struct uno_pe *pe;
    const struct uno_sort_key *key;
    char *records;
    size_t record; /* bytes of each */
    uint64_t n, before;
};

/* Sort the records of all members. own: as for uno_sort. Returns false at every member if memory is short,
 * and then nothing has been done. */
bool uno_sort_far(const struct uno_sort_far *part, void *own);

#endif
