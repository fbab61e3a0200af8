/* The model and its measurements, as text and as JSON. */

#ifndef UNO_MODEL_REPORT_H
#define UNO_MODEL_REPORT_H

#include <jansson.h>

#include "model.h"

void uno_model_print(const struct uno_measured *measured, int n, size_t words);

/* NULL: out of memory. */
json_t *uno_model_json(const struct uno_measured *measured, int n, size_t words);

#endif
