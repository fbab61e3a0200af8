/* The names of the operations on files. */

#include "ops.h"

#include <stdio.h>

const char *const uno_file_names[UNO_FILE_OP_COUNT] = {"p_open", "p_read", "p_write", "p_seek", "p_close"};

static const char *const names[] = {"p_open to p_close"};

static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    snprintf(text, UNO_SIGNATURE_TEXT, "%s", detail < UNO_FILE_OP_COUNT ? uno_file_names[detail] : name);
}

static const struct uno_ops files = {.first = UNO_OPS_FILE, .count = 1, .name = names, .text = describe};
UNO_OPS_REGISTER(files);
