#define _GNU_SOURCE
#include "accelerator/host/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char kept[] =
    "UNISONO_MPI_SESSION"; /* tells a rank that it was kept in its launcher's session */

/* The process of Hydra that starts the ranks of a node. It leads a session without a terminal. */
static int is_hydras_proxy(void) {
    const char *name = program_invocation_short_name;
    return !strcmp(name, "hydra_pmi_proxy") || !strcmp(name, "pmi_proxy");
}

/* Replace the C library's setsid. The process that becomes a rank calls it, which is alone in its memory. It
 * still becomes the leader of a process group, by which its launcher ends it. */
__attribute__((visibility("default"))) pid_t setsid(void) {
    if (!is_hydras_proxy() || setenv(kept, "1", 1))
        return (pid_t)syscall(SYS_setsid);
    return setpgid(0, 0) ? -1 : getpid();
}

void uno_session_leave(void) {
    const char *value = getenv(kept);
    /* This is not for a process that a rank has started, which belongs to the rank's group. */
    if (!value || getpgrp() != getpid() || getsid(0) != getppid())
        return;
    /* A leader of a group cannot have a new session: it joins its launcher's group before. */
    if (setpgid(0, getppid()) == 0 && syscall(SYS_setsid) < 0)
        setpgid(0, 0); /* it has left others in its group */
}
