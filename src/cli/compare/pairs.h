/* Which row of one run is which of the other. */

#ifndef UNO_COMPARE_PAIRS_H
#define UNO_COMPARE_PAIRS_H

#include "runs.h"

/* A place in both runs, or in one of them: then the other row is NULL. */
struct compare_pair {
    const struct compare_row *before, *after;
    double more, waited_more; /* s of a rank after, less those before */
};

struct compare_pairs {
    int count;
    struct compare_pair *pair; /* the greatest differences first, of either sign */
};

/* Find the pairs. Rows are the same if function and place are. An edit moves lines: where a function is
 * called from a file equally often in both runs, the calls are the same in the order of their lines;
 * otherwise those on the same line are, and the last one on each side if only one is left. A file in another
 * folder counts as the same if nothing was found in its own. Returns false if memory is short. */
bool compare_find(struct compare_pairs *pairs, struct compare_run *before, struct compare_run *after);

#endif
