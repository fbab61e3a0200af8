/* Calls of the PAPERS functions, as script.h says; after them each PE checks out. */

#include <exchange.h>
#include <papers.h>
#include <unistd.h>

#include "script.h"

static void group(const long *number) {
    p_enqueue((uint64_t)number[0]);
}

static void wait_for_all(const long *number) {
    (void)number;
    p_wait();
}

static void add(const long *number) {
    (void)number;
    p_reduceAdd32(1);
}

static void gather(const long *number) {
    (void)number;
    int64_t all[1024];
    p_gather64(all, 1);
}

static void put(const long *number) {
    p_bcastPut32((int)number[0]);
}

static void get(const long *number) {
    (void)number;
    p_bcastGet32();
}

static void exchange(const long *number) {
    (void)number;
    int64_t in[64] = {0}, out[64];
    p_allToAll(out, in, sizeof *in);
}

static void nap(const long *number) {
    usleep((useconds_t)number[0] * 1000);
}

static void interrupt(const long *number) {
    (void)number;
    p_interrupt();
}

static void leave(const long *number) {
    (void)number;
    exit(p_exit(0));
}

int main(int argc, char **argv) {
    static const struct script_call calls[] = {{"group", group},
                                               {"wait", wait_for_all},
                                               {"add", add},
                                               {"gather", gather},
                                               {"put", put},
                                               {"get", get},
                                               {"exchange", exchange},
                                               {"nap", nap},
                                               {"interrupt", interrupt},
                                               {"leave", leave},
                                               {0}};
    p_init();
    if (p_iproc() + 1 < argc)
        script_run(calls, argv[p_iproc() + 1]);
    return p_exit(0);
}
