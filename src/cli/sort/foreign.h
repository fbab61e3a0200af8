/* unisono sort: files that are no records, by what they hold. */

#ifndef UNO_CLI_SORT_FOREIGN_H
#define UNO_CLI_SORT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Says it, and returns true, if this file of so many bytes holds an array in NumPy's .npy format, or lines of
 * text that do not end where records of this size do. Text whose lines are records is none of these, nor is
 * text without lines. Looks at the beginning and the end of the file only. */
bool sort_foreign(const char *path, int file, uint64_t bytes, size_t record);

#endif
