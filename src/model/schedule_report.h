/* Costs of schedules, for people and as JSON. */

#ifndef UNO_MODEL_SCHEDULE_REPORT_H
#define UNO_MODEL_SCHEDULE_REPORT_H

#include <jansson.h>

#include "schedule_model.h"

/* The numbers of PEs, and of those of a node, each with each. */
struct uno_schedule_sweep {
    const int *pes, *per_node;
    int pes_count, per_node_count;
    bool op[UNO_SCHEDULE_OPS]; /* which operations */
    int type, header;          /* of struct uno_schedule_case */
    struct uno_loggp net;
};

void uno_model_schedule_print(const struct uno_schedule_sweep *sweep);

/* NULL: out of memory. */
json_t *uno_model_schedule_json(const struct uno_schedule_sweep *sweep);

#endif
