/* unisono sort --check: is a file in order, and does it hold the records of another? */

#ifndef UNO_CLI_SORT_CHECK_H
#define UNO_CLI_SORT_CHECK_H

#include "request.h"

/* Look, and say so. The last file named is the one that is to be in order; a second, named before it, has
 * what its records are to be. Returns the exit status. */
int sort_check(const struct sort_request *request);

#endif
