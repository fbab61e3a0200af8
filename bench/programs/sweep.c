#include "programs.h"

void field_sweep(const struct field *field, int which) {
    size_t stride = field_stride(field);
    for (int r = 1; r <= field->rows; r++) {
        const float *from = field_row(field, which, r), *above = from - stride, *below = from + stride;
        float *restrict to = field_row(field, !which, r);
        for (int c = 0; c < field->edge; c++)
            to[c] = 0.25f * (above[c] + below[c] + from[c - 1] + from[c + 1]);
    }
}
