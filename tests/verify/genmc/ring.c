/* The ring that carries messages, as it ships, under the memory models of GenMC.
 *
 * One PE writes MESSAGES messages to another, in turn of one line and of two, on a ring of 2 lines, so that
 * it is full and comes round; the first is requested. Each must arrive in order with its data, and no two
 * accesses of plain memory may race. */

#include "model.h"

#include "engine/channel/ring/ring.h"

#ifndef MESSAGES
#define MESSAGES 3
#endif

enum { LINES = 2, SHORT = 8, LONG = UNO_RING_FIRST + 8, REQUESTED = UNO_REQUESTS };

static _Alignas(64) unsigned char memory[sizeof(struct uno_ring) + LINES * sizeof(struct uno_line)];

void uno_kernel_wake(uno_atomic64 *bell) {
    (void)bell;
}

static size_t bytes_of(int message) {
    return message % 2 ? LONG : SHORT;
}

static uint64_t datum(int message, size_t word) {
    return (uint64_t)(message + 1) * 100 + word;
}

static void *write_all(void *unused) {
    struct uno_outlet out = {.ring = (struct uno_ring *)memory, .mask = LINES - 1, .limit = LINES};
    uint64_t bytes, place;
    wait_for(uno_ring_requested(&out, REQUESTED, &bytes, &place));
    assert(bytes == datum(0, 1) && place == datum(0, 2));
    for (int m = 0; m < MESSAGES; m++) {
        uint64_t data[LONG / 8];
        for (size_t i = 0; i < bytes_of(m) / 8; i++)
            data[i] = datum(m, i + 1);
        wait_for(uno_ring_room(&out, uno_ring_lines(bytes_of(m))));
        uno_ring_put(&out, 1, datum(m, 0), data, bytes_of(m));
    }
    return unused;
}

static void *read_all(void *unused) {
    struct uno_inlet in = {.ring = (struct uno_ring *)memory, .mask = LINES - 1};
    uno_ring_request(&in, REQUESTED, datum(0, 1), datum(0, 2));
    for (int m = 0; m < MESSAGES; m++) {
        uint64_t data[LONG / 8], header = uno_ring_look(&in);
        wait_for(header != 0);
        uint64_t word = uno_ring_word(&in);
        uno_ring_get(&in, data, bytes_of(m));
        uno_ring_take(&in, uno_ring_lines(bytes_of(m)));
        /* This is not asserted earlier: IMM orders stores after a branch behind the loads that it depends
         * on. */
        assert(uno_line_bytes(header) == bytes_of(m) && word == datum(m, 0));
        for (size_t i = 0; i < bytes_of(m) / 8; i++)
            assert(data[i] == datum(m, i + 1));
    }
    return unused;
}

int main(void) {
    __VERIFIER_thread_t writer = __VERIFIER_spawn(write_all, NULL), reader = __VERIFIER_spawn(read_all, NULL);
    __VERIFIER_join(writer);
    __VERIFIER_join(reader);
    return 0;
}
