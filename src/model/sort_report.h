/* Table 3, for people and as JSON. */

#ifndef UNO_MODEL_SORT_REPORT_H
#define UNO_MODEL_SORT_REPORT_H

#include <jansson.h>

#include "sort_model.h"

void uno_model_sort_print(const struct uno_sort_measured measured[UNO_MODEL_KEYS]);

/* NULL: out of memory. */
json_t *uno_model_sort_json(const struct uno_sort_measured measured[UNO_MODEL_KEYS]);

#endif
