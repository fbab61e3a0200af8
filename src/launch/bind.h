/* The binding of PEs to processors. */

#ifndef UNO_BIND_H
#define UNO_BIND_H

#include "request.h"

/* Return the number of processors that this process may use, and in *order an array of them, to be freed, in
 * the order in which PEs get them: one of each core first, then the second hardware thread of each core, and
 * so on. Returns -errno on failure. */
int uno_bind_order(int **order);

/* Say on standard error on which processor each PE runs that is started here; order NULL: on which any of
 * them may. */
void uno_bind_show(const int *order, int count, const struct uno_launch *launch);

#endif
