#include "signature.h"

#include <stdio.h>

const char *uno_signature_text(unsigned signature, char text[UNO_SIGNATURE_TEXT]) {
    static const char *const op_name[] = {"nothing",
#define X(code, name) name,
                                          UNO_OPS(X)
#undef X
    };
    static const struct {
        const char *suffix;
        unsigned bits;
    } types[] = {{"", 1},
#define X(suffix, type, bits) {#suffix, bits},
                 PAPERS_ALL(X)
#undef X
    };
    unsigned op = signature & 63, type = signature >> 6 & 15, bits = (signature >> 10 & 63) + 1;
    if (op >= UNO_MPI_FIRST && op <= UNO_MPI_LAST)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s (%u bytes modulo 1024)", op_name[op], signature >> 6 & 1023);
    else if (op >= UNO_OP_COUNT || type >= UNO_TYPE_COUNT)
        snprintf(text, UNO_SIGNATURE_TEXT, "unknown operation %#x", signature);
    else if (bits == types[type].bits)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s%s", op_name[op], types[type].suffix);
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "%sBits%s with %u bits", op_name[op], types[type].suffix, bits);
    return text;
}
