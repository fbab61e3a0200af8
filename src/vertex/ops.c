/* The names of the operations of messages. */

#include "ops.h"

static const char *const names[] = {
#define X(code, name, reads) name,
    UNO_MESSAGE_TABLE(X)
#undef X
};

static const struct uno_ops messages = {
    .first = UNO_OPS_MESSAGE, .count = sizeof names / sizeof *names, .name = names};
UNO_OPS_REGISTER(messages);
