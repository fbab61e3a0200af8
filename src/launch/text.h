/* What tables for people have in common. */

#ifndef UNO_TEXT_H
#define UNO_TEXT_H

#include <stdio.h>

enum { UNO_DURATION = 16 }; /* bytes of the text of a duration */

/* "1.23 ms": three figures, or "0". Returns text. */
const char *uno_duration(double ns, char text[UNO_DURATION]);

/* A bar at the end of a line, up to 30 columns long for a share of 1; nothing if it would be empty. */
void uno_bar(FILE *f, double share);

#endif
