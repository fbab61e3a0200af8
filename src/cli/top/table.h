/* A picture of the job: a line for each PE. */

#ifndef UNO_TOP_TABLE_H
#define UNO_TOP_TABLE_H

#include <jansson.h>
#include <stdio.h>

#include "sample.h"

/* The orders of the lines, each by a key of its own. */
enum top_order { TOP_BY_PE, TOP_BY_WAITING, TOP_BY_AWAITED, TOP_ORDERS };
extern const struct top_order_key {
    char key;
    const char *name;
} top_order_key[TOP_ORDERS];

struct top_view {
    enum top_order order;
    bool reversed;
    int lines, columns; /* at most; 0: any number */
};

/* Write the picture: the job, the headings, and as many PEs as there is room for, with the rest in one line.
 */
void top_table(FILE *f, const struct top *top, const struct top_view *view);

/* Return it as an object, with all PEs. */
json_t *top_json(const struct top *top);

#endif
