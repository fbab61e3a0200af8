/* What the operations on files have between them. */

#ifndef UNO_FILE_LOCAL_H
#define UNO_FILE_LOCAL_H

#include "engine/aside.h"
#include "engine/fault.h"
#include "engine/group.h"
#include "ops.h"
#include "papers/file.h"
#include "engine/arrays.h"
#include "unit/unit.h"

/* Its part that goes through shared memory (window.h). The same at all members, but for the two marked. */
struct uno_window {
    struct uno_array array; /* both halves; at this member's address, or NULL: there is no window */
    bool tried;             /* to make one */
    bool dirty;             /* it has what is not in the file yet */
    unsigned half;          /* in use */
    uint64_t begin, end;    /* of what it has of the file */
    uint64_t ahead;         /* bytes that are read at once */
    int error; /* this member's: of a write that the others have not been told of; an errno, or 0 */
};

/* An open file, as one member knows it. */
struct uno_file {
    uint64_t id; /* the same at all members, and no other file of theirs has it */
    char *path;
    struct uno_group group;  /* that opened it */
    int fd;                  /* this member's own; -1: none yet */
    bool writes;             /* it may be written */
    uint64_t at;             /* the position */
    int error, culprit;      /* with which a write has failed, and at which PE; 0: none has */
    struct uno_aside *aside; /* at the first member, if the file is written anew; otherwise NULL */
    struct uno_window window;
};

/* The files of one PE, and what failed last. */
struct uno_files {
    struct uno_file **file; /* by number; NULL: free */
    int count;
    uint32_t made; /* as the first member */
    char failed[512];
};

/* What a member brings to a meeting. */
struct uno_file_told {
    uint64_t id;     /* of the file; 0: it has none yet */
    uint64_t same;   /* what must be the same at all members */
    uint64_t bytes;  /* of its part, or that it received of it */
    uint64_t wanted; /* that it tried to receive; otherwise as bytes */
    uint64_t error;  /* that it met: an errno, or 0 */
    uint64_t given;  /* by the first member */
};

/* What all have brought. Parts that follow one that is shorter than was wanted count as empty. */
struct uno_file_seen {
    uint64_t before, mine, all, most; /* bytes of the members before this one, its own, of all, of the largest
                                       */
    int error, culprit;               /* the first in PE order, and whose; 0: none */
    uint64_t given;
};

/* Meet. different: what members did that bring another `same`, for the message that ends the job. */
struct uno_file_seen uno_file_meet(struct uno_pe *pe, enum uno_file_op op, const struct uno_file_told *told,
                                   const char *different);

/* The calling PE, whose files are there; and the open file of that number, which its group has opened. End
 * with an error if they are not. */
struct uno_pe *uno_file_pe(enum uno_file_op op);
struct uno_file *uno_file_of(struct uno_pe *pe, enum uno_file_op op, int number);

/* Note for p_fileError what failed so at that PE. Returns -error. */
int uno_file_failed(struct uno_pe *pe, const char *path, const char *what, int error, int culprit);

/* Forget an open file, and what was to become of it. */
void uno_file_free(struct uno_file *file);

#endif
