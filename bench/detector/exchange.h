/* The exchange between the parts of a picture, by both interfaces of <vertex.h>. All PEs call either function
 * equally often; each call calculates the whole result. */

#ifndef SOBEL_EXCHANGE_H
#define SOBEL_EXCHANGE_H

#include <stdbool.h>

#include "part.h"

/* Write, calculate the inner pixels, read, calculate the rest. */
void exchange_standard(const struct part *part);

/* The state of the extended interface between exchanges. Requests to receive are one exchange ahead, since a
 * neighbour that has this PE's edges may go on to the next exchange. */
struct exchange {
    const struct part *part;
    int round;
    int came[2][PART_LINKS], left[PART_LINKS]; /* flags */
};

void exchange_open(struct exchange *x, const struct part *part);
void exchange_extended(struct exchange *x, bool last);
void exchange_close(struct exchange *x);

#endif
