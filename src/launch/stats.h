/* --stats: the PEs' records, summed up when all have ended, with what their recorded calls tell (NULL: none).
 */

#ifndef UNO_STATS_H
#define UNO_STATS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "calls.h"
#include "engine/job.h"

/* Write a table for users, up to 80 columns wide: the operations by kind, the time that each PE was in
 * operations, and a bar chart of the time that the others waited for it. now: the job's end, CLOCK_MONOTONIC
 * ns. */
void uno_stats_table(FILE *f, struct uno_job *job, const struct uno_calls *calls, uint64_t now);

/* Write the line of the job's simulated unit: its clocks, and the operations on its ports. */
void uno_stats_unit(FILE *f, struct uno_job *job);

/* Return true if there was an operation. */
bool uno_stats_any(struct uno_job *job, const struct uno_calls *calls);

/* Return the same figures as a JSON object; NULL: memory is short. UNO_STATS_FORM: flags of json_dumpf for
 * writing it. */
json_t *uno_stats_json(struct uno_job *job, const struct uno_calls *calls, uint64_t now);
enum { UNO_STATS_FORM = JSON_INDENT(2) | JSON_REAL_PRECISION(12) };

#endif
