/* The place of libfabric in a build without its headers. */

#include "net.h"

#include <stdio.h>

static struct uno_net *open(const struct uno_net_wishes *wishes, char error[UNO_NET_ERROR]) {
    (void)wishes;
    snprintf(error, UNO_NET_ERROR,
             "This Unisono was built without libfabric, which carries jobs on several machines. Install its "
             "headers (Debian, Ubuntu: libfabric-dev; Fedora: libfabric-devel) and build it again.");
    return NULL;
}

const struct uno_net_kind uno_net_fabric = {.name = "libfabric", .open = open};
