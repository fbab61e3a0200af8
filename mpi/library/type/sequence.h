/* The type signature of a data type, the sequence of its basic types, as one number. By it ranks whose types
 * do not fit are detected in collectives, where only the bits of a mark can be compared (collectives.h).
 *
 * Elements of a type are repeated as often as the call says, so the number must be the same for a sequence
 * and for its repetitions: two of (int, int) are four of int. So it is the number of the sequence repeated
 * without end. With a number c for each basic type, of which a sequence of n has c(0), c(1) ..., it is the
 * sum of c(i) x^i, times (1 - x) / (1 - x^n), in the field of a prime; for one basic type that is c itself.
 *
 * Numbers of one kind and size count as one basic type, whatever their sign, name and language: all MPI
 * libraries exchange them, and their meaning is the program's affair. A complex number has the type of its
 * two parts. MPI_BYTE and MPI_PACKED fit everything, and so does a type that contains one of them. */

#ifndef UNO_MPI_SEQUENCE_H
#define UNO_MPI_SEQUENCE_H

#include <stdint.h>

enum {
    UNO_SEQUENCE_NONE, /* no elements */
    UNO_SEQUENCE_INTEGER_1,
    UNO_SEQUENCE_INTEGER_2,
    UNO_SEQUENCE_INTEGER_4,
    UNO_SEQUENCE_INTEGER_8,
    UNO_SEQUENCE_REAL_4,
    UNO_SEQUENCE_REAL_8,
    UNO_SEQUENCE_LARGER,           /* any kind of 16 bytes */
    UNO_SEQUENCE_MIXED,            /* sequences of several types begin here */
    UNO_SEQUENCE_ANY = 0x7fffffff, /* fits everything; the prime, so that no sequence has it */
};

/* The number of an integer, or of another element of so many bytes that is no real number. */
#define UNO_SEQUENCE_INTEGER(size)                                                                           \
    ((size) == 1   ? UNO_SEQUENCE_INTEGER_1                                                                  \
     : (size) == 2 ? UNO_SEQUENCE_INTEGER_2                                                                  \
     : (size) == 4 ? UNO_SEQUENCE_INTEGER_4                                                                  \
     : (size) == 8 ? UNO_SEQUENCE_INTEGER_8                                                                  \
                   : UNO_SEQUENCE_LARGER)

/* The number of an arithmetic type of C. */
#define UNO_SEQUENCE_OF(c_type)                                                                              \
    _Generic((c_type)0, float                                                                                \
             : UNO_SEQUENCE_REAL_4, float _Complex                                                           \
             : UNO_SEQUENCE_REAL_4, double                                                                   \
             : UNO_SEQUENCE_REAL_8, double _Complex                                                          \
             : UNO_SEQUENCE_REAL_8, long double                                                              \
             : UNO_SEQUENCE_LARGER, long double _Complex                                                     \
             : UNO_SEQUENCE_LARGER, default                                                                  \
             : UNO_SEQUENCE_INTEGER(sizeof(c_type)))

/* x, all of whose powers differ, and 1 / (1 + x). */
enum { UNO_SEQUENCE_STEP = 16807, UNO_SEQUENCE_HALF = 87008351 };

/* The number of a sequence of two elements. */
#define UNO_SEQUENCE_PAIR(a, b)                                                                              \
    ((uint32_t)(((a) + (uint64_t)(b)*UNO_SEQUENCE_STEP) % UNO_SEQUENCE_ANY * UNO_SEQUENCE_HALF %             \
                UNO_SEQUENCE_ANY))

/* The part of a sequence in the 9 bits of a mark: one of 31 patterns, 7 of them for one basic type each, or 0
 * if everything fits. Their low bits are not those in which numbers of bytes differ, as those are mostly
 * multiples of 4. */
enum { UNO_SEQUENCE_MARKS = 32, UNO_SEQUENCE_LOW = 5 };
#define UNO_SEQUENCE_MARK(sequence)                                                                          \
    ((sequence) == UNO_SEQUENCE_NONE || (sequence) == UNO_SEQUENCE_ANY                                       \
         ? 0                                                                                                 \
         : ((sequence) < UNO_SEQUENCE_MIXED                                                                  \
                ? (sequence)                                                                                 \
                : UNO_SEQUENCE_MIXED + (sequence) % (UNO_SEQUENCE_MARKS - UNO_SEQUENCE_MIXED))               \
                   << 4 |                                                                                    \
               UNO_SEQUENCE_LOW)

struct uno_mpi_type;

/* Return the number of a type that is made of others. */
uint32_t uno_sequence_of(const struct uno_mpi_type *type);

#endif
