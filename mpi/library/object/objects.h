/* What MPI's handles name. Each object begins with a struct uno_object, by which a handle is recognized: one
 * that the program has freed is still memory of the library, and says so. */

#ifndef UNO_MPI_OBJECTS_H
#define UNO_MPI_OBJECTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collective/comm.h"
#include "collective/data.h"
#include "collective/reduction/kernels.h"
#include "engine/channel/match.h"
#include "library/rank/rank.h"
#include "library/type/pattern.h"

struct uno_attribute;
struct uno_topology;

struct uno_object {
    uintptr_t
        handle; /* of predefined objects the number that the standard gives them, otherwise the address */
    enum uno_object_kind kind;
    int references;                   /* it is freed with the last one */
    int number;                       /* among all of the rank's objects */
    void (*release)(void *object);    /* frees what it has, with the last reference; or NULL */
    struct uno_object *next;          /* of those that are free */
    struct uno_attribute *attributes; /* the latest first */
};

/* Handles as numbers: those of predefined objects are their own, those of others begin here. */
enum { UNO_FIRST_NUMBER = 4096 };

/* A new object of the kind, zeroed but for its head, which nobody else refers to. handle: of predefined ones,
 * else 0. release: as the head's. */
void *uno_object_make(enum uno_object_kind kind, uintptr_t handle, void (*release)(void *object));

/* One of the kind that has been freed, with the head of a new one, and all else as it was; or NULL. */
static inline void *uno_object_again(enum uno_object_kind kind) {
    struct uno_store *store = &uno_rank->store;
    struct uno_object *o = store->unused[kind];
    if (o) {
        store->unused[kind] = o->next;
        o->kind = kind;
        o->references = 1;
    }
    return o;
}

/* Its last reference has gone: frees what it has. */
void uno_object_free(struct uno_object *object);

/* Its memory may be used again for an object of its kind. */
static inline void uno_object_put_away(struct uno_store *store, struct uno_object *object) {
    object->next = store->unused[object->kind];
    store->unused[object->kind] = object;
    object->kind = UNO_FREED;
}

/* One reference more, or less; NULL has none. Predefined objects that are the same for all ranks, and the
 * empty group, have none either, and stay. */
static inline void *uno_object_hold(void *object) {
    struct uno_object *o = object;
    if (o->references)
        o->references++;
    return object;
}
static inline void uno_object_drop(void *object) {
    struct uno_object *o = object;
    if (o && o->references && !--o->references)
        uno_object_free(o);
}

/* Free all objects of the rank but the info objects of the program, and leave those behind. */
void uno_objects_end(void);

/* The object that is not predefined, if the handle names one of that kind; else NULL. */
static inline void *uno_object_of(uintptr_t handle, enum uno_object_kind kind) {
    enum { PREDEFINED = 4096 };
    struct uno_object *object = (struct uno_object *)handle;
    bool address = handle >= PREDEFINED && handle % _Alignof(max_align_t) == 0;
    return address && object->kind == kind ? object : NULL;
}

/* The object of that number; NULL: there is none. */
static inline struct uno_object *uno_object_numbered(unsigned number) {
    const struct uno_store *store = uno_store();
    return number < (unsigned)store->objects ? store->object[number] : NULL;
}

/* Numbers of the program's: int, or large ones of 64 bits. */
struct uno_numbers {
    const void *at;
    bool large;
};

static inline MPI_Count uno_number(struct uno_numbers n, MPI_Count i) {
    return n.large ? ((const MPI_Count *)n.at)[i] : ((const int *)n.at)[i];
}

/* Ranks, each as its PE. */
struct uno_mpi_group {
    struct uno_object object;
    int size, rank; /* rank: this PE's, or MPI_UNDEFINED */
    int *pe;
};

struct uno_mpi_errhandler {
    struct uno_object object;
    MPI_Comm_errhandler_function *function; /* NULL: a predefined one */
    void *last;                             /* what it gets behind MPI's arguments, */
    bool fortran;                           /* and it is Fortran's */
    bool quiet;    /* a call whose error it has been told of has succeeded for the program: UNO_HANDLED */
    void *face[7]; /* room for a face, which may want it where it is (openmpi_cxx.c) */
};

struct uno_mpi_comm {
    struct uno_object object;
    struct uno_mpi_group *remote; /* of an intercommunicator the other group; else NULL */
    /* the ranks that messages go to and come from: of the other group, or of the one that there is */
    const int *peer; /* the PE of each */
    int *rank_of;    /* of each PE of the job its rank among them; NULL: they are all PEs, in their order */
    int peers;
    int id; /* among the communicators of its ranks, the same on each of them */
    struct uno_mpi_group *group;
    struct uno_comm *both; /* the ranks of both groups of an intercommunicator; or NULL */
    uint32_t schedules[2]; /* that were ever made of it, to be run once, and often */
    char name[MPI_MAX_OBJECT_NAME];
    uint32_t face[4];     /* room for a face, which may want it where it is (openmpi_cxx.c) */
    struct uno_comm comm; /* what the collectives know of it */
    bool first;           /* of an intercommunicator: this rank's group comes first in both */
    struct uno_mpi_errhandler *errhandler;
    struct uno_mpi_info *info;     /* or NULL */
    struct uno_topology *topology; /* or NULL */
    struct uno_attached attached;
};

/* `count` elements of a type from a place on. */
struct uno_part {
    MPI_Count at, count;
    struct uno_mpi_type *type;
};

/* How the program has made a type: what MPI_Type_get_envelope and MPI_Type_get_contents tell. */
struct uno_contents {
    int combiner;
    MPI_Count integers, addresses, counts, types; /* how many there are of each */
    int *integer;
    MPI_Aint *address;
    MPI_Count *count; /* of the large forms */
    struct uno_mpi_type **type;
};

struct uno_mpi_type {
    struct uno_object object;
    struct uno_layout layout; /* what the collectives know of it */
    MPI_Count low, true_low;  /* lower bounds */
    int alignment;            /* to a multiple of which a structure's extent is rounded up */
    bool committed;
    bool low_set, high_set; /* a bound, or that of a part, was set by the program */
    bool stays;             /* the program cannot free it, although it is not among the predefined ones */
    MPI_Count elements;     /* basic ones of one element */
    uint32_t sequence;      /* of the basic types (type/sequence.h), */
    unsigned mark;          /* and what is compared of it */
    struct uno_pattern pattern;
    void *lists; /* of the pattern; or NULL */
    struct uno_contents contents;
    struct uno_part *part; /* of which it is made; NULL: its contents tell (parts.h) */
    int parts;
    const struct uno_mpi_type *same; /* the predefined type that it is by another name, or NULL */
    char name[MPI_MAX_OBJECT_NAME];
};

struct uno_mpi_op {
    struct uno_object object;
    enum uno_operator operator; /* UNO_OPERATORS: the program's */
    void (*function)(void); /* of the program, or NULL: then and without an operator it combines nothing */
    void *last;             /* what that gets behind MPI's arguments; or NULL */
    bool large;             /* that is an MPI_User_function_c */
    bool fortran;           /* that is Fortran's */
    bool commutes;
};

struct uno_pair {
    char *key, *value;
};

struct uno_mpi_info {
    struct uno_object object;
    int pairs;
    struct uno_pair *pair; /* in the order in which they were set */
};

/* A send is done when it has begun (messages.c), but one that may be offered (send.h) when its data have
 * been copied; one that asks, when its receive has begun. */
enum uno_transfer { UNO_SENDS, UNO_OFFERS, UNO_ASKS, UNO_RECEIVES, UNO_OTHER };

struct uno_mpi_request;

/* What is not a message's way in a request of UNO_OTHER, which is done when its receive.done is set. */
struct uno_request_kind {
    int (*tell)(struct uno_mpi_request *request, MPI_Status *status); /* of one that is done; its error */
    int (*cancel)(struct uno_mpi_request *request);
    int (*end)(struct uno_mpi_request *request);    /* it is done, and goes */
    void (*start)(struct uno_mpi_request *request); /* of a persistent one; or NULL */
    void (*wait)(
        struct uno_mpi_request *request); /* until it is done; NULL: going on with messages is enough */
    void (*drop)(void *kept);
    bool stays; /* it may not be freed while it goes on */
};

/* Something that goes on beside the program. */
struct uno_mpi_request {
    struct uno_object object;
    enum uno_transfer what;
    bool persistent, active, cancelled;
    bool freed; /* MPI_Request_free has been called while it went on */
    bool once;  /* a receive as MPI_Irecv begins one, whose data need not be unpacked, and nothing else */
    const struct uno_request_kind *kind; /* of UNO_OTHER */
    void *kept;                          /* by that */
    struct uno_receive receive;          /* of the engine, or the answer to a send; done: of any request */
    struct uno_mpi_comm *comm;           /* held, as the type is, while it is active or persistent */
    struct uno_mpi_type *type;
    void *buffer;
    MPI_Count count;
    int peer, tag;                 /* as the program says them */
    struct uno_schedule *schedule; /* or NULL */
    void *memory; /* packed data that are not delivered, where they do not lie in memory as they are packed */
};

/* A message that MPI_Mprobe has taken out; NULL: it has been received. */
struct uno_mpi_message {
    struct uno_object object;
    struct uno_message *message;
    struct uno_mpi_comm *comm;
};

/* Windows, files and sessions begin with it: objects with an error handler of their own, as communicators
 * have. */
struct uno_owner {
    struct uno_object object;
    struct uno_mpi_errhandler *errhandler; /* held */
    struct uno_mpi_comm *comm;             /* whose ranks it is of, held; or NULL */
};

struct uno_mpi_win {
    struct uno_owner owner;
};

struct uno_mpi_file {
    struct uno_owner owner;
};

struct uno_mpi_session {
    struct uno_owner owner;
};

#endif
