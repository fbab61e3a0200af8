/* The atomic and plain cells of the engine's structures under the checker, in C and in C++: each is the
 * number of the checker's object that stands for it, so that the structures keep their layout. */

#ifndef CHECKER_CELLS_H
#define CHECKER_CELLS_H

#include <stdint.h>

typedef struct {
    uint64_t number;
} uno_atomic64;

typedef struct {
    uint32_t number;
} uno_atomic32;

typedef struct {
    uint64_t number;
} uno_plain64;

#endif
