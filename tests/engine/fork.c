/* A child that a PE makes by fork is no PE: its first call ends it with an error, and the PEs go on. A child
 * that calls nothing, or another program, is left alone. */

#include <exchange.h>
#include <signal.h>
#include <stdlib.h>
#include <vertex.h>

#include "child.h"
#include "harness.h"

static void nothing(void) {}

static void checks_in(void) {
    p_init();
}

static void checks_out(void) {
    p_exit(0);
}

static void waits(void) {
    p_wait();
}

static void asks(void) {
    p_iproc();
}

static void writes(void) {
    int data = 1;
    nwrite(&data, sizeof data, 1, 1);
}

static void reads(void) {
    int data, node = -1, type = -1;
    nread(&data, sizeof data, &node, &type);
}

static void allocates(void) {
    p_alloc(8);
}

/* Meet, in both PEs, between the children. */
static void meet(int number) {
    int node = !p_iproc(), type = 1, got = 0;
    nwrite(&number, sizeof number, node, type);
    CHECK(nread(&got, sizeof got, &node, &type) == sizeof got && got == number);
    CHECK_INT(2 * number, p_reduceAdd32(number));
}

static int body(void *unused) {
    (void)unused;
    meet(1);
    if (p_iproc() == 0) {
        CHECK(others_are_left_alone(nothing));
        CHECK(is_refused(waits, "p_wait") && is_refused(asks, "p_iproc"));
        CHECK(is_refused(writes, "nwrite") && is_refused(reads, "nread"));
        CHECK(is_refused(allocates, "p_alloc"));
        CHECK(is_refused(checks_in, "p_init") && is_refused(checks_out, "p_exit"));
    }
    meet(2);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
