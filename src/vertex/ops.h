/* The signatures of the operations of messages: UNO_SIGNATURE_NREAD. */

#ifndef UNO_VERTEX_OPS_H
#define UNO_VERTEX_OPS_H

#include "engine/signature.h"
#include "vertex/ops.def"

enum uno_message_op {
    UNO_MESSAGE_NONE = UNO_OPS_MESSAGE - 1,
#define X(code, name, reads, ...) UNO_##code,
    UNO_MESSAGE_TABLE(X)
#undef X
        UNO_MESSAGE_END
};

_Static_assert((int)UNO_MESSAGE_END <= UNO_OPS_TAGGED, "the family has a range of numbers");

enum {
#define X(code, name, reads, ...) UNO_SIGNATURE_##code = UNO_SIGNATURE(UNO_##code, reads),
    UNO_MESSAGE_TABLE(X)
#undef X
};

#endif
