/* The results of `unisono torus`, as JSON and as text. */

#ifndef UNO_TORUS_REPORT_H
#define UNO_TORUS_REPORT_H

#include <jansson.h>

#include "table1.h"

/* Report one torus with one schedule, or with none (NULL). */
json_t *uno_torus_json(const struct uno_torus *t, const struct uno_torus_schedule *s,
                       const struct uno_rates *rates);
void uno_torus_print(const struct uno_torus *t, const struct uno_torus_schedule *s,
                     const struct uno_rates *rates);

/* Report Table 1, whose rows have these rates. */
json_t *uno_table1_json(const struct uno_torus *t, const struct uno_rates *rates);
void uno_table1_print(const struct uno_torus *t, const struct uno_rates *rates);

#endif
