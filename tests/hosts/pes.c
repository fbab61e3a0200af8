/* pes WHAT: a PE of a job on several machines, which uses what its agent does for it.
 *   addresses MS   without having checked in: PE 1 sleeps for MS milliseconds; then each gives itself an
 *                  address with the time, and waits until it has those of all others; PE 0 prints how old
 *                  PE 1's was then, in milliseconds
 *   wait           each checks in, and does nothing more
 *   meet           all add up their numbers, and print the sum
 *   die            PE 0 ends by SIGKILL, a while after it has printed the time (CLOCK_MONOTONIC), while the
 *                  second PE of its node waits for the third, which never comes, and the PEs of other nodes
 *                  do likewise
 *   fail           the same, and PE 0 ends by an error of the library */

#include <papers.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/environment.h"
#include "engine/kernel.h"
#include "engine/nodes.h"
#include "engine/pe.h"
#include "engine/rest.h"

/* Wait until PE k has an address, and check it. Returns how old it is, in ns. */
static uint64_t find(struct uno_job *job, int k) {
    struct uno_job_nodes *nodes = uno_nodes_of(job);
    struct uno_node_place *place = &nodes->place[k];
    char text[UNO_PLACE_ADDRESS + 1] = "";
    unsigned long long when;
    uint32_t bytes;
    int of;
    for (;;) {
        uint64_t seen = uno_load64_acquire(&nodes->addresses);
        if ((bytes = uno_load32_acquire(&place->address_bytes)))
            break;
        if (place->node != nodes->here)
            uno_kernel_sleep(&nodes->addresses, seen, UINT64_C(10000000000));
        else
            uno_kernel_pause(100000);
    }
    uint64_t now = uno_kernel_now();
    if (bytes <= UNO_PLACE_ADDRESS)
        memcpy(text, place->address, bytes);
    if (sscanf(text, "the address of PE %d since %llu.", &of, &when) == 2 && of == k &&
        text[bytes - 1] == '.')
        return now - when;
    printf("PE %d has %u bytes: %s\n", k, bytes, text);
    exit(3);
}

/* Return the job's memory, as far as it is needed here. */
static struct uno_job *map(const struct uno_handed *memory) {
    struct uno_job header;
    if (pread(memory->fd, &header, sizeof header, 0) != sizeof header)
        exit(4);
    void *job = mmap(NULL, header.nodes_at + uno_nodes_size(header.n), PROT_READ | PROT_WRITE, MAP_SHARED,
                     memory->fd, 0);
    if (job == MAP_FAILED)
        exit(4);
    return job;
}

static void addresses(int ms) {
    char text[UNO_PLACE_ADDRESS];
    struct uno_handed memory;
    int me;
    if (uno_environment(&memory, &me) != 1)
        exit(4);
    struct uno_job *job = map(&memory);
    if (me == 1)
        uno_kernel_pause((uint64_t)ms * 1000000);
    int length = snprintf(text, sizeof text, "the address of PE %d since %llu.", me,
                          (unsigned long long)uno_kernel_now());
    uno_place_give(job, memory.launcher, me, text, (size_t)length);
    for (int k = 0; k < job->n; k++) {
        uint64_t age = find(job, k);
        if (me == 0 && k == 1)
            printf("%.3f\n", (double)age / 1e6);
    }
    if (ms && me == 1)
        uno_kernel_pause(200000000); /* its end would make its agent look for its address */
}

/* Wait in vain for the last PE of this node. */
static void wait_here(struct uno_job *job) {
    uint64_t group = 0;
    int last = 0;
    for (int k = 1; k < job->n; k++)
        if (uno_nodes_of(job)->place[k].node == uno_nodes_of(job)->here) {
            group |= (uint64_t)1 << k;
            last = k;
        }
    if (p_iproc() == last)
        for (;;)
            pause();
    p_enqueue(group);
    p_wait();
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "addresses") == 0) {
        addresses(atoi(argv[2]));
        return 0;
    }
    p_init();
    if (strcmp(argv[1], "wait") == 0)
        pause();
    if (strcmp(argv[1], "meet") == 0) {
        printf("PE %d: %d\n", p_iproc(), (int)p_reduceAdd32(p_iproc()));
        return p_exit(0);
    }
    if (p_iproc() > 0)
        wait_here(uno_self->job);
    uno_kernel_pause(UINT64_C(1000000000)); /* the others have checked in, and wait */
    printf("%.9f\n", (double)uno_kernel_now() / 1e9);
    fflush(stdout);
    uno_kernel_pause(UINT64_C(10000000));
    if (strcmp(argv[1], "die") == 0)
        raise(SIGKILL);
    p_error("it is enough");
}
