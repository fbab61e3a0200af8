#include "exchange.h"

#include <vertex.h>

/* The type of a message is the direction in which it goes. */
void exchange_standard(const struct part *part) {
    part_pack(part);
    for (int i = 0; i < part->links; i++)
        nwrite(part->link[i].out, part->link[i].bytes, part->link[i].pe, part->link[i].there);
    part_inner(part);
    for (int i = 0; i < part->links; i++) {
        int node = part->link[i].pe, type = part->link[i].back;
        nread(part->link[i].in[0], part->link[i].bytes, &node, &type);
    }
    part_outer(part, 0);
}

static void request(struct exchange *x, int which) {
    for (int i = 0; i < x->part->links; i++) {
        const struct part_link *link = &x->part->link[i];
        nrcvreq(link->in[which], link->bytes, link->pe, &x->came[which][i]);
    }
}

void exchange_open(struct exchange *x, const struct part *part) {
    x->part = part;
    x->round = 0;
    for (int i = 0; i < part->links; i++)
        nextend(part->link[i].pe);
    request(x, 0);
    p_wait(); /* all have requested */
}

void exchange_extended(struct exchange *x, bool last) {
    const struct part *part = x->part;
    int which = x->round++ & 1;
    if (!last)
        request(x, !which);
    part_pack(part);
    for (int i = 0; i < part->links; i++)
        nsend(part->link[i].out, part->link[i].bytes, part->link[i].pe, &x->left[i]);
    part_inner(part);
    for (int i = 0; i < part->links; i++)
        nwait(&x->came[which][i]);
    part_outer(part, which);
    for (int i = 0; i < part->links; i++)
        nwait(&x->left[i]); /* before the next edges are packed */
}

void exchange_close(struct exchange *x) {
    p_wait(); /* all have received */
    for (int i = 0; i < x->part->links; i++)
        nstandard(x->part->link[i].pe);
    p_wait();
}
