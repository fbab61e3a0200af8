#include "library/window/lock.h"

/* Someone who waits, in the place of its ticket: the ticket, how it wants the lock, and its rank. */
static uint64_t word_of(uint32_t ticket, bool exclusive, int rank) {
    return (uint64_t)ticket << 32 | (uint64_t)exclusive << 31 | (uint64_t)(rank + 1);
}

static uno_atomic64 *place(const struct uno_win_queue *queue, uint32_t ticket) {
    return &queue->waiting[ticket & (queue->places - 1)];
}

static uno_atomic32 *turn(const struct uno_win_queue *queue, bool exclusive) {
    return exclusive ? &queue->lock->write : &queue->lock->read;
}

uint32_t uno_lock_ask(const struct uno_win_queue *queue) {
    return uno_add32_seq_cst(&queue->lock->tickets, 1);
}

bool uno_lock_is_free(const struct uno_win_queue *queue, uint32_t ticket, bool exclusive) {
    /* SYNC TURN: everything that those did who had the lock before */
    return uno_load32_acquire(turn(queue, exclusive)) == ticket;
}

bool uno_lock_wait(const struct uno_win_queue *queue, uint32_t ticket, bool exclusive, int rank) {
    uno_atomic64 *at = place(queue, ticket);
    uint64_t word = word_of(ticket, exclusive, rank);
    /* SYNC TICKET, SYNC TURN (3): who waits, or that it need not */
    uno_swap64_seq_cst(at, word);
    bool free = uno_add32_seq_cst(turn(queue, exclusive), 0) == ticket;
    return !(free && uno_cas64_acq_rel(at, word, 0));
}

/* Count on, and return who waits for just that. */
static int count(const struct uno_win_queue *queue, bool exclusive) {
    /* SYNC TICKET, SYNC TURN (3): all that this rank did while it had the lock, and then who waits */
    uint32_t ticket = uno_add32_seq_cst(turn(queue, exclusive), 1) + 1;
    uno_atomic64 *at = place(queue, ticket);
    uint64_t seen = uno_load64_seq_cst(at);
    bool waits = seen && seen >> 31 == ((uint64_t)ticket << 1 | exclusive);
    return waits && uno_cas64_acq_rel(at, seen, 0) ? (int)(seen & 0x7fffffff) - 1 : UNO_NOBODY;
}

int uno_lock_share(const struct uno_win_queue *queue) {
    return count(queue, false);
}

void uno_lock_give(const struct uno_win_queue *queue, bool exclusive, int told[2]) {
    told[0] = count(queue, true);
    told[1] = exclusive ? count(queue, false) : UNO_NOBODY;
}
