/* The PEs that sort together, and what each of them spends its time on. */

#ifndef UNO_SORT_CREW_H
#define UNO_SORT_CREW_H

#include <stdint.h>

struct uno_sort_crew {
    int pes, me;
    void (*wait)(void); /* a barrier among them */
};

static inline void uno_sort_meet(const struct uno_sort_crew *crew) {
    if (crew->pes > 1)
        crew->wait();
}

/* Return where the part of PE `me` begins, if `pes` PEs divide n things evenly; it ends where the part of the
 * next PE begins. */
static inline uint64_t uno_sort_part(uint64_t n, int me, int pes) {
    return (uint64_t)((unsigned __int128)n * (unsigned)me / (unsigned)pes);
}

/* The begin and the end of this PE's own part of n things. */
static inline uint64_t uno_sort_begin(const struct uno_sort_crew *crew, uint64_t n) {
    return uno_sort_part(n, crew->me, crew->pes);
}

static inline uint64_t uno_sort_end(const struct uno_sort_crew *crew, uint64_t n) {
    return uno_sort_part(n, crew->me + 1, crew->pes);
}

enum uno_sort_phase {
    UNO_SORT_SAMPLE, /* the range of the keys, and which belong to which bucket */
    UNO_SORT_COUNT,
    UNO_SORT_SCATTER,
    UNO_SORT_LOCAL,  /* each bucket by one PE, within the caches */
    UNO_SORT_GATHER, /* of records that are not moved until the order of their keys is known */
    UNO_SORT_PHASES
};

/* The time that a PE has spent in each phase of a sort. */
struct uno_sort_times {
    uint64_t ns[UNO_SORT_PHASES]; /* in a phase, without the wait for others at its end */
};

#endif
