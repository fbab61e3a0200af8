/* The state of a rank. It is reached through one pointer, which belongs to the thread that is the rank; with
 * several threads to one after the other (threads.h). */

#ifndef UNO_MPI_RANK_H
#define UNO_MPI_RANK_H

#include "collective/lane.h"
#include "collective/reduction/kernels.h"
#include "engine/channel/channel.h"
#include "engine/cpython.h"
#include <mpi.h>

enum {
    UNO_COMMUNICATORS = 2048, /* communicators at a time */
    UNO_DETAIL = 256,
    UNO_PREDEFINED_TYPES = 256, /* range of their numbers */
    UNO_BEGUN_KEPT = 64,        /* recorded calls; a power of two */
    UNO_LOOKED_KEPT = 4,        /* recorded looks in vain */
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
struct uno_io_representation;
struct uno_owner;
struct uno_remote;
struct uno_schedule;
struct uno_user_error;

enum uno_object_kind {
    UNO_FREED, /* may be reused for an object of its old kind */
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

/* The rooms that have work to go on with while the rank waits. */
enum uno_go_on { UNO_GO_ON_SCHEDULES, UNO_GO_ON_WINDOWS, UNO_GOING_ON };

/* A buffer that the program attaches for buffered sends. They do not need it, and it is only kept. */
struct uno_attached {
    bool there;
    void *at;
    MPI_Count bytes;
};

/* The arguments of the collective that the rank is in. */
struct uno_told {
    const struct uno_mpi_comm *comm; /* NULL: none, or one of the library's own */
    MPI_Count count;
    const struct uno_mpi_type *type; /* NULL: it has no data, or of several counts */
    const struct uno_mpi_op *op;     /* NULL: it combines nothing */
    int root;                        /* -1: it has none */
};

/* A recorded call of a collective that is a schedule, for as long as it may matter to another rank: its
 * arguments, and of their objects only those that stay. */
struct uno_begun {
    uint64_t word; /* the word of its messages; 0: none */
    unsigned char of, form;
    uint16_t mark;
    const void *from;
    int comm; /* the number of its communicator */
    struct uno_told told;
};

/* Where the program has called. */
struct uno_called {
    const void *from;             /* the address behind the call; NULL: not known */
    struct uno_cpython_at python; /* likewise in Python */
};

/* Looks for a message that have found none (MPI_Iprobe), since any look has last found one. */
struct uno_looked {
    const struct uno_mpi_comm *comm; /* which may be gone since; NULL: there was no look */
    int source, tag;                 /* as the program has passed them */
    struct uno_called called;        /* the last time */
    uint64_t times;                  /* how often it has looked so */
};

/* The table of a rank's objects. */
struct uno_store {
    struct uno_object **object; /* by number, with freed ones; NULL: no object has that number any more */
    int objects, room;
    struct uno_object *unused[UNO_KINDS]; /* lists of freed objects */
};

struct uno_rank {
    uint64_t layout; /* of what is read from outside: outside/layout.h */
    bool ends;       /* it is in MPI_Finalize */
    bool scheduled;  /* blocking collectives are schedules, of which several may run: a rank has threads */
    struct uno_pe *pe;
    struct uno_channel *channel;
    struct uno_lane lane;      /* the lane of its collectives, in the same job */
    struct uno_remote *remote; /* the first of the windows whose memory this rank accesses for others */
    bool (*go_on[UNO_GOING_ON])(void);   /* waits.h */
    struct uno_schedule *schedule;       /* the first of the running schedules */
    struct uno_schedule *spare_schedule; /* kept for the next schedule, or NULL */
    struct uno_mpi_comm *world, *self;
    struct uno_mpi_group *empty;
    struct uno_mpi_errhandler *no_file;           /* the error handler of MPI_FILE_NULL */
    struct uno_io_representation *representation; /* of data in files, that the program has registered */
    uint64_t
        free_ids[UNO_COMMUNICATORS / 64]; /* a bit for each number that no communicator of this rank has */
    int chosen; /* numbers that this rank has chosen for copies, then where it goes on (agree.c) */
    struct uno_store store;
    struct uno_keyval *keyval;
    int keyvals;
    /* predefined types that this rank has named or given attributes */
    struct uno_mpi_type *own_type[UNO_PREDEFINED_TYPES];
    /* the kernels that combine elements of each predefined type */
    const uno_kernel *kernels[UNO_PREDEFINED_TYPES];
    struct uno_mpi_info *env; /* MPI_INFO_ENV */
    struct uno_user_error *user_error;
    int user_errors;
    int last_used_code, any_source, proc_null; /* the values of MPI's own attributes */
    char detail[UNO_DETAIL];                   /* the words of the present call's error */
    /* the communicator of the failed request, if the call names none; or NULL */
    struct uno_mpi_comm *blamed;
    struct uno_owner *blamed_owner; /* the window of the failed call, if it names none; or NULL */
    /* the request that all sends share that were done when they had begun; NULL: there are none */
    struct uno_mpi_request *sent;
    struct uno_attached attached;
    struct uno_told told;
    /* where the program has called last for something that may go on behind the call; or NULL */
    const void *from;
    struct uno_cpython_here *python;           /* NULL: it is no program of Python's */
    struct uno_looked looked[UNO_LOOKED_KEPT]; /* the last different ones */
    unsigned looked_ever;
    struct uno_begun begun[UNO_BEGUN_KEPT]; /* the last calls */
    unsigned begun_ever;
};

/* This thread's rank. NULL before MPI_Init and after MPI_Finalize; where threads share the rank, also between
 * calls. */
extern _Thread_local struct uno_rank *uno_rank;

/* Info objects made before MPI_Init, which the rank takes over, and those that it leaves behind. One thread
 * of the process at a time may use it. */
extern struct uno_store uno_store_outside;

/* Return the table for objects that this thread makes. */
static inline struct uno_store *uno_store(void) {
    return __builtin_expect(uno_rank != NULL, 1) ? &uno_rank->store : &uno_store_outside;
}

/* Note where the program has called, whose entry has stored that in rank->from. A structure for which this is
 * called again and again is all zeros at first. */
static inline void uno_called_note(struct uno_called *called, const struct uno_rank *rank) {
    called->from = rank->from;
    if (UNO_UNLIKELY(rank->python != NULL))
        called->python = uno_cpython_here(rank->python);
}

/* Record the words of an error for the user. Returns `class`. */
int uno_error(int class, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
