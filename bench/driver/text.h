/* Numbers and sizes as the reports print them. */

#ifndef BENCH_DRIVER_TEXT_H
#define BENCH_DRIVER_TEXT_H

#include <stdint.h>

/* Three digits that say something, in so many columns; "-" below 0: not measured. */
void print_number(int width, double value);

/* "8 B", "4 KB", "1 MB", where unit is "B". The text stays until the next call. */
const char *size_text(uint64_t bytes, const char *unit);

#endif
