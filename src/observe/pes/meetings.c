/* The entries of functions in which all members of a group meet. */

#include "groups.h"
#include "next.h"

/* The bytes of a value of each type. */
#define PAPERS_ROW(suffix, type, width) bytes_of_##suffix = sizeof(type),
enum { PAPERS_ALL(PAPERS_ROW) };
#undef PAPERS_ROW

static void begin(struct uno_seen_entry *entry, unsigned function, const void *address, const void *frame,
                  uint64_t members, int root, uint64_t bytes) {
    if (!uno_seen_begin_entry(entry, function, address, frame, members))
        return;
    uno_seen_meet(&entry->m, root, bytes);
    uno_seen_go(&entry->m, false);
}

#define MEET(result, name, symbol, parameters, arguments, members, root, bytes)                              \
    result symbol parameters {                                                                               \
        struct uno_seen_entry entry __attribute__((cleanup(uno_seen_end_entry)));                            \
        begin(&entry, uno_seen_number_##name, __builtin_return_address(0), __builtin_frame_address(0),       \
              uno_seen_##members(), root, bytes);                                                            \
        return uno_seen_next.symbol arguments;                                                               \
    }
#define TYPED(result, name, suffix, parameters, arguments)                                                   \
    MEET(result, name, name##suffix, parameters, arguments, group, -1,                                       \
         sizeof #arguments > sizeof "()" ? bytes_of_##suffix : 0)
#define UNO_SEEN_TYPED TYPED
#include "typed.def"

#define UNTYPED(result, name, parameters, arguments, members, root, bytes)                                   \
    MEET(result, name, name, parameters, arguments, members, root, bytes)
UNO_SEEN_MEETINGS(UNTYPED)
