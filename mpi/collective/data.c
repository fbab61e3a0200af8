#include "collective/data.h"

const struct uno_layout uno_layout_bytes = {.size = 1, .extent = 1, .true_extent = 1, .plain = true};
