/* A round of messages, as all its ranks plan it. */

#ifndef MESSAGES_H
#define MESSAGES_H

#include "random.h"

enum { MOST = 24, RANKS = MOST_RANKS, TAGS = 3, LONGEST = 70000 };

/* The ways in which a message is sent. The first four have three forms each. */
enum send_mode { STANDARD, BUFFERED, READY, SYNCHRONOUS, LARGE, WITH_RECEIVE, SEND_MODES };
enum send_form { NOW, BESIDE, OFTEN, SEND_FORMS };

/* The layout of its elements in the sender's memory: adjacent, or in every second place, as so many of a type
 * or as one of a type made for this message alone. */
enum send_layout { DENSE, STRIDED, VECTOR, SEND_LAYOUTS };

struct message {
    int from, to, tag, n;
    enum send_mode mode;
    enum send_form form;
    enum send_layout layout;
    int taken;   /* by a receive */
    int *memory; /* of a send that goes on, which is still the program's */
    MPI_Request request;
};

struct receive {
    int source, tag, mode, strided;
    int *memory; /* LONGEST elements, each second one of twice as many if strided */
    MPI_Status status;
    MPI_Request request;
};

struct round {
    struct world *w;
    struct message message[MOST];
    int messages;
    int open_source, open_tag;
    struct receive receive[MOST];
    int receives, early;
    int early_of[RANKS], late_of[RANKS]; /* receives of each rank: posted before it sends, and not */
    int ready, stops;
    MPI_Datatype strided;
};

/* Send message i; memory: room for two of the longest. */
void messages_send(struct round *p, int i, int *memory);

/* A send that goes on ends. */
void messages_end(struct message *m);

#endif
