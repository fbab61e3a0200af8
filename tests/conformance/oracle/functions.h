/* Every function of papers.h that PEs meet in, as a table with one way to call them all. Values are carried
 * as bit patterns in 64 bits. The rows follow from types.def and functions.def: a new type or function
 * is in the table without an edit here, unless it has a new shape. */

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

/* A row of papers/functions.def: ROW_p_match is that of p_match32, p_matchWide32, ... */
enum row {
#define X(name, shape, combine, unused) ROW_##name,
    PAPERS_UNTYPED(X, ) PAPERS_FUNCTIONS_ALL(X, ) PAPERS_FUNCTIONS_INTEGER(X, )
#undef X
        ROW_COUNT
};

/* One call: its arguments and its results. */
struct call {
    uint64_t value;  /* d, v or f */
    int source;      /* p_putget's s */
    int bits;        /* for a narrow form */
    bool put;        /* in a broadcast: this PE puts */
    uint64_t result; /* the returned value; a mask of 64 bits is in array[0] */
    uint64_t *array; /* p_gather's, an element for each PE; or a mask. NULL: pass a null pointer */
    int elements;    /* elements of the array */
};

struct function {
    const char *name; /* "p_bcast32" stands for p_bcastPut32 and p_bcastGet32 */
    enum row row;
    const char *combine; /* for a reduction or scan: the column of papers/functions.def; NULL: it is none */
    bool prefix;         /* a scan */
    enum type_number type;
    bool narrow; /* takes bits */
    bool wide;   /* returns a mask in an array */
    void (*call)(struct call *call);
};
extern const struct function functions[];
extern const int function_count;

/* Return true if the function returns a mask of 64 bits. */
static inline bool function_returns_mask(const struct function *f) {
    return (f->row == ROW_p_waitvec || f->row == ROW_p_vote || f->row == ROW_p_match) && !f->wide;
}

/* Print every name of papers.h that the tests use, one a line. */
void functions_print(void);

#endif
