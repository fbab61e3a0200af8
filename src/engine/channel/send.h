/* Which way a message goes. A short one lies in the lines of its ring, and one to this PE itself is matched
 * at once. A long one is copied once, by both PEs (share.h), or in pieces (pieces.h). Where two processors
 * share a core, pieces are copied through a cache of both, three times as fast as the system copies from one
 * process to another; where they do not, it is the other way about; and the host of a virtual machine moves
 * its processors between the two. So a writer times a few messages of each size by either way
 * (engine/trial.h). Or its sender offers it: the data stay where they are until its reader copies them
 * (pull.h), and the answer that it asks for (answers.h) says that it has. */

#ifndef UNO_CHANNEL_SEND_H
#define UNO_CHANNEL_SEND_H

#include "link/link.h"

enum {
    /* Bytes from which one copy by the system may pay, */
    UNO_SHARE_LEAST = 8 * 1024,
    /* and with more PEs than processors, where the reader mostly comes when all of it has been written. Time
     * says nothing there. */
    UNO_SHARE_LEAST_MANY = 512 * 1024,
};

/* Wait until no other thread that is this PE is in the middle of a send: before whatever may send, but for
 * answers. */
void uno_channel_await_writer(struct uno_channel *channel);

/* The part of uno_channel_send that is not in line. signature: with a mark in its upper half
 * (UNO_SIGNATURE_MARKED).
 */
void uno_channel_send_slowly(struct uno_channel *channel, int k, uint64_t word, const void *data,
                             size_t bytes, unsigned signature);

/* Return true if a message of so many bytes to PE k is better offered. While this PE has receives posted it
 * is likely to copy what comes, and cannot copy its own messages as well. With more PEs than processors its
 * reader mostly comes when all of it has been sent. */
bool uno_offer_pays(struct uno_channel *channel, int k, size_t bytes);

/* Offer it. The data may be changed when *answer is done, which must stay where it is until then;
 * uno_channel_finish waits for it. */
void uno_offer_send(const struct uno_sending *s, struct uno_receive *answer);

#endif
