/* unisono sort --spill: the merge of sorted runs of one file. */

#ifndef UNO_CLI_SORT_MERGE_H
#define UNO_CLI_SORT_MERGE_H

#include "team.h"

struct sort_runs {
    const char *path;
    int file;
    uint64_t n, length, count; /* records of all runs; of each but the last; runs */
};

/* Called by every PE: merge its part of all records into team->output, by way of `bytes` bytes at `memory`,
 * the PE's own. Stable: of equal keys those of an earlier run come first. Whether every PE could. */
bool sort_merge(struct sort_team *team, const struct sort_runs *runs, char *memory, uint64_t bytes);

/* Bytes of memory without which a PE cannot merge so many runs. */
uint64_t sort_merge_least(const struct sort_request *request, uint64_t runs);

#endif
