/* The names of the operations on arrays. */

#include "ops.h"

#include <stdio.h>

static const char *const names[] = {
#define X(code, name, second, detail) name,
    UNO_EXCHANGE_TABLE(X)
#undef X
};

static const struct {
    const char *second;
    enum uno_exchange_detail detail;
} rows[] = {
#define X(code, name, second, detail) {second, detail},
    UNO_EXCHANGE_TABLE(X)
#undef X
};

static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    unsigned i = 0;
    while (names[i] != name)
        i++;
    if (rows[i].detail == UNO_DETAIL_BYTES)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s (%u bytes modulo 1024)", name, detail);
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "%s", rows[i].second && detail ? rows[i].second : name);
}

static const struct uno_ops exchanges = {
    .first = UNO_OPS_EXCHANGE, .count = sizeof names / sizeof *names, .name = names, .text = describe};
UNO_OPS_REGISTER(exchanges);
