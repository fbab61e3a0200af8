/* --stats: the PEs' records, summed up when all have ended, with what their recorded calls tell. */

#ifndef UNO_STATS_H
#define UNO_STATS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "recorded.h"

/* Write a table for users, up to 80 columns wide: the operations by kind, the time that each PE was in
 * operations, and a bar chart of the time that the others waited for it. */
void uno_stats_table(FILE *f, const struct uno_recorded *recorded);

/* Write the line of the job's simulated unit: its clocks, and the operations on its ports. */
void uno_stats_unit(FILE *f, struct uno_job *job);

/* Return true if there was an operation. */
bool uno_stats_any(const struct uno_recorded *recorded);

/* Return the same figures as a JSON object; NULL: memory is short. UNO_STATS_FORM: flags of json_dumpf for
 * writing it. */
json_t *uno_stats_json(const struct uno_recorded *recorded);
enum { UNO_STATS_FORM = JSON_INDENT(2) | JSON_REAL_PRECISION(12) };

#endif
