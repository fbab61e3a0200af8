#include "collective/reduction/kernels.h"

const uno_kernel *uno_kernels_of(enum uno_class class, size_t extent) {
#ifdef UNO_KERNELS_WIDE
    if (__builtin_cpu_supports("avx2"))
        return uno_kernels_wide(class, extent);
#endif
    return uno_kernels_plain(class, extent);
}
