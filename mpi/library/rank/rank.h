/* The state of a rank: all that the library knows is reached through one pointer of the thread that is the
 * rank. */

#ifndef UNO_MPI_RANK_H
#define UNO_MPI_RANK_H

#include "collective/lane.h"
#include "collective/reduction/kernels.h"
#include "engine/channel/channel.h"
#include <mpi.h>

enum {
    UNO_COMMUNICATORS = 2048, /* at a time */
    UNO_DETAIL = 256,
    UNO_PREDEFINED_TYPES = 256, /* numbers of them */
    UNO_BEGUN_KEPT = 64,        /* calls; a power of two */
};

struct uno_mpi_comm;
struct uno_mpi_errhandler;
struct uno_mpi_group;
struct uno_mpi_info;
struct uno_mpi_op;
struct uno_mpi_request;
struct uno_mpi_type;
struct uno_keyval;
struct uno_object;
struct uno_schedule;
struct uno_user_error;

enum uno_object_kind {
    UNO_FREED, /* it may be used again for an object of the kind that it was of */
    UNO_COMM,
    UNO_GROUP,
    UNO_TYPE,
    UNO_OP,
    UNO_ERRHANDLER,
    UNO_INFO,
    UNO_REQUEST,
    UNO_MESSAGE,
    UNO_WIN,
    UNO_FILE,
    UNO_SESSION,
    UNO_KINDS,
};

/* A buffer of the program's for buffered sends, which need none; it is only kept. */
struct uno_attached {
    bool there;
    void *at;
    MPI_Count bytes;
};

/* The collective that the rank is in. */
struct uno_told {
    const struct uno_mpi_comm *comm; /* NULL: none, or one of the library's own */
    MPI_Count count;
    const struct uno_mpi_type *type; /* NULL: it has no data, or of several counts */
    const struct uno_mpi_op *op;     /* NULL: it combines nothing */
    int root;                        /* -1: it has none */
};

/* A call of a collective that is a schedule, for as long as it may matter to another rank: its arguments, of
 * whose objects only those that stay. */
struct uno_begun {
    uint64_t word; /* of its messages; 0: there is none */
    unsigned char of, form;
    uint16_t mark;
    const void *from;
    int comm; /* number of its communicator */
    struct uno_told told;
};

/* Objects that have been made. */
struct uno_store {
    struct uno_object **object; /* by number, also freed ones; NULL: there is none of that number any more */
    int objects, room;
    struct uno_object *unused[UNO_KINDS]; /* those freed */
};

struct uno_rank {
    struct uno_pe *pe;
    struct uno_channel *channel;
    struct uno_lane lane;                /* on which its collectives go: those of the same job */
    struct uno_schedule *schedule;       /* the first of those that run */
    struct uno_schedule *spare_schedule; /* for the next one, or NULL */
    struct uno_mpi_comm *world, *self;
    struct uno_mpi_group *empty;
    struct uno_mpi_errhandler *no_file; /* the error handler of MPI_FILE_NULL */
    uint64_t
        free_ids[UNO_COMMUNICATORS / 64]; /* a bit for each number that no communicator of this rank has */
    int chosen;                           /* numbers that it has chosen for copies (copies.c), ever */
    struct uno_store store;
    struct uno_keyval *keyval;
    int keyvals;
    struct uno_mpi_type *own_type[UNO_PREDEFINED_TYPES]; /* what this rank has named, or given attributes */
    const uno_kernel *kernels[UNO_PREDEFINED_TYPES];     /* how elements of each are combined */
    struct uno_mpi_info *env;                            /* MPI_INFO_ENV */
    struct uno_user_error *user_error;
    int user_errors;
    int last_used_code, any_source, proc_null; /* as attributes of MPI's own show them */
    char detail[UNO_DETAIL];                   /* what was wrong in the call that returns an error */
    struct uno_mpi_comm *blamed;  /* whose request that was, if the call names no communicator; or NULL */
    struct uno_mpi_request *sent; /* of all sends that were done when they had begun; NULL: there are none */
    struct uno_attached attached;
    struct uno_told told;
    const void *from; /* where the program has called for the schedule that is about to be made; or NULL */
    struct uno_begun begun[UNO_BEGUN_KEPT]; /* the last calls */
    unsigned begun_ever;
};

/* NULL before MPI_Init and after MPI_Finalize. */
extern _Thread_local struct uno_rank *uno_rank;

/* Info objects of before MPI_Init, which the rank takes over, and those that it leaves behind; one of the
 * process's threads at a time may be at it. */
extern struct uno_store uno_store_outside;

/* Where the objects are that this thread makes. */
static inline struct uno_store *uno_store(void) {
    return __builtin_expect(uno_rank != NULL, 1) ? &uno_rank->store : &uno_store_outside;
}

/* What is wrong, in words for the user. Returns `class`. */
int uno_error(int class, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
