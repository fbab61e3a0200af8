/* The host's part in operations on several nodes: operations among the leaders, and those inside a node that
 * are left to it. The objects are communicators of the host's. */

#ifndef UNO_BETWEEN_H
#define UNO_BETWEEN_H

#include "collective/hierarchy/nodes.h"

extern const struct uno_between uno_between_host;

#endif
