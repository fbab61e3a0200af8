/* The kernels for processors with AVX2, of which this file alone is compiled for those. */

#define UNO_KERNELS_OF uno_kernels_wide
#include "collective/reduction/kernels.c"
