#include "collective/transport/direct.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/remote.h"
#include "collective/transport/slots.h"

bool uno_single_allowed;

/* Each rank reads a word of the next one, whose value it is told. */
void uno_single_start(MPI_Comm comm) {
    static uint64_t word;
    struct word {
        uint64_t address, value;
        int pid;
    } own = {.pid = getpid()}, *all = uno_node_allocate((size_t)uno_node.size, sizeof *all);
    own.address = (uintptr_t)&word;
    own.value = word = uno_remote_sample();
    HOST(Allgather)(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, comm);
    const struct word *next = &all[(uno_node.rank + 1) % uno_node.size];
    int can = uno_remote_has(next->pid, next->address, next->value), all_can = 0;
    HOST(Allreduce)(&can, &all_can, 1, MPI_INT, MPI_MIN, comm);
    uno_single_allowed = all_can;
    free(all);
}

void uno_single_begin(const struct uno_comm *c, enum uno_op op, size_t total, const char *own,
                      const char **at) {
    const void *const *data = uno_exchange_small(c, op, total, &own, sizeof own);
    for (int r = 0; r < c->size; r++)
        memcpy(&at[r], data[r], sizeof at[r]);
    uno_exchange_end(c);
}

bool uno_single_read(const struct uno_comm *c, int r, const char *from, char *to, size_t bytes) {
    return uno_remote_read(uno_lane_pid(c->pe[r]), (uintptr_t)from, to, bytes);
}

bool uno_single_end(const struct uno_comm *c, enum uno_op op, size_t total, bool read) {
    const char mine = read;
    const void *const *data = uno_exchange_small(c, op, total, &mine, sizeof mine);
    bool all = true;
    for (int r = 0; r < c->size; r++)
        all &= *(const char *)data[r] != 0;
    uno_exchange_end(c);
    c->past->unreadable |= !all;
    return all;
}
