/* unisono run --count: PEs under an emulator that counts their instructions. */

#ifndef UNO_CLI_COUNT_H
#define UNO_CLI_COUNT_H

#include "launch/request.h"

/* Let all PEs run under qemu's user mode, with the plugin that counts (engine/count.h). The parts get lists
 * of words in memory that the caller frees, in *lists, at the end of the job. Returns NULL, or why that
 * cannot be. */
const char *count_parts(struct uno_launch *launch, char ***lists);

#endif
