/* A job on several machines, as the user wishes it. */

#ifndef UNO_HOSTS_WISHES_H
#define UNO_HOSTS_WISHES_H

#include "launch/request.h"
#include "list.h"

/* The wishes for the network between PEs. */
struct uno_wishes {
    const char *interface;     /* the network interface or an address; NULL: the system's choice */
    int first_port, last_port; /* 0: any */
};

/* The user's wishes for how agents are started, and how they talk. */
struct uno_far_launch {
    const struct uno_launch
        *launch; /* its parts have the settings of the command line as their environments */
    struct uno_hosts *hosts;
    struct uno_wishes wishes;
    const char *rsh;  /* words of the command that starts an agent on another host; NULL: ssh's */
    const char *self; /* the path of this program */
    double patience;  /* seconds for the start of all agents */
    uint64_t silence; /* ns after which a machine of which nothing is heard is gone; 0: it never is */
};

#endif
