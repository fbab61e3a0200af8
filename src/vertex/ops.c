/* The names of the operations of messages. */

#include "ops.h"

#include <stddef.h>

static const char *const names[] = {
#define X(code, name, ...) name,
    UNO_MESSAGE_TABLE(X)
#undef X
};

static struct uno_peer_words peer(unsigned signature) {
    static const struct uno_peer_words words[] = {
#define X(code, name, reads, before, type) {before, type, false},
        UNO_MESSAGE_TABLE(X)
#undef X
    };
    return words[uno_signature_op(signature) - UNO_OPS_MESSAGE];
}

static const struct uno_ops messages = {
    .first = UNO_OPS_MESSAGE, .count = sizeof names / sizeof *names, .name = names, .peer = peer};
UNO_OPS_REGISTER(messages);
