/* Elements of a program, of any type and at any address. */

#ifndef UNO_EXCHANGE_ELEMENT_H
#define UNO_EXCHANGE_ELEMENT_H

#include <stdint.h>

typedef uint8_t uno_bytes1 __attribute__((may_alias));
typedef uint16_t uno_bytes2 __attribute__((may_alias, aligned(1)));
typedef uint32_t uno_bytes4 __attribute__((may_alias, aligned(1)));
typedef uint64_t uno_bytes8 __attribute__((may_alias, aligned(1)));
typedef struct {
    uno_bytes8 word[2];
} uno_bytes16;

/* X(bytes) for each size that has loops of its own. */
#define UNO_ELEMENTS(X) X(1) X(2) X(4) X(8) X(16)

#endif
