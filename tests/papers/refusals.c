/* Every function, called in a place or with arguments that it must refuse: before p_init, after p_exit, with
 * a null pointer, with bits out of range, for a PE that is not there. Each call is a process of its own, in a
 * job of one PE.
 *
 *  */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "harness.h"
#include "conformance/oracle/functions.h"

static int tried, wrong;

/* One attempt: the session up to the call, and the call. */
enum session { BEFORE, INSIDE, AFTER };

struct attempt {
    enum session session;
    const struct function *function;
    struct call call;
    void (*other)(void); /* a call that is not in the table */
};

static void attempt(void *argument) {
    struct attempt *a = argument;
    if (a->session != BEFORE)
        p_init();
    if (a->session == AFTER)
        p_exit(0);
    if (a->other)
        a->other();
    else
        a->function->call(&a->call);
}

/* Check that the call ends the process with status 1 and one line with this beginning and these words. */
static void expect(struct attempt *a, const char *beginning, const char *words) {
    static struct child child;
    child_run(&child, NULL, attempt, a);
    tried++;
    const char *end = strchr(child.error, '\n');
    if (child.status == 1 && strncmp(child.error, beginning, strlen(beginning)) == 0 &&
        strstr(child.error, words) && end && !end[1])
        return;
    wrong++;
    printf("refusals: expected \"%s ... %s\" and exit status 1, received exit status %d and:\n%s\n",
           beginning, words, child.status, child.error);
}

/* The name as the engine writes it, which is that of the operation: p_matchWide32 meets in p_match32, and all
 * bits of a type are no narrow form. */
static void operation_name(const struct function *f, char name[64]) {
    const char *drop = f->wide ? "Wide" : "";
    const char *also = f->narrow && types[f->type].width == 1 ? "Bits" : "";
    const char *in = f->name;
    while (*in)
        if (*drop && strncmp(in, drop, strlen(drop)) == 0)
            in += strlen(drop);
        else if (*also && strncmp(in, also, strlen(also)) == 0)
            in += strlen(also);
        else
            *name++ = *in++;
    *name = 0;
}

static uint64_t array[TEST_MAX_PES];

/* A call that is right, to be spoilt in one place. */
static struct attempt right(const struct function *f) {
    return (struct attempt){
        .session = INSIDE, .function = f, .call = {.bits = 1, .put = true, .array = array, .elements = 1}};
}

static void outside(const struct function *f, enum session session, const char *when) {
    char name[64], beginning[96];
    struct attempt a = right(f);
    operation_name(f, name);
    a.session = session;
    snprintf(beginning, sizeof beginning, "unisono: %s", name);
    expect(&a, beginning, when);
}

static void null_pointer(const struct function *f) {
    char name[64], beginning[96];
    struct attempt a = right(f);
    a.call.array = NULL;
    a.call.elements = 0;
    operation_name(f, name);
    snprintf(beginning, sizeof beginning, "unisono: PE 0: %s", f->row == ROW_p_gather ? name : f->name);
    expect(&a, beginning, "is a null pointer\n");
}

static void bits(const struct function *f) {
    int width = types[f->type].width;
    const int bad[] = {0, -1, width + 1, INT_MIN, INT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int put = 0; put <= (f->row == ROW_p_bcast); put++) {
            char beginning[96], words[64];
            struct attempt a = right(f);
            a.call.bits = bad[i];
            a.call.put = put;
            if (f->row == ROW_p_bcast)
                snprintf(beginning, sizeof beginning, "unisono: PE 0: p_bcast%s%s: ", put ? "Put" : "Get",
                         f->name + strlen("p_bcast"));
            else
                snprintf(beginning, sizeof beginning, "unisono: PE 0: %s: ", f->name);
            snprintf(words, sizeof words, "%d bits; this type has 1 to %d\n", bad[i], width);
            expect(&a, beginning, words);
        }
}

static void not_there(const struct function *f) {
    static const int bad[] = {-1, 1, 64, INT_MIN, INT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct attempt a = right(f);
        a.call.source = bad[i];
        a.call.value = (uint64_t)bad[i];
        char words[64];
        snprintf(words, sizeof words, "PE %d: the PEs of this job are 0 to 0\n", bad[i]);
        expect(&a, f->row == ROW_p_putget ? "unisono: PE 0: p_putget" : "unisono: PE 0: p_vote", words);
    }
}

/* ---- functions that PEs do not meet in --------------------------------------------------------------- */

static void enqueue(void) {
    p_enqueue(1);
}
static void enqueue_wide(void) {
    p_enqueueWide(array);
}
static void enqueue_null(void) {
    p_enqueueWide(NULL);
}
static void enqueue_nobody(void) {
    p_enqueue(0);
}
static void enqueue_two(void) {
    p_enqueue(3);
}
static void enqueue_other(void) {
    p_enqueue(2);
}
static void iproc(void) {
    p_iproc();
}
static void nproc(void) {
    p_nproc();
}
static void population(void) {
    p_population();
}
static void enumerate(void) {
    p_enumerate();
}
static void select_first(void) {
    p_selectFirst();
}
static void select_one(void) {
    p_selectOne();
}
static void check_out(void) {
    p_exit(0);
}
static void check_in(void) {
    p_init();
}
static int member(void *unused) {
    (void)unused;
    return 0;
}
static void team_of_none(void) {
    p_team(0, member, NULL);
}
static void team_too_great(void) {
    p_team(16385, member, NULL);
}
static void team_negative(void) {
    p_team(INT_MIN, member, NULL);
}
static void team_of_nothing(void) {
    p_team(1, NULL, NULL);
}
static void team_inside(void) {
    p_team(1, member, NULL);
}
static void error(void) {
    p_error("no more");
}
static void on_error(void) {
    p_onError(NULL);
}
static void interrupt(void) {
    p_interrupt();
}
static void on_interrupt(void) {
    p_onInterrupt(NULL);
}
static void on_wait(void) {
    p_onWait(NULL);
}

static const struct {
    enum session session;
    void (*call)(void);
    const char *line;
} others[] = {
    {BEFORE, enqueue, "unisono: p_enqueue was called before p_init\n"},
    {AFTER, enqueue, "unisono: p_enqueue was called after p_exit\n"},
    {BEFORE, on_error, "unisono: p_onError was called before p_init\n"},
    {AFTER, on_error, "unisono: p_onError was called after p_exit\n"},
    {BEFORE, interrupt, "unisono: p_interrupt was called before p_init\n"},
    {AFTER, interrupt, "unisono: p_interrupt was called after p_exit\n"},
    {BEFORE, on_interrupt, "unisono: p_onInterrupt was called before p_init\n"},
    {AFTER, on_interrupt, "unisono: p_onInterrupt was called after p_exit\n"},
    {BEFORE, on_wait, "unisono: p_onWait was called before p_init\n"},
    {AFTER, on_wait, "unisono: p_onWait was called after p_exit\n"},
    {BEFORE, enqueue_wide, "unisono: p_enqueueWide was called before p_init\n"},
    {AFTER, enqueue_wide, "unisono: p_enqueueWide was called after p_exit\n"},
    {INSIDE, enqueue_null, "unisono: PE 0: p_enqueueWide: the mask is a null pointer\n"},
    {INSIDE, enqueue_nobody, "unisono: PE 0: p_enqueue: the mask {} does not name PE 0, which calls\n"},
    {INSIDE, enqueue_two,
     "unisono: PE 0: p_enqueue: the mask {0-1} names PE 1, and the PEs of this job are 0 to 0\n"},
    {INSIDE, enqueue_other,
     "unisono: PE 0: p_enqueue: the mask {1} names PE 1, and the PEs of this job are 0 to 0\n"},
    {BEFORE, iproc, "unisono: p_iproc was called before p_init\n"},
    {AFTER, iproc, "unisono: p_iproc was called after p_exit\n"},
    {BEFORE, nproc, "unisono: p_nproc was called before p_init\n"},
    {AFTER, nproc, "unisono: p_nproc was called after p_exit\n"},
    {BEFORE, population, "unisono: p_population was called before p_init\n"},
    {BEFORE, enumerate, "unisono: p_enumerate was called before p_init\n"},
    {BEFORE, select_first, "unisono: p_selectFirst was called before p_init\n"},
    {AFTER, select_one, "unisono: p_selectOne was called after p_exit\n"},
    {BEFORE, check_out, "unisono: p_exit was called before p_init\n"},
    {AFTER, check_out, "unisono: p_exit was called after p_exit\n"},
    {INSIDE, check_in, "unisono: PE 0: p_init: PE 0 has checked in already\n"},
    {AFTER, check_in, "unisono: p_init was called after p_exit; a process checks in once\n"},
    {BEFORE, team_of_none, "unisono: p_team: 0 PEs; a team has 1 to 16384\n"},
    {BEFORE, team_too_great, "unisono: p_team: 16385 PEs; a team has 1 to 16384\n"},
    {AFTER, team_negative, "unisono: p_team: -2147483648 PEs; a team has 1 to 16384\n"},
    {BEFORE, team_of_nothing, "unisono: p_team: the function is a null pointer\n"},
    {INSIDE, team_inside,
     "unisono: PE 0: p_team: this thread is PE 0 already; call it outside p_init and p_exit\n"},
    {BEFORE, error, "unisono: no more\n"},
    {INSIDE, error, "unisono: PE 0: no more\n"},
};

int main(void) {
    array[0] = 1;
    for (int i = 0; i < function_count; i++) {
        const struct function *f = &functions[i];
        outside(f, BEFORE, "was called before p_init\n");
        outside(f, AFTER, "was called after p_exit\n");
        if (f->row == ROW_p_gather || f->wide)
            null_pointer(f);
        if (f->narrow)
            bits(f);
        if (f->row == ROW_p_putget || f->row == ROW_p_vote || f->row == ROW_p_voteCount)
            not_there(f);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect(&(struct attempt){.session = others[i].session, .other = others[i].call}, others[i].line, "");
    printf("refusals: %d calls, %d wrong\n", tried, wrong);
    return wrong ? TEST_FAILED : TEST_PASSED;
}
