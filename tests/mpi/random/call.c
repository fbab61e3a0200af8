#include "random.h"

#define FUNCTION call_small
#define FORM(name) MPI_##name
#define COUNTS count
#define PLACES displacement
#include "calls.h"
#undef FUNCTION
#undef FORM
#undef COUNTS
#undef PLACES

#if LARGE_COUNTS
#define FUNCTION call_large
#define FORM(name) MPI_##name##_c
#define COUNTS large_count
#define PLACES large_displacement
#include "calls.h"
#endif

void call_collective(const struct plan *p) {
    int error;
#if LARGE_COUNTS
    error = p->large ? call_large(p) : call_small(p);
#else
    error = call_small(p);
#endif
    if (error != MPI_SUCCESS)
        fail(p->walk, "returned error %d", error);
}
