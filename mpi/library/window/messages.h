/* The messages between the ranks of a window, in the context of its communicator. */

#ifndef UNO_MPI_WINDOW_MESSAGES_H
#define UNO_MPI_WINDOW_MESSAGES_H

#include "library/rank/ops.h"
#include "library/window/window.h"

enum { UNO_WIN_NUMBERS = 1 << 24 /* so many requests are told apart (ask.h) */ };

/* Their tags. From UNO_WIN_TURN on follow as many as there are ranks, and from UNO_WIN_DATA and
 * UNO_WIN_ANSWER on as many as there are numbers of requests. */
enum uno_win_tag {
    UNO_WIN_POST,             /* MPI_Win_post */
    UNO_WIN_COMPLETE,         /* MPI_Win_complete */
    UNO_WIN_ASK,              /* of ask.h: what the target is to do */
    UNO_WIN_TURN = 1 << 16,   /* it is the receiver's turn to have the lock of that rank */
    UNO_WIN_DATA = 1 << 25,   /* what the target needs for the request of that number, */
    UNO_WIN_ANSWER = 1 << 26, /* and its answer */
};

static inline uint64_t uno_win_word(const struct uno_mpi_win *win, int tag) {
    return uno_channel_word(uno_comm_context(win->owner.comm), tag);
}

/* Send a message whose tag says all. */
static inline void uno_win_tell(const struct uno_mpi_win *win, int pe, int tag) {
    uno_channel_send(uno_rank->channel, pe, uno_win_word(win, tag), "", 0, UNO_SIGNATURE_MPI_SEND);
}

/* Post a receive for a message of a PE, or of any (UNO_WILD). */
static inline void uno_win_expect(const struct uno_mpi_win *win, int pe, int tag, void *data, size_t room,
                                  struct uno_receive *receive) {
    *receive = (struct uno_receive){
        .envelope = {.context = uno_comm_context(win->owner.comm), .source = pe, .tag = tag},
        .data = data,
        .room = room};
    uno_channel_post(uno_rank->channel, receive);
}

#endif
