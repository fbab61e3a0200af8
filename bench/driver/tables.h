/* unisono bench: the operations of the tables of 1995, or those asked for. */

#ifndef BENCH_DRIVER_TABLES_H
#define BENCH_DRIVER_TABLES_H

#include "results.h"

/* Make the cells that the options ask for; ends the program if there are none. */
void bench_choose_tables(struct bench *b);

/* Measure them, and print the tables if `report`. Returns everything. */
json_t *bench_measure_tables(struct bench *b, bool report);

#endif
