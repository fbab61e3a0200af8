/* unisono sort --spill: a file that does not fit memory, by sorted runs in another file, and a merge of them.
 */

#ifndef UNO_CLI_SORT_SPILL_H
#define UNO_CLI_SORT_SPILL_H

#include "team.h"

struct sort_spilled {
    uint64_t runs;
    uint64_t form, merge; /* ns to form the runs, and to merge them */
};

/* Sort all records of team->records into team->output, by runs of as many as the team has memory for. False:
 * it says why not. */
bool sort_spill(struct sort_team *team, struct sort_spilled *spilled);

#endif
