/* What the messages of these tests contain: it follows from who sends which message, so that whoever reads it
 * sees whether it is that one, and all of it in its place.
 *
 * In rows of 256 bytes, so that a sanitizer looks at a row and not at each byte. */

#ifndef TEST_CONTENT_H
#define TEST_CONTENT_H

#include <stddef.h>

/* Write message `number` of node `from`. */
void content_fill(unsigned char *data, size_t bytes, int from, long number);

/* End the test if this is not message `number` of node `from`, read by node `me`. */
void content_check(const unsigned char *data, size_t bytes, int from, long number, int me);

#endif
