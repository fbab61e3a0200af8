/* Schedules: what this rank does in a collective beside which the program goes on, or in one of neighbours or
 * of an intercommunicator. It is built once, as a list of steps, and run from its first step to its last,
 * once or often, as far as it can be, whenever the rank is in any call of the library. A step never waits; a
 * fence holds back those behind it.
 *
 * Its messages are the channels', in contexts that the program has not got, and each schedule of a
 * communicator has a tag of its own. So many may be on their way, and end in any order; and between the same
 * two ranks those of one schedule match in the order in which both have built them. */

#ifndef UNO_MPI_SCHEDULE_H
#define UNO_MPI_SCHEDULE_H

#include "library/blocking/reductions.h"
#include "library/communicator/comm.h"
#include "library/rank/ops.h"

enum uno_step_kind {
    UNO_STEP_SEND,    /* `in`, bytes, to a PE */
    UNO_STEP_RECEIVE, /* what comes from one, to receive.data */
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
    struct uno_told told; /* what it is told by in errors; its comm is NULL before it is known */
    const void *from;     /* where the program has called for it; NULL: that is not known */
    struct uno_step *step;
    size_t steps, room;
    size_t at;                         /* steps that have been begun */
    size_t settled;                    /* of those, the first ones of which all has come */
    int error;                         /* of this run */
    const struct uno_step *wrong;      /* the receive whose message was too long; NULL: there is none */
    bool *done;                        /* set at its end; NULL: it does not run */
    struct uno_schedule *next, **link; /* of those of the rank that run */
    /* while it is built: moves that come behind the next fence */
    struct uno_step *later;
    size_t laters, laters_room;
    /* what goes with it: memory, and objects that it refers to */
    void **memory;
    size_t memories, memories_room;
    void **object;
    size_t objects, objects_room;
};

/* Return the word by which its messages are told. */
static inline uint64_t uno_schedule_word(const struct uno_schedule *s) {
    return uno_channel_word(uno_comm_schedule_context(s->comm), s->tag);
}

/* ---- running ----------------------------------------------------------------------------------------- */

/* Run it; *done is false until it has ended. */
void uno_schedule_start(struct uno_schedule *s, bool *done);

/* Wait until it has ended. */
void uno_schedule_wait(struct uno_schedule *s);

/* What was wrong in its last run. */
int uno_schedule_outcome(const struct uno_schedule *s);

/* It is not needed any more, whether it has ended or not. */
void uno_schedule_free(struct uno_schedule *s);

/* A message of another PE's call has another mark: unless it fits all the same, they are in different calls,
 * and the job ends. */
void uno_schedule_compare(const struct uno_schedule *s, const struct uno_step *receive) __attribute__((cold));

/* The schedule has been built: other ranks may ask for its call from now on. */
void uno_schedule_note(const struct uno_schedule *s);

/* All ranks have come to the end: what nobody has received of a schedule is of a call that does not fit, and
 * the job ends. */
void uno_schedules_compare_left(void);

/* As struct uno_pe's describe: the call of which another rank has found that it does not fit; or the blocking
 * collective that the rank is in; or the call whose end it waits for, or else the first one that is not
 * complete. */
bool uno_schedule_describe(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes);

/* ---- building ---------------------------------------------------------------------------------------- */

/* An empty one. Those that are made may be run more than once. All ranks of a communicator make those of one
 * kind, these or all others, in the same order. */
struct uno_schedule *uno_schedule_make(struct uno_mpi_comm *comm, enum uno_schedule_of of,
                                       enum uno_schedule_form form);

/* All ranks of the communicator say this alike in such a call, and they know that others do; as uno_tell's.
 */
void uno_schedule_tell(struct uno_schedule *s, MPI_Count count, const struct uno_mpi_type *type,
                       const struct uno_mpi_op *op, int root);

/* The last step is there. */
void uno_schedule_end(struct uno_schedule *s);

/* Give back what one that does not run has, and itself. uno_schedules_end: what was kept of that for the next
 * one; at the end of the rank. */
void uno_schedule_clear(struct uno_schedule *s);
void uno_schedules_end(void);

/* Memory that is the schedule's, for so many bytes. */
void *uno_schedule_room(struct uno_schedule *s, size_t bytes);

/* The object stays until the schedule is freed. Returns it. */
void *uno_schedule_hold(struct uno_schedule *s, void *object);

/* Of an intercommunicator ranks are those of the other group, and none of them is this one. Whether this rank
 * is the one that a collective goes to, or comes from: */
static inline bool uno_schedule_is_root(const struct uno_schedule *s, int root) {
    return root == (s->comm->remote ? MPI_ROOT : s->comm->comm.rank);
}

/* So many bytes to a rank, and from it. */
void uno_schedule_send(struct uno_schedule *s, int rank, const void *at, size_t bytes);
void uno_schedule_receive(struct uno_schedule *s, int rank, void *at, size_t bytes);

void uno_schedule_move(struct uno_schedule *s, const struct uno_data *in, const struct uno_data *out);

/* data: of the schedule's memory; result: `count` elements as they travel (reduction.h), which overlap none
 * of the ranks'. */
void uno_schedule_combine(struct uno_schedule *s, const struct uno_reduction *how, const void **data,
                          int ranks, size_t count, void *result);

void uno_schedule_fence(struct uno_schedule *s);

/* ---- elements of any type ------------------------------------------------------------------------------ */

/* Their bytes, packed: where they are, if they lie in memory so, or else in memory of the schedule's, to
 * which they are moved by a step. */
const void *uno_schedule_packed(struct uno_schedule *s, const struct uno_data *data);

/* Where their packed bytes may come: behind the next fence they are moved to where they belong. */
void *uno_schedule_unpacked(struct uno_schedule *s, const struct uno_data *data);

/* Elements to a rank, and from it. Of none nothing is sent, on either side. */
void uno_schedule_give(struct uno_schedule *s, int rank, const struct uno_data *data);
void uno_schedule_take(struct uno_schedule *s, int rank, const struct uno_data *data);

static inline size_t uno_schedule_bytes(const struct uno_data *data) {
    return data->count * data->layout->size;
}

#endif
