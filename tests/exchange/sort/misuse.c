/* Programs that break a rule of p_sort; as tests/conformance/misuse.c. */

#include "misuse.h"

#include <exchange.h>

#include "harness.h"

static void other_records(int me) {
    char data[32] = {0};
    p_sort(data, 1, me ? 16 : 8, "u16", 0);
}

static void other_type(int me) {
    char data[8] = {0};
    p_sort(data, 1, 8, me ? "i16" : "u16", 0);
}

static void other_operation(int me) {
    char data[8] = {0};
    if (me)
        p_sort(data, 1, 8, "u16", 0);
    else
        p_wait();
}

static void no_type(int me) {
    char data[8] = {0};
    (void)me;
    p_sort(data, 1, 8, "u24", 0);
}

static void beyond(int me) {
    char data[8] = {0};
    (void)me;
    p_sort(data, 1, 8, "u16", 7);
}

static void no_data(int me) {
    (void)me;
    p_sort(NULL, 1, 8, "u16", 0);
}

const struct misuse misuses[] = {
    {"other-records", 2, other_records, 0, {"p_sort: mismatch", " of 8 ", " of 16 ", NULL}},
    {"other-type", 2, other_type, 0, {"p_sort: mismatch", "by u16@0", "by i16@0", NULL}},
    {"other-operation", 2, other_operation, 0, {"p_sort", "p_wait", NULL, NULL}},
    {"no-type", 2, no_type, 0, {"p_sort: \"u24\" is no type of a key", NULL, NULL, NULL}},
    {"beyond",
     2,
     beyond,
     0,
     {"p_sort: a key of 2 bytes at byte 7 is not within a record of 8 bytes", NULL, NULL, NULL}},
    {"no-data", 2, no_data, 0, {"p_sort: a null pointer for data", NULL, NULL, NULL}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;
