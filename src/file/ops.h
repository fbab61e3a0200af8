/* The signatures of the operations on files, which have one number together: the detail tells which it is. */

#ifndef UNO_FILE_OPS_H
#define UNO_FILE_OPS_H

#include "engine/signature.h"

enum uno_file_op { UNO_P_OPEN, UNO_P_READ, UNO_P_WRITE, UNO_P_SEEK, UNO_P_CLOSE, UNO_FILE_OP_COUNT };

extern const char *const uno_file_names[UNO_FILE_OP_COUNT];

#endif
