/* Helpers that the functions of vertex/cube.h share. */

#ifndef UNO_CUBE_LOCAL_H
#define UNO_CUBE_LOCAL_H

#include "local.h"
#include "vertex/cube.h"

/* Return the dimension of the cube that the program sees. Ends with an error if the nodes form no cube. */
int uno_cube_dimension(struct uno_channel *channel, const char *name);

/* Return this node's number in the cube. */
static inline int uno_cube_node(const struct uno_channel *channel) {
    return channel->pe->me - channel->view.first;
}

#endif
