/* repeat FUNCTION TYPE COUNT: every PE calls the function so often and nothing else, so that the port
 * operations of one call can be told from two runs. Of a broadcast PE 0 puts. A function without a type has
 * the type "none". */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

struct function {
    const char *name, *type;
    void (*call)(void);
};

#define CALL_VALUE(name, type, suffix) (void)name##suffix((type)1);
#define CALL_NUMBER CALL_VALUE
#define CALL_MASK CALL_VALUE
#define CALL_FROM(name, type, suffix) (void)name##suffix((type)1, (p_iproc() + 1) % p_nproc());
#define CALL_ARRAY(name, type, suffix)                                                                       \
    type all[MOST];                                                                                          \
    name##suffix(all, (type)1);
#define CALL_PUTGET(name, type, suffix)                                                                      \
    if (p_iproc())                                                                                           \
        (void)name##Get##suffix();                                                                           \
    else                                                                                                     \
        name##Put##suffix((type)1);

#define CALL(name, shape, combine, suffix, type)                                                             \
    static void name##_##suffix(void) {                                                                      \
        CALL_##shape(name, type, suffix)                                                                     \
    }
#define ROW(name, shape, combine, suffix, type) {#name, #suffix, name##_##suffix},
#define CALLS(suffix, type, width) PAPERS_FUNCTIONS_ALL(CALL, suffix, type)
#define CALLS_INTEGER(suffix, type, width) PAPERS_FUNCTIONS_INTEGER(CALL, suffix, type)
#define ROWS(suffix, type, width) PAPERS_FUNCTIONS_ALL(ROW, suffix, type)
#define ROWS_INTEGER(suffix, type, width) PAPERS_FUNCTIONS_INTEGER(ROW, suffix, type)
PAPERS_ALL(CALLS)
PAPERS_INTEGER(CALLS_INTEGER)

static void waitvec(void) {
    (void)p_waitvec(1);
}
static void any(void) {
    (void)p_any(1);
}
static void all(void) {
    (void)p_all(1);
}
static void vote(void) {
    (void)p_vote(0);
}
static void voteCount(void) {
    (void)p_voteCount(0);
}
/* Enqueue two groups in turn, each with a barrier, since without one an enqueued mask costs nothing
 * anywhere. */
static void enqueue(void) {
    static int turn;
    p_enqueue(turn++ % 2 ? ALL_MASK : (uint64_t)3 << (p_iproc() & ~1));
    p_wait();
}

static const struct function functions[] = {
    {"p_wait", "none", p_wait},     {"p_waitvec", "none", waitvec},
    {"p_any", "none", any},         {"p_all", "none", all},
    {"p_vote", "none", vote},       {"p_voteCount", "none", voteCount},
    {"p_enqueue", "none", enqueue}, PAPERS_ALL(ROWS) PAPERS_INTEGER(ROWS_INTEGER)};

int main(int argc, char **argv) {
    const struct function *found = NULL;
    for (size_t i = 0; argc == 4 && i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(argv[1], functions[i].name) && !strcmp(argv[2], functions[i].type))
            found = &functions[i];
    if (!found) {
        fprintf(stderr, "usage: repeat FUNCTION TYPE COUNT, such as p_reduceAdd 32 100 or p_wait none 100\n");
        return 2;
    }
    p_init();
    if (p_nproc() > MOST)
        p_error("repeat is for 64 PEs at most");
    for (int i = 0; i < atoi(argv[3]); i++)
        found->call();
    return p_exit(0);
}
