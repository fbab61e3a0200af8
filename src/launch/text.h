/* Helpers for tables that users read. */

#ifndef UNO_TEXT_H
#define UNO_TEXT_H

#include <stdio.h>

#include "recorded.h"

enum { UNO_DURATION = 16 }; /* bytes of the text of a duration */

/* Write a duration as "1.23 ms", with three figures, or "0". Returns text. */
const char *uno_duration(double ns, char text[UNO_DURATION]);

/* Write a bar at the end of a line, up to 30 columns long for a share of 1; nothing if it would be empty. */
void uno_bar(FILE *f, double share);

/* Write the number of PE k and the name of its node, or, with NULL, the number alone: "3 on b". Returns text.
 */
enum { UNO_MEMBER = 16 + UNO_HOST_NAME };
const char *uno_member(int k, const char *host, char text[UNO_MEMBER]);

/* Return the width of a column of such texts of n PEs, which is `least` or more. */
int uno_member_width(int least, const struct uno_seats *seats, int n);

#endif
