/* The signatures of the operations on arrays. */

#ifndef UNO_EXCHANGE_OPS_H
#define UNO_EXCHANGE_OPS_H

#include "engine/signature.h"
#include "exchange/ops.def"

/* The detail is nothing but 1 for the second operation of a number that two have, or the low 10 bits of a
 * number of bytes. */
enum uno_exchange_detail { UNO_DETAIL_NAME, UNO_DETAIL_BYTES };

enum uno_exchange_op {
    UNO_EXCHANGE_NONE = UNO_OPS_EXCHANGE - 1,
#define X(code, name, second, detail) UNO_##code,
    UNO_EXCHANGE_TABLE(X)
#undef X
        UNO_EXCHANGE_END
};

_Static_assert((int)UNO_EXCHANGE_END <= UNO_OPS_MESSAGE, "the family has a range of numbers");

#define UNO_SIGNATURE_P_ALLOC UNO_SIGNATURE(UNO_P_ALLOC, 0)
#define UNO_SIGNATURE_P_FREE UNO_SIGNATURE(UNO_P_ALLOC, 1)
#define UNO_SIGNATURE_P_PERMUTE_PUT UNO_SIGNATURE(UNO_P_PERMUTE_PUT, 0)
#define UNO_SIGNATURE_P_PERMUTE_GET UNO_SIGNATURE(UNO_P_PERMUTE_PUT, 1)

#endif
