/* The names of the operations on files. */

#include "ops.h"

#include <stdio.h>

static const char *const names[] = {"p_open", "p_read", "p_write"};
static const char *const shared[] = {"p_open", "p_seek", "p_close"}; /* by the detail of the first */

static const char *name_of(unsigned op, unsigned detail) {
    return op == UNO_OPS_FILE && detail < sizeof shared / sizeof *shared ? shared[detail]
                                                                         : names[op - UNO_OPS_FILE];
}

const char *uno_file_name(enum uno_file_op op) {
    return name_of(uno_signature_op(op), uno_signature_detail(op));
}

static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    snprintf(text, UNO_SIGNATURE_TEXT, "%s", name == names[0] ? name_of(UNO_OPS_FILE, detail) : name);
}

static const struct uno_ops files = {
    .first = UNO_OPS_FILE, .count = sizeof names / sizeof *names, .name = names, .text = describe};
UNO_OPS_REGISTER(files);
