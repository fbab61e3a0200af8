/* The terminal while a picture is on it: pictures replace each other, keys come at once, and what was there
 * before comes back at the end, whichever signal ends the program. */

#ifndef UNO_TOP_SCREEN_H
#define UNO_TOP_SCREEN_H

#include <stdbool.h>

/* Take the terminal. Returns false if standard input or output is none. */
bool screen_open(void);
void screen_close(void);

/* Return the size of the terminal. */
void screen_size(int *lines, int *columns);

/* Show a text in place of what is there; the first line that is a heading is number `heading`. */
void screen_show(const char *text, int heading);

/* Wait for a key, so long in ms. Returns it, or one of these; 0: the time is over. */
enum {
    SCREEN_ENDS = -1,    /* the program is to end */
    SCREEN_CHANGED = -2, /* the screen has another size, or is to be shown again */
};
int screen_key(int ms);

#endif
