/* unisono sort: the PEs that sort, with the memory and the files that they share. */

#ifndef UNO_CLI_SORT_TEAM_H
#define UNO_CLI_SORT_TEAM_H

#include "cli/common/aside.h"
#include "engine/job.h"
#include "exchange/sort/sort.h"
#include "progress.h"
#include "records.h"
#include "request.h"

struct sort_team {
    const struct sort_request *request;
    struct sort_records records;
    struct aside output;
    struct sort_progress progress;
    struct uno_sort sort;           /* of as many records as fit memory */
    char *own;                      /* memory of all PEs for themselves, one after the other */
    uint64_t read, sorted, written; /* ns, which these steps of the last run took PE 0 */
    struct uno_sort_times times[UNO_MAX_PES];
    struct {
        const char *path, *what;
        int error; /* of this PE; 0: none */
    } failed[UNO_MAX_PES];
};

/* Start the PEs, and show how much of the work, in bytes, they have done. Return true if `body` returned 0 at
 * all of them; else what failed has been said. */
bool sort_team_go(struct sort_team *team, uint64_t work, int (*body)(void *argument), void *argument);

/* Sort all of team->records, for which there is memory, into team->output. False: it says why not. */
bool sort_in_memory(struct sort_team *team);

/* Part of a file. */
struct sort_place {
    const char *path;
    int file;
    uint64_t at; /* bytes */
};

struct sort_run {
    uint64_t n;           /* records */
    struct sort_place in; /* where they are, and where they are to be in order */
    struct sort_place out;
    uint64_t next, ahead; /* the records that follow in the same file, and of each PE's part of those the
                             bytes that the system may read while these are sorted */
};

/* Called by every PE: read the records, sort them, and write them. Return true if every PE could. */
bool sort_team_run(struct sort_team *team, const struct sort_run *run);

/* Note what failed at this PE, if error is not 0. Return true if something did. */
bool sort_team_failed(struct sort_team *team, const char *path, const char *what, int error);

#endif
