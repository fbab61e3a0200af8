/* What the functions of vertex/cube.h have between them. */

#ifndef UNO_CUBE_LOCAL_H
#define UNO_CUBE_LOCAL_H

#include "local.h"
#include "vertex/cube.h"

/* The dimension of the cube that the program sees; ends with an error if it is none. */
int uno_cube_dimension(struct uno_channel *channel, const char *name);

/* This node's number there. */
static inline int uno_cube_node(const struct uno_channel *channel) {
    return channel->pe->me - channel->view.first;
}

#endif
