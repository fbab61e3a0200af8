#include "offset.h"

/* Clocks of computers are off by less than 100 millionths, and NTP changes their speed by 500 at most. A
 * greater drift is an error of the measurement of a short job. */
static const double MOST_DRIFT = 500e-6;

void uno_offset_begin(struct uno_offset *offset) {
    *offset = (struct uno_offset){.error = UINT64_MAX};
}

void uno_offset_take(struct uno_offset *offset, uint64_t asked, uint64_t other, uint64_t answered) {
    uint64_t error = (answered - asked + 1) / 2;
    if (error < offset->error)
        *offset = (struct uno_offset){other, error, (int64_t)(asked + error - other)};
}

struct uno_conversion uno_offset_conversion(const struct uno_offsets *offsets) {
    const struct uno_offset *first = &offsets->first, *last = &offsets->last,
                            *best = first->error < last->error ? first : last;
    double time = (double)(int64_t)(last->at - first->at);
    double drift = time > 0 ? (double)(last->ahead - first->ahead) / time : 0;
    if (best->error == UINT64_MAX)
        return (struct uno_conversion){.error = UINT64_MAX};
    if (first->error == UINT64_MAX || last->error == UINT64_MAX || time <= 0 || drift > MOST_DRIFT ||
        drift < -MOST_DRIFT)
        return (struct uno_conversion){best->at, best->error + (uint64_t)(time > 0 ? MOST_DRIFT * time : 0),
                                       best->ahead, 0};
    return (struct uno_conversion){first->at, first->error > last->error ? first->error : last->error,
                                   first->ahead, drift};
}

uint64_t uno_offset_convert(const struct uno_conversion *conversion, uint64_t other) {
    double since = (double)(int64_t)(other - conversion->at);
    return other + (uint64_t)conversion->ahead + (uint64_t)(int64_t)(since * conversion->drift);
}
