/* Numbers as the reports print them. */

#ifndef BENCH_DRIVER_NUMBERS_H
#define BENCH_DRIVER_NUMBERS_H

enum { NUMBER_TEXT = 32 };

/* Three digits that say something; "-" below 0: not measured. Returns text. */
const char *number_text(double value, char text[NUMBER_TEXT]);

#endif
