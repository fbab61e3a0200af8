/* The queues of the network within one process. Whatever is sent lies in the queue of the endpoint that is to
 * see it, with the time from which on it may. */

#ifndef UNO_NET_INSIDE_QUEUE_H
#define UNO_NET_INSIDE_QUEUE_H

#include "inside.h"

#include <pthread.h>

/* The state of a link, at the endpoint that sends over it. */
struct uno_inside_link {
    struct uno_inside_link *next;
    uint64_t to;
    uint64_t last;  /* the time of the last packet: no later one comes before it */
    uint64_t draws; /* counts random numbers */
    int under_way;  /* packets and writes that have not come */
    bool is_cut;
};

struct uno_inside_memory {
    struct uno_inside_memory *next;
    uint64_t key;
    char *memory;
    size_t bytes;
};

/* An entry of a queue: a packet, a write, or the end of one of them. */
struct uno_inside_item {
    struct uno_inside_item *next;
    uint64_t due;
    enum { PACKET, WRITE, SENT } what;
    const char *failure; /* SENT: why it has failed; NULL: it has not */
    void *context;       /* SENT */
    /* of what is sent, and its end, the other one of the two. NULL once one of them has been seen. */
    struct uno_inside_item *other;

    /* A packet or a write lies in the memory of its sender until it has come or the send is over. */
    struct iovec parts[UNO_NET_PARTS];
    int count;
    uint64_t from, to;      /* its sender, and to whom it goes */
    struct uno_net_key key; /* WRITE: to this memory, */
    size_t at;              /* from this byte on */

    size_t bytes;
    uint64_t data[];
};

struct uno_net {
    struct uno_net *next;
    uint64_t number;
    size_t packet;
    int packets, kept;             /* packets that the caller keeps, at most and now */
    int timer;                     /* its descriptor, */
    uint64_t armed;                /* and when it expires; UINT64_MAX: never */
    struct uno_inside_item *queue; /* in the order of their times */
    struct uno_inside_link *links;
    struct uno_inside_memory *exposed;
    uint64_t keys;
};

/* The network. The lock guards it and all endpoints. */
struct uno_inside {
    pthread_mutex_t lock;
    struct uno_inside_rules rules;
    uint64_t time; /* by hand */
    struct uno_net *first;
    uint64_t opened; /* counts endpoints */
};
extern struct uno_inside uno_inside;

/* Each of these is called with the lock held. */

/* Return the time, in ns. */
uint64_t uno_inside_now(void);

/* Return a number from 0 to n - 1: the k-th one of a link is the same with the same seed. */
uint64_t uno_inside_draw(const struct uno_net *net, struct uno_inside_link *link, uint64_t n);

/* Return the time at which something that is sent now comes, by chance. */
uint64_t uno_inside_draw_due(const struct uno_net *net, struct uno_inside_link *link);

/* Return an endpoint; NULL: it is closed. */
struct uno_net *uno_inside_find(uint64_t number);

/* Return the link to an endpoint; NULL: there is no memory for it. */
struct uno_inside_link *uno_inside_link_to(struct uno_net *net, uint64_t to);

/* Return an item with room for so many bytes of data, for free(); NULL: there is no memory. */
struct uno_inside_item *uno_inside_item(size_t bytes);

/* Put an item into a queue. */
void uno_inside_put(struct uno_net *net, struct uno_inside_item *item);

/* Return the place in the queue of the first item that the caller may see once its time has come. */
struct uno_inside_item **uno_inside_first(struct uno_net *net);

/* Let the descriptor tell of that item. */
void uno_inside_arm(struct uno_net *net);

/* Bring what is sent from its sender's memory into its own. */
void uno_inside_gather(struct uno_inside_item *packet);

/* Make room on its link for more, since this has come or is lost. */
void uno_inside_leave(const struct uno_inside_item *packet);

#endif
