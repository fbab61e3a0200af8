/* unisono sort: how much memory there is, and how many records are sorted in it at once. */

#ifndef UNO_CLI_SORT_MEMORY_H
#define UNO_CLI_SORT_MEMORY_H

#include "team.h"

enum { SORT_SHORT = 4400 /* bytes of a message, which names a file */ };

/* Prepare team->sort, with its memory and that of the PEs, for all of team->records; or, if they may be
 * spilled, for as many as there is memory for. False: it says why not. */
bool sort_memory_take(struct sort_team *team);

/* Return memory for n records, the part of one of so many PEs that sort at the same time on this machine.
 * NULL: it is short, which `wrong` says. */
char *sort_memory_part(const struct sort_request *request, uint64_t n, int pes, char wrong[SORT_SHORT]);

#endif
