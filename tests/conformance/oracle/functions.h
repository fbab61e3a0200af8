/* Every function of papers.h that PEs meet in, as a table with one way to call them all. Values are carried
 * as bit patterns in 64 bits. The rows follow from types.def: a new type is in the table without an edit
 * here. */

#ifndef TEST_FUNCTIONS_H
#define TEST_FUNCTIONS_H

#include <papers.h>
#include <stdbool.h>

enum kind { UNSIGNED, SIGNED, REAL };

struct type {
    const char *suffix;
    enum kind kind;
    int width;   /* bits that count */
    int storage; /* bits of the C type */
};

enum type_number {
#define X(suffix, type, width) TYPE_##suffix,
    PAPERS_ALL(X)
#undef X
        TYPE_COUNT,
    TYPE_NONE = -1
};
extern const struct type types[TYPE_COUNT];

/* What members receive. */
enum family {
    WAIT,
    WAITVEC,
    ANY,
    ALL,
    PUTGET,
    GATHER,
    REDUCE,
    BCAST,
    SCAN,
    RANK,
    VOTE,
    VOTE_COUNT,
    MATCH,
    MATCH_COUNT
};

/* How a reduction or scan combines. */
enum fold { NONE, ADD, MUL, MIN, MAX, AND, OR };

/* One call: what goes in, and what comes out. */
struct call {
    uint64_t value;  /* d, v or f */
    int source;      /* p_putget's s */
    int bits;        /* of a narrow form */
    bool put;        /* of a broadcast: this PE puts */
    uint64_t result; /* what is returned; a mask of 64 bits is in array[0] */
    uint64_t *array; /* p_gather's, an element for each PE; or a mask. NULL: pass a null pointer */
    int elements;    /* of the array */
};

struct function {
    const char *name; /* "p_bcast32" stands for p_bcastPut32 and p_bcastGet32 */
    enum family family;
    enum fold fold;
    enum type_number type;
    bool narrow; /* takes bits */
    bool wide;   /* returns a mask in an array */
    void (*call)(struct call *call);
};
extern const struct function functions[];
extern const int function_count;

/* Whether it returns a mask of 64 bits. */
static inline bool function_returns_mask(const struct function *f) {
    return (f->family == WAITVEC || f->family == VOTE || f->family == MATCH) && !f->wide;
}

/* Print every name of papers.h that the tests use, one a line. */
void functions_print(void);

#endif
