#include "options.h"

#include <errno.h>
#include <stdlib.h>

#include "boot/launch.h"
#include "engine/job.h"

int parse_pes(const char *text, const struct argp_state *state) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (end == text || *end)
        argp_failure(state, UNO_EXIT_USAGE, 0, "-n %s: not a number; say how many PEs, 1 to %d", text,
                     UNO_MAX_PES);
    if (errno || n < 1 || n > UNO_MAX_PES)
        argp_failure(state, UNO_EXIT_USAGE, 0, "-n %s: the number of PEs is 1 to %d", text, UNO_MAX_PES);
    return (int)n;
}
