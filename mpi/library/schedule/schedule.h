/* Schedules: the steps of this rank in a collective that runs beside the program, or in a neighbourhood or
 * intercommunicator collective. A schedule is built once, as a list of steps, and run once or often. It runs
 * from its first step to its last, as far as possible, whenever the rank is in any call of the library. A
 * step never waits; a fence holds back the steps after it.
 *
 * Its messages are the channels', in contexts that the program cannot use, and each schedule of a
 * communicator has a tag of its own. So many schedules may be under way, and end in any order; between the
 * same two ranks the messages of one schedule match in the order in which both ranks have built them. */

#ifndef UNO_MPI_SCHEDULE_H
#define UNO_MPI_SCHEDULE_H

#include "library/blocking/reductions.h"
#include "library/communicator/comm.h"
#include "library/rank/ops.h"

enum uno_step_kind {
    UNO_STEP_SEND,    /* `in`, bytes, to a PE */
    UNO_STEP_RECEIVE, /* receives from a rank, to receive.data */
    UNO_STEP_MOVE,    /* `in` to `out`, whose types may differ */
    UNO_STEP_COMBINE, /* the data of several ranks to out.at */
    UNO_STEP_FENCE,   /* all that has been asked for must have come before the steps behind it */
};

struct uno_step {
    enum uno_step_kind kind;
    union {
        struct {
            struct uno_data in, out;
            int pe;
        };
        struct uno_receive receive; /* whose envelope is filled in when it is posted */
        struct {
            const struct uno_reduction *how;
            const void **data; /* of each of `ranks`, in their order */
            int ranks;
            size_t count;
            void *result;
        };
    };
    int source; /* the PE that a receive is from */
};

struct uno_schedule {
    struct uno_mpi_comm *comm; /* which lives as long: the request holds it */
    int tag;
    enum uno_schedule_of of;
    enum uno_schedule_form form;
    uint16_t mark;        /* of its messages: what other ranks' calls are compared by */
    struct uno_told told; /* the arguments for error messages; comm is NULL before they are known */
    const void *from;     /* where the program has called for it; NULL: that is not known */
    struct uno_step *step;
    size_t steps, room;
    size_t at;                         /* steps that have been begun */
    size_t settled;                    /* of those, the first ones of which all has come */
    int error;                         /* of this run */
    const struct uno_step *wrong;      /* the receive whose message was too long; NULL: there is none */
    bool *done;                        /* set at its end; NULL: it does not run */
    struct uno_schedule *next, **link; /* of those of the rank that run */
    /* while it is built: moves that come after the next fence */
    struct uno_step *later;
    size_t laters, laters_room;
    /* resources freed with it: memory, and objects that it refers to */
    void **memory;
    size_t memories, memories_room;
    void **object;
    size_t objects, objects_room;
};

/* Return the word that marks its messages. */
static inline uint64_t uno_schedule_word(const struct uno_schedule *s) {
    return uno_channel_word(uno_comm_schedule_context(s->comm), s->tag);
}

/* ---- running ----------------------------------------------------------------------------------------- */

/* Run the schedule; *done is false until it has ended. */
void uno_schedule_start(struct uno_schedule *s, bool *done);

/* Wait until the schedule has ended. */
void uno_schedule_wait(struct uno_schedule *s);

/* Return the error of its last run. */
int uno_schedule_outcome(const struct uno_schedule *s);

/* Free the schedule, when it is no longer needed, or when it ends if it still runs. */
void uno_schedule_free(struct uno_schedule *s);

/* Compare the call of another PE, whose message has a different mark. Unless it fits all the same, the calls
 * do not match, and the job ends. */
void uno_schedule_compare(const struct uno_schedule *s, const struct uno_step *receive) __attribute__((cold));

/* Record the call of a schedule that has been built, so that other ranks can ask for it. */
void uno_schedule_note(const struct uno_schedule *s);

/* End the job if a message of a schedule has not been received when all ranks have come to the end: it
 * belongs to a call that does not match. */
void uno_schedules_compare_left(void);

/* The `describe` function of struct uno_pe: the call that another rank has found to mismatch; or the blocking
 * collective that the rank is in; or the call whose end it waits for, or else the first one that is not
 * complete. */
bool uno_schedule_describe(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes);

/* ---- building ---------------------------------------------------------------------------------------- */

/* Make an empty schedule. Persistent ones may run more than once. All ranks of a communicator must make those
 * of one kind, persistent or not, in the same order. */
struct uno_schedule *uno_schedule_make(struct uno_mpi_comm *comm, enum uno_schedule_of of,
                                       enum uno_schedule_form form);

/* Record the arguments that must be the same on all ranks of the communicator; as uno_tell. */
void uno_schedule_tell(struct uno_schedule *s, MPI_Count count, const struct uno_mpi_type *type,
                       const struct uno_mpi_op *op, int root);

/* End building: the last step has been added. */
void uno_schedule_end(struct uno_schedule *s);

/* Free one whose call was wrong, and return its error: the rank's next one has its tag, as if there had been
 * no call. */
int uno_schedule_refuse(struct uno_schedule *s, int error) __attribute__((cold));

/* Give back the resources of a schedule that does not run, and itself. uno_schedules_end frees what was kept
 * for the next schedule, at the end of the rank. */
void uno_schedule_clear(struct uno_schedule *s);
void uno_schedules_end(void);

/* Return memory of so many bytes that belongs to the schedule. */
void *uno_schedule_room(struct uno_schedule *s, size_t bytes);

/* Hold the object until the schedule is freed. Returns it. */
void *uno_schedule_hold(struct uno_schedule *s, void *object);

/* Return true if this rank is the root: the one that a collective goes to, or comes from. In an
 * intercommunicator ranks are those of the other group, and this rank is none of them. */
static inline bool uno_schedule_is_root(const struct uno_schedule *s, int root) {
    return root == (s->comm->remote ? MPI_ROOT : s->comm->comm.rank);
}

/* Send bytes to a rank, or receive them from it. */
void uno_schedule_send(struct uno_schedule *s, int rank, const void *at, size_t bytes);
void uno_schedule_receive(struct uno_schedule *s, int rank, void *at, size_t bytes);

void uno_schedule_move(struct uno_schedule *s, const struct uno_data *in, const struct uno_data *out);

/* Combine elements. data: in the schedule's memory; result: `count` elements as they travel (reduction.h),
 * which overlap none of the ranks'. */
void uno_schedule_combine(struct uno_schedule *s, const struct uno_reduction *how, const void **data,
                          int ranks, size_t count, void *result);

void uno_schedule_fence(struct uno_schedule *s);

/* ---- elements of any type ------------------------------------------------------------------------------ */

/* Return the packed bytes of elements: in place, if they lie in memory so, or else in the schedule's memory,
 * to which a step moves them. */
const void *uno_schedule_packed(struct uno_schedule *s, const struct uno_data *data);

/* Return the place for the packed bytes of elements; after the next fence they are moved to their
 * destination. */
void *uno_schedule_unpacked(struct uno_schedule *s, const struct uno_data *data);

/* Send elements to a rank, or receive them from it. For no elements nothing is sent, on either side. */
void uno_schedule_give(struct uno_schedule *s, int rank, const struct uno_data *data);
void uno_schedule_take(struct uno_schedule *s, int rank, const struct uno_data *data);

static inline size_t uno_schedule_bytes(const struct uno_data *data) {
    return data->count * data->layout->size;
}

#endif
