/* A long message to another node is written by the network straight from its writer's data to where its
 * reader wants them, so that neither copies them. The writer starts it with a line, and begins with a piece,
 * which lies at the reader's when its answer comes: the place, if a receive asks for the message. All that
 * has not gone by then is written there, and a line behind that says that it has come. A writer whose reader
 * is not at it goes on with pieces, until it learns of the place after all. */

#ifndef UNO_CHANNEL_PLACED_H
#define UNO_CHANNEL_PLACED_H

#include "engine/channel/link/link.h"

/* Bytes from which that pays. */
enum { UNO_PLACED_LEAST = 128 * 1024 };

/* The writer: all of it. Returns when the data may be changed. */
void uno_placed_send(const struct uno_sending *s);

#endif
