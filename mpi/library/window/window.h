/* Windows: memory of ranks that other ranks read and change without their help. */

#ifndef UNO_MPI_WINDOW_H
#define UNO_MPI_WINDOW_H

#include "engine/arrays.h"
#include "library/communicator/comm.h"
#include "library/communicator/owner.h"
#include "library/window/lock.h"

struct uno_attachment;
struct uno_remote;

/* The memory of one rank. */
struct uno_win_part {
    char *at;       /* its address in this process; NULL: it is memory of the other rank's process alone */
    uint64_t place; /* its address in the other rank's process; 0 if this rank asks for accesses, whose places
                       count from there on */
    MPI_Aint size;
    int unit;   /* bytes by which displacements are multiplied */
    bool far;   /* the rank is on another node, where its control is */
    bool asked; /* it is, or it lets no other process reach its memory: this rank asks it for accesses (ask.h)
                 */
};

/* The state of accesses to one rank's memory, which the ranks of its node share. Each structure has lines of
 * its own. */
struct uno_win_control {
    struct uno_win_lock lock;                              /* MPI_Win_lock's */
    struct uno_win_hold hold __attribute__((aligned(64))); /* while elements are combined */
};

/* The reason why this rank may access a target. */
enum uno_win_open {
    UNO_WIN_CLOSED,
    UNO_WIN_FENCED,
    UNO_WIN_STARTED,
    UNO_WIN_SHARED,    /* locked */
    UNO_WIN_EXCLUSIVE, /* likewise */
    UNO_WIN_UNCHECKED, /* locked without a lock: MPI_MODE_NOCHECK */
};

/* The epoch that a rank is in, as an origin. */
enum uno_win_epoch { UNO_EPOCH_NONE, UNO_EPOCH_FENCE, UNO_EPOCH_START, UNO_EPOCH_LOCK, UNO_EPOCH_LOCK_ALL };

struct uno_mpi_win {
    struct uno_owner owner;    /* comm: a communicator of its own, in which its messages go */
    int flavor;                /* MPI_WIN_FLAVOR_* */
    int n, me;                 /* ranks, and this rank */
    struct uno_win_part *part; /* of each rank */
    int neighbours, neighbour; /* ranks of this node, and how many of them come before this one */
    int eldest;                /* the first of them */
    struct uno_array array; /* their memory of the job, in which their parts lie, or at least the control */
    struct uno_win_control *control;
    uno_atomic64 *waiting;           /* of the locks: for each rank a table of `places` words */
    uint32_t places;                 /* a power of two */
    struct uno_attachment *attached; /* memory of this rank, of a dynamic window */
    struct uno_remote *remote;       /* ranks ask each other for accesses; NULL: none does */
    enum uno_win_epoch epoch;
    unsigned char *open;           /* for each target: enum uno_win_open */
    int locked;                    /* targets that are locked one by one */
    struct uno_mpi_group *started; /* of MPI_Win_start; or NULL */
    struct uno_mpi_group *posted;  /* of MPI_Win_post; or NULL */
    struct uno_receive *completes; /* the messages by which each of these says that it has completed */
    /* attributes of MPI's own, whose addresses the program gets */
    void *base;
    MPI_Aint size;
    int unit, told_flavor, told_model;
    struct uno_mpi_info *info;
    char name[MPI_MAX_OBJECT_NAME];
};

/* This thread has stored something in a window and has since not ordered it before what it loads. A flush
 * orders only stores, which costs nothing on most processors: the rest is done before the next load. */
extern _Thread_local bool uno_win_unordered;

/* Let this rank load from windows, from now on, after all that it has stored there. */
static inline void uno_win_order(void) {
    if (UNO_UNLIKELY(uno_win_unordered)) {
        uno_fence_full();
        uno_win_unordered = false;
    }
}

static inline struct uno_mpi_win *uno_find_win(MPI_Win win) {
    return uno_object_of((uintptr_t)win, UNO_WIN);
}

/* Take the program's lock of a target, and give it back. The target is on this node. */
void uno_win_take(struct uno_mpi_win *win, int target, bool exclusive, unsigned signature);
void uno_win_give(struct uno_mpi_win *win, int target, bool exclusive);

/* The lock of a target on another node: ask it for the lock, and wait. It is given back by uno_ask_unlock. */
void uno_win_take_far(struct uno_mpi_win *win, int target, bool exclusive, unsigned signature);

/* The other side: take this rank's lock for a rank of another node, which is told when it has the lock. */
void uno_win_take_for(struct uno_mpi_win *win, int origin, bool exclusive);

/* Hold a target's elements for a moment, in which no other rank combines any of them, and let them go. */
void uno_win_hold_slowly(struct uno_mpi_win *win, int target, unsigned signature) __attribute__((cold));
void uno_win_hold_offer(const struct uno_mpi_win *win, int target) __attribute__((cold));
static inline void uno_win_hold(struct uno_mpi_win *win, int target, unsigned signature) {
    if (UNO_UNLIKELY(!uno_hold_try(&win->control[target].hold, win->me)))
        uno_win_hold_slowly(win, target, signature);
}
static inline void uno_win_let_go(const struct uno_mpi_win *win, int target) {
    uno_win_unordered = true;
    if (UNO_UNLIKELY(uno_hold_end(&win->control[target].hold)))
        uno_win_hold_offer(win, target);
}

/* Do what others have asked this rank for, if they ask: it may look for what they do in its memory by calls
 * that need no messages. */
static inline void uno_win_advance(const struct uno_mpi_win *win) {
    if (UNO_UNLIKELY(win->remote != NULL))
        uno_channel_advance(uno_rank->channel);
}

/* Return true if these bytes of this rank are in the dynamic window. */
bool uno_win_has(const struct uno_mpi_win *win, uintptr_t at, size_t bytes);
void uno_win_detach_all(struct uno_mpi_win *win);

/* Return MPI_ERR_RMA_SYNC, with words that say which call finds the window in which epoch. */
int uno_win_out_of_step(const struct uno_mpi_win *win, const char *wants);

#endif
