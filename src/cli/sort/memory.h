/* unisono sort: how much memory there is, and how many records are sorted in it at once. */

#ifndef UNO_CLI_SORT_MEMORY_H
#define UNO_CLI_SORT_MEMORY_H

#include "team.h"

/* Prepare team->sort, with its memory and that of the PEs, for all of team->records; or, if they may be
 * spilled, for as many as there is memory for. False: it says why not. */
bool sort_memory_take(struct sort_team *team);

#endif
