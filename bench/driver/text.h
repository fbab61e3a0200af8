/* Numbers and sizes as the reports print them. */

#ifndef BENCH_DRIVER_TEXT_H
#define BENCH_DRIVER_TEXT_H

#include <stdint.h>

/* Print three significant digits, in `width` columns; "-" if value is below 0: not measured. */
void print_number(int width, double value);

/* Return "8 B", "4 KB" or "1 MB", where unit is "B". The text is valid until the next call. */
const char *size_text(uint64_t bytes, const char *unit);

#endif
