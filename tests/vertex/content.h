/* The content of the messages of these tests: it follows from the sender and the number of the message, so
 * that the reader sees whether it has the right message, and all of it in its place.
 *
 * It has rows of 256 bytes, so that a sanitizer looks at a row and not at each byte. */

#ifndef TEST_CONTENT_H
#define TEST_CONTENT_H

#include <stddef.h>

/* Write message `number` of node `from`. */
void content_fill(unsigned char *data, size_t bytes, int from, long number);

/* End the test if this is not message `number` of node `from`, read by node `me`. */
void content_check(const unsigned char *data, size_t bytes, int from, long number, int me);

#endif
