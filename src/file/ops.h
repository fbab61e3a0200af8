/* The signatures of the operations on files. Those that open, move in and close one have a number together,
 * and the detail tells which it is. */

#ifndef UNO_FILE_OPS_H
#define UNO_FILE_OPS_H

#include "engine/signature.h"

enum uno_file_op {
    UNO_P_OPEN = UNO_SIGNATURE(UNO_OPS_FILE, 0),
    UNO_P_SEEK = UNO_SIGNATURE(UNO_OPS_FILE, 1),
    UNO_P_CLOSE = UNO_SIGNATURE(UNO_OPS_FILE, 2),
    UNO_P_READ = UNO_SIGNATURE(UNO_OPS_FILE + 1, 0),
    UNO_P_WRITE = UNO_SIGNATURE(UNO_OPS_FILE + 2, 0),
    UNO_FILE_OP_END = UNO_OPS_FILE + 3
};

_Static_assert((int)UNO_FILE_OP_END <= UNO_OPS_COLLECTIVE, "the family has a range of numbers");

/* The name of its function. */
const char *uno_file_name(enum uno_file_op op);

#endif
