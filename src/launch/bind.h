/* Which processor each PE is bound to. */

#ifndef UNO_BIND_H
#define UNO_BIND_H

/* The numbers of the processors that this process may use, in the order in which PEs are given them: one of
 * each core first, then the second hardware thread of each core, and so on. Returns their count, and in
 * *order an array to free; or -errno. */
int uno_bind_order(int **order);

#endif
