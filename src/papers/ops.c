/* The names of the aggregate operations. */

#include "ops.h"

#include <stdio.h>

static const char *const names[] = {
#define X(name, shape, combine, unused) #name,
    UNO_AGGREGATE_TABLE(X)
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

/* "p_reduceAdd32", "p_reduceAddBits32u with 5 bits" */
static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    unsigned type = detail & 15, bits = (detail >> 4) + 1;
    if (type >= UNO_TYPE_COUNT)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s of unknown type %u", name, type);
    else if (bits == types[type].bits)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s%s", name, types[type].suffix);
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "%sBits%s with %u bits", name, types[type].suffix, bits);
}

static const struct uno_ops aggregates = {
    .first = UNO_OPS_AGGREGATE, .count = sizeof names / sizeof *names, .name = names, .text = describe};
UNO_OPS_REGISTER(aggregates);
