/* Calls that the PEs' programs share; script.h explains their form. */

#ifndef PE_SCRIPT_H
#define PE_SCRIPT_H

#include <papers.h>
#include <unistd.h>

#include "script.h"

static inline void pe_script_group(const long *number) {
    p_enqueue((uint64_t)number[0]);
}

static inline void pe_script_wait(const long *number) {
    (void)number;
    p_wait();
}

static inline void pe_script_nap(const long *number) {
    usleep((useconds_t)number[0] * 1000);
}

static inline void pe_script_leave(const long *number) {
    (void)number;
    exit(p_exit(0));
}

/* Check out, and go on for a while as another process than a PE. */
static inline void pe_script_linger(const long *number) {
    int status = p_exit(0);
    pe_script_nap(number);
    exit(status);
}

/* clang-format off */
#define PE_SCRIPT_CALLS                                                                                      \
    {"group", pe_script_group}, {"wait", pe_script_wait}, {"nap", pe_script_nap}, {"leave", pe_script_leave},   \
    {"linger", pe_script_linger}
/* clang-format on */

/* Run a program of such calls; after them each PE checks out. */
static inline int pe_script_main(const struct script_call *calls, int argc, char **argv) {
    p_init();
    if (p_iproc() + 1 < argc)
        script_run(calls, argv[p_iproc() + 1]);
    return p_exit(0);
}

#endif
