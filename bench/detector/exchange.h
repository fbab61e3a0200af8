/* The exchange between the parts of a picture, by both interfaces of <vertex.h>. Either is called by every PE
 * as often as by the others, and calculates the whole of the result. */

#ifndef SOBEL_EXCHANGE_H
#define SOBEL_EXCHANGE_H

#include <stdbool.h>

#include "part.h"

/* Write, calculate, read, calculate the rest. */
void exchange_standard(const struct part *part);

/* What the extended interface needs between exchanges. The requests to receive are one exchange ahead: a
 * neighbour that has this PE's edges may go on to the next. */
struct exchange {
    const struct part *part;
    int round;
    int came[2][PART_LINKS], left[PART_LINKS]; /* flags */
};

void exchange_open(struct exchange *x, const struct part *part);
void exchange_extended(struct exchange *x, bool last);
void exchange_close(struct exchange *x);

#endif
