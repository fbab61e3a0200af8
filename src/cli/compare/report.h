/* The outcome of unisono compare, for people and for programs. */

#ifndef UNO_COMPARE_REPORT_H
#define UNO_COMPARE_REPORT_H

#include "pairs.h"

/* Write a table of the ten greatest differences, and a sentence that says what to look at. */
void compare_table(const struct compare_run *before, const struct compare_run *after,
                   const struct compare_pairs *pairs);

/* Return all of it; NULL: memory is short. */
json_t *compare_json(const struct compare_run *before, const struct compare_run *after,
                     const struct compare_pairs *pairs);

#endif
