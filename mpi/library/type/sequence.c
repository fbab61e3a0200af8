#include "library/type/sequence.h"

#include "library/type/parts.h"

enum { PRIME = UNO_SEQUENCE_ANY };

static uint64_t power(uint64_t x, uint64_t n) {
    uint64_t of = 1;
    for (; n; n >>= 1, x = x * x % PRIME)
        if (n & 1)
            of = of * x % PRIME;
    return of;
}

static uint64_t less(uint64_t a, uint64_t b) {
    return (a + PRIME - b) % PRIME;
}

/* Return the sequence that all parts with elements share; if they differ, UNO_SEQUENCE_MIXED. */
static uint32_t alike(const struct uno_mpi_type *t) {
    MPI_Count n = uno_type_parts(t), step = n && uno_type_parts_equal(t) ? n : 1;
    uint32_t first = UNO_SEQUENCE_NONE;
    bool same = true;
    for (MPI_Count i = 0; i < n; i += step) {
        struct uno_part part = uno_type_part(t, i);
        uint32_t one = part.count ? part.type->sequence : UNO_SEQUENCE_NONE;
        if (one == UNO_SEQUENCE_ANY)
            return UNO_SEQUENCE_ANY;
        first = first ? first : one;
        same &= !one || one == first;
    }
    return same ? first : UNO_SEQUENCE_MIXED;
}

uint32_t uno_sequence_of(const struct uno_mpi_type *t) {
    uint32_t one = alike(t);
    uint64_t sum = 0, place = 1; /* x^i */
    if (one != UNO_SEQUENCE_MIXED)
        return one;
    for (MPI_Count i = 0; i < uno_type_parts(t); i++) {
        struct uno_part part = uno_type_part(t, i);
        uint64_t behind = power(UNO_SEQUENCE_STEP, (uint64_t)part.count * (uint64_t)part.type->elements);
        sum = (sum + place * (part.type->sequence * less(1, behind) % PRIME)) % PRIME;
        place = place * behind % PRIME;
    }
    return (uint32_t)(sum * power(less(1, place), PRIME - 2) % PRIME);
}
