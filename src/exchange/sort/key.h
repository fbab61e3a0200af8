/* The key of a record: where it lies, and the unsigned number by which it is ordered.
 *
 * Integers are ordered as numbers. Floating-point keys are ordered as IEEE 754's totalOrder: negative NaN,
 * negative numbers, -0, +0, positive numbers, positive NaN. So every pair of different bit patterns has an
 * order, and keys that compare equal are the same bits. */

#ifndef UNO_SORT_KEY_H
#define UNO_SORT_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct uno_sort_key {
    size_t offset;
    unsigned bytes; /* 1, 2, 4 or 8 */
    uint64_t sign;  /* the sign bit of a signed or floating-point type, else 0 */
    uint64_t flip;  /* the bits below it of a floating-point type, which a negative number has the other way
                       round */
};

/* The key of the type with this name (u8 to u64, i8 to i64, f32, f64) at the offset. False: there is no such
 * type. */
bool uno_sort_key(struct uno_sort_key *key, const char *type, size_t offset);

/* The record's key as a number: little-endian, as on the machines that this runs on. What is said of the key
 * beside it is true of it, for a caller that has loops for each size. */
static inline uint64_t uno_sort_read_as(const struct uno_sort_key *key, unsigned bytes, bool floating,
                                        const char *record) {
    uint64_t v = 0;
    memcpy(&v, record + key->offset, bytes);
    if (floating && (v & key->sign))
        v ^= key->flip;
    return v ^ key->sign;
}

/* The bytes of a key with this number, as uno_sort_read_as has them. */
static inline uint64_t uno_sort_bytes(const struct uno_sort_key *key, uint64_t value) {
    uint64_t v = value ^ key->sign;
    return v & key->sign ? v ^ key->flip : v;
}

static inline uint64_t uno_sort_read(const struct uno_sort_key *key, const char *record) {
    return uno_sort_read_as(key, key->bytes, key->flip != 0, record);
}

#endif
