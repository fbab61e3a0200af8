/* Calls of the PAPERS functions, as script.h says. */

#include <exchange.h>
#include <papers.h>

#include "pe_script.h"

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

static void interrupt(const long *number) {
    (void)number;
    p_interrupt();
}

int main(int argc, char **argv) {
    static const struct script_call calls[] = {
        {"add", add},           {"gather", gather},       {"put", put},    {"get", get},
        {"exchange", exchange}, {"interrupt", interrupt}, PE_SCRIPT_CALLS, {0}};
    return pe_script_main(calls, argc, argv);
}
