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
    struct uno_sort sort; /* of records that fit memory */
    char *own;            /* memory of all PEs for themselves, one after the other */
    struct {
        uint64_t ns[UNO_SORT_PHASES];
    } times[UNO_MAX_PES];
    struct {
        const char *path, *what;
        int error; /* of this PE; 0: none */
    } failed[UNO_MAX_PES];
};

/* Bytes of memory in which n records of the request can be sorted, with all that the PEs need. */
uint64_t sort_team_need(const struct sort_request *request, uint64_t n);

/* Take it. False: there is none. */
bool sort_team_take(struct sort_team *team, uint64_t n);

/* Part of a file. */
struct sort_place {
    const char *path;
    int file;
    uint64_t at; /* bytes */
};

/* Called by every PE: let the system read the first `bytes` of its part of n records there. */
void sort_team_read_ahead(const struct sort_team *team, const struct sort_place *place, uint64_t n,
                          uint64_t bytes);

/* Called by every PE: read n records from there to `to`, or write those at `from` there, each PE its part.
 * Whether every PE could. */
bool sort_team_read(struct sort_team *team, const struct sort_place *place, char *to, uint64_t n);
bool sort_team_write(struct sort_team *team, const struct sort_place *place, const char *from, uint64_t n);

/* Called by every PE: sort the n records of team->sort.from. Where they are then. */
const char *sort_team_sort(struct sort_team *team, uint64_t n);

/* Note what failed at this PE, if error is not 0. Whether it did. */
bool sort_team_failed(struct sort_team *team, const char *path, const char *what, int error);

/* Afterwards: say what failed, of the first PE at which something did. */
void sort_team_complain(const struct sort_team *team);

#endif
