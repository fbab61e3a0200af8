/* unisono sort: what is asked for. */

#ifndef UNO_CLI_SORT_REQUEST_H
#define UNO_CLI_SORT_REQUEST_H

#include <stdbool.h>
#include <stdlib.h>

#include "exchange/sort/key.h"
#include "launch/exit.h"

struct sort_request {
    int n;             /* PEs; 0: as many as there are processors, or slots of hosts */
    const char *hosts; /* the machines, as `unisono run` takes them; NULL: this one */
    bool job;          /* the PEs are those of the job that `unisono run` has started */
    const char *key_text;
    struct uno_sort_key key;
    size_t record;
    bool json, check;
    bool raw; /* take the files for records, whatever they look like */
    const char *in, *out;
    const char *spill; /* the folder for parts of a file that does not fit memory, or NULL */
};

enum { SORT_TROUBLE = UNO_EXIT_USAGE, SORT_DISORDER = EXIT_FAILURE }; /* exit statuses */

#endif
