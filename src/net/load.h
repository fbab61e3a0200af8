/* libfabric, loaded when it is needed: nothing is linked with it. Its inline functions go through tables of
 * the objects that it makes; these are the others. */

#ifndef UNO_NET_LOAD_H
#define UNO_NET_LOAD_H

#include "net.h"

#include <rdma/fabric.h>

#define UNO_LIBFABRIC_FUNCTIONS(X)                                                                           \
    X(fi_getinfo, "FABRIC_1.3")                                                                              \
    X(fi_freeinfo, "FABRIC_1.3")                                                                             \
    X(fi_dupinfo, "FABRIC_1.3")                                                                              \
    X(fi_fabric, "FABRIC_1.1")                                                                               \
    X(fi_strerror, "FABRIC_1.0")                                                                             \
    X(fi_version, "FABRIC_1.0")

struct uno_libfabric {
#define X(name, version) __typeof__(&(name)) name;
    UNO_LIBFABRIC_FUNCTIONS(X)
#undef X
};

/* The version of libfabric's interface that is asked for, the oldest that works. */
#define UNO_LIBFABRIC_VERSION FI_VERSION(1, 17)

/* Load libfabric: the file that the environment variable UNISONO_LIBFABRIC names, or the system's. It stays
 * loaded. Returns 0, or -errno and the reason in `error`. */
int uno_libfabric_load(struct uno_libfabric *library, char error[UNO_NET_ERROR]);

#endif
