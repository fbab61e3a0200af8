/* The difference of two machines' clocks, CLOCK_MONOTONIC, which counts from the start of each. One asks the
 * other what time it is: its answer was given at some time between question and answer, so that of several
 * the one with the least round trip tells most, and half of that is the greatest error. Clocks drift apart,
 * so this is done at the beginning and at the end of a job, and between these the difference changes in
 * proportion to time. */

#ifndef UNO_OFFSET_H
#define UNO_OFFSET_H

#include <stdint.h>

/* A measurement: at this time of the other clock this one was so many ns ahead of it, give or take the error.
 */
struct uno_offset {
    uint64_t at, error; /* error: UINT64_MAX: there was no answer */
    int64_t ahead;
};

struct uno_offsets {
    struct uno_offset first, last;
};

/* No answer has come yet. */
void uno_offset_begin(struct uno_offset *offset);

/* Take in an answer: the other clock's time, and when, by this one, it was asked and has answered. */
void uno_offset_take(struct uno_offset *offset, uint64_t asked, uint64_t other, uint64_t answered);

/* How to convert the other clock's times: these ns are added at the time `at`, and for each ns after it the
 * drift. */
struct uno_conversion {
    uint64_t at, error; /* the greatest error, in ns */
    int64_t ahead;
    double drift;
};

struct uno_conversion uno_offset_conversion(const struct uno_offsets *offsets);

/* Return a time of the other clock as one of this. */
uint64_t uno_offset_convert(const struct uno_conversion *conversion, uint64_t other);

#endif
