/* The groups in which a PE meets others, as the recording knows them: which is the current one, and which the
 * nodes of its cube are. The calling thread is the PE; others, as those of p_team, are not recorded. */

#ifndef UNO_SEEN_GROUPS_H
#define UNO_SEEN_GROUPS_H

#include "observe/call.h"

/* A call of an entry. */
struct uno_seen_entry {
    struct uno_seen_passed m;
    bool on, worked; /* it is recorded; the library has done its work */
};

/* Return the handle of the current group, and of the nodes of this node's cube; 0: there are too many groups,
 * and this one is not known. */
uint64_t uno_seen_group(void);
uint64_t uno_seen_cube(void);

/* Return this node's number in its cube. */
int uno_seen_node(void);

/* Return the sum of one number for each member of the current group. */
uint64_t uno_seen_sum(const size_t *bytes);

/* Begin to record a call, unless the thread is no PE. */
bool uno_seen_begin_entry(struct uno_seen_entry *entry, unsigned function, const void *address,
                          const void *frame, uint64_t members);

/* The library has done its work: what has come of it can be told. */
void uno_seen_worked(struct uno_seen_entry *entry);

/* The call is over. */
void uno_seen_end_entry(struct uno_seen_entry *entry);

/* Declare an entry's call, `entry`, whose end comes with that of the entry, and `begun`: it is
 * recorded. */
#define UNO_SEEN_ENTRY(function, members)                                                                    \
    struct uno_seen_entry entry __attribute__((cleanup(uno_seen_end_entry)));                                \
    bool begun = uno_seen_begin_entry(&entry, uno_seen_number_##function, __builtin_return_address(0),       \
                                      __builtin_frame_address(0), members)

#endif
