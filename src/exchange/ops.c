/* The names of the operations on arrays. */

#include "ops.h"

#include <stdio.h>

static const char *const names[] = {
#define X(code, name, detail) name,
    UNO_EXCHANGE_TABLE(X)
#undef X
};

static const enum uno_exchange_detail details[] = {
#define X(code, name, detail) detail,
    UNO_EXCHANGE_TABLE(X)
#undef X
};

static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    unsigned i = 0;
    while (names[i] != name)
        i++;
    if (details[i] == UNO_DETAIL_BYTES)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s (%u bytes modulo 1024)", name, detail);
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "%s",
                 UNO_OPS_EXCHANGE + i == UNO_P_ALLOC && detail ? "p_free" : name);
}

static const struct uno_ops exchanges = {
    .first = UNO_OPS_EXCHANGE, .count = sizeof names / sizeof *names, .name = names, .text = describe};
UNO_OPS_REGISTER(exchanges);
