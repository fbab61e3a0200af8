/* Helpers for tables that users read. */

#ifndef UNO_TEXT_H
#define UNO_TEXT_H

#include <stdio.h>

enum { UNO_DURATION = 16 }; /* bytes of the text of a duration */

/* Write a duration as "1.23 ms", with three figures, or "0". Returns text. */
const char *uno_duration(double ns, char text[UNO_DURATION]);

/* Write a bar at the end of a line, up to 30 columns long for a share of 1; nothing if it would be empty. */
void uno_bar(FILE *f, double share);

#endif
