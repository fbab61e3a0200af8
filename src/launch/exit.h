/* The exit statuses of the commands, beside those of the programs that they start. */

#ifndef UNO_EXIT_H
#define UNO_EXIT_H

enum {
    UNO_EXIT_USAGE = 2,
    UNO_EXIT_TIMEOUT = 124,
    UNO_EXIT_DEADLOCK = 125,
    UNO_EXIT_NOT_EXECUTABLE = 126,
    UNO_EXIT_NOT_FOUND = 127,
    UNO_EXIT_SIGNAL = 128, /* + the signal's number */
};

#endif
