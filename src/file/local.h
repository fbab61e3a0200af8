/* Structures and helpers that the operations on files share. */

#ifndef UNO_FILE_LOCAL_H
#define UNO_FILE_LOCAL_H

#include "engine/aside.h"
#include "engine/fault.h"
#include "engine/group.h"
#include "ops.h"
#include "papers/file.h"
#include "engine/arrays.h"
#include "unit/unit.h"

/* The window of a file: its part that goes through shared memory (window.h). All fields but dirty and error
 * are the same at all members. */
struct uno_window {
    struct uno_array array; /* both halves; the address is this member's; NULL: there is no window */
    bool tried;             /* the group has tried to make one */
    bool dirty;             /* the window has data that are not in the file yet */
    unsigned half;          /* the half that is in use */
    uint64_t begin, end;    /* the range of the file that the window holds */
    uint64_t ahead;         /* bytes to read at once */
    int error; /* an errno of this member's write that the other members do not know of yet, or 0 */
};

/* One member's view of an open file. */
struct uno_file {
    uint64_t id; /* the same at all members, and different from every other file of theirs */
    char *path;
    struct uno_group group;  /* the group that opened it */
    int fd;                  /* this member's own; -1: none yet */
    bool writes;             /* the file was opened for writing */
    uint64_t at;             /* the position */
    int error, culprit;      /* an errno with which a write has failed, and the PE at which; 0: none has */
    struct uno_aside *aside; /* at the first member, if the file is written anew; otherwise NULL */
    struct uno_window window;
};

/* The open files of one PE, and its last error. */
struct uno_files {
    struct uno_file **file; /* by number; NULL: free */
    int count;
    uint32_t made; /* files that this PE has opened as the first member */
    bool removes;  /* the end of the process removes those that are unfinished */
    char failed[512];
};

/* The values that a member puts into a meeting. */
struct uno_file_told {
    uint64_t id;     /* the file; 0: it has no id yet */
    uint64_t same;   /* a value that must be the same at all members */
    uint64_t bytes;  /* bytes of this member's part, or that it received of it */
    uint64_t wanted; /* bytes that it tried to receive; otherwise as bytes */
    uint64_t error;  /* an errno that it met, or 0 */
    uint64_t given;  /* a value that the first member gives to all */
};

/* The outcome of a meeting. Parts that follow one that is shorter than was wanted count as empty. */
struct uno_file_seen {
    /* the bytes of the members before this one, of its own, of all, and of the largest */
    uint64_t before, mine, all, most;
    int error, culprit; /* the first error in PE order, and its PE; 0: none */
    uint64_t given;
};

/* Meet. different: words for the message that ends the job if members put another `same`. */
struct uno_file_seen uno_file_meet(struct uno_pe *pe, enum uno_file_op op, const struct uno_file_told *told,
                                   const char *different);

/* Return the calling PE, once its list of files exists; and the open file of that number, which the PE's
 * group has opened. End with an error if there is none. */
struct uno_pe *uno_file_pe(enum uno_file_op op);
struct uno_file *uno_file_of(struct uno_pe *pe, enum uno_file_op op, int number);

/* Record an error for p_fileError: what failed, on which file, at which PE. Returns -error. */
int uno_file_failed(struct uno_pe *pe, const char *path, const char *what, int error, int culprit);

/* Close and forget an open file, and discard data that were not to be kept. */
void uno_file_free(struct uno_file *file);

#endif
