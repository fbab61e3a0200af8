#include "collective/lane.h"

#include <stdlib.h>
#include <unistd.h>

#include "collective/base.h"
#include "collective/ring_memory.h"
#include "engine/processors.h"
#include "engine/rendezvous.h"
#include "engine/start.h"

enum {
    LANES = 512, /* where two threads of a rank may be in operations at once */
    BUFFER = 64 * 1024,
    PAGE = 4096,
};

/* The lanes of this process. */
static struct uno_lanes node;
static struct uno_lane *lanes;
static int count;
static char *memory;
static size_t step; /* distance from one lane's job to the next */

/* The head of the memory, before the jobs. */
struct head {
    uno_atomic32 pid[UNO_MAX_PES]; /* the process of each rank of the node; 0: not told yet */
    /* ranks that have not freed the lane's communicator yet; 0: the lane is free */
    uno_atomic32 users[LANES];
};

static struct head *head(void) {
    return (struct head *)(void *)memory;
}

static size_t pages(size_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static size_t buffers_at(int n) {
    return pages(uno_job_size(n, 0));
}

static size_t rings_at(int n) {
    return pages(buffers_at(n) + uno_job_buffers_size(n, BUFFER));
}

static struct uno_job *job_of(int i) {
    return (struct uno_job *)(void *)(memory + pages(sizeof(struct head)) + (size_t)i * step);
}

static void format(int i) {
    struct uno_job *job = job_of(i);
    if (job->magic == UNO_MAGIC)
        return;
    uno_job_format(job, node.size, node.processors, 0);
    uno_job_set_buffers(job, buffers_at(node.size), BUFFER);
}

static void make_pe(struct uno_lane *lane) {
    struct uno_job *job = job_of((int)(lane - lanes));
    lane->pe = uno_pe_start_here(job, node.rank);
    if (!lane->pe)
        uno_base_fail("out of memory");
    lane->pe->together = node.together;
    lane->pe->progress = node.progress;
    lane->poll = node.poll;
    lane->ring = uno_ring_memory_use((char *)job + rings_at(node.size), node.size, node.rank);
}

uint64_t uno_lane_operations(void) {
    uint64_t sum = 0;
    for (int i = 0; lanes && i < count; i++)
        sum += lanes[i].calls;
    return sum;
}

int uno_lane_pid(int k) {
    return (int)uno_load32_relaxed(&head()->pid[k]);
}

static void lay_out(const struct uno_lanes *l) {
    node = *l;
    count = l->threads ? LANES : 1;
    step = pages(rings_at(l->size) + uno_ring_memory_size(l->size));
}

size_t uno_lanes_size(const struct uno_lanes *l) {
    lay_out(l);
    return pages(sizeof(struct head)) + (size_t)count * step;
}

void uno_lanes_prepare(const struct uno_lanes *l, void *zeros) {
    lay_out(l);
    memory = zeros;
    if (!l->threads)
        format(0);
}

void uno_lanes_start(const struct uno_lanes *l, void *shared) {
    lay_out(l);
    memory = shared;
    lanes = uno_base_allocate((size_t)count, sizeof *lanes);
    uno_store32_relaxed(&head()->pid[l->rank], (uint32_t)getpid());
    uno_processor_deal(l->rank);
    if (!l->threads)
        make_pe(&lanes[0]);
}

void uno_lanes_end(void) {
    for (int i = 0; lanes && i < count; i++)
        if (lanes[i].pe)
            uno_board_part(lanes[i].pe);
}

int uno_lane_choose(int users) {
    if (!node.threads)
        return 0;
    for (int i = 0; i < count; i++) {
        /* SYNC LANE: every rank of its last communicator has freed that */
        if (uno_cas32_acq_rel(&head()->users[i], 0, (uint32_t)users)) {
            format(i);
            return i;
        }
    }
    return -1;
}

struct uno_lane *uno_lane_get(int i) {
    if (!lanes[i].pe)
        make_pe(&lanes[i]);
    return &lanes[i];
}

void uno_lane_give_back(struct uno_lane *lane) {
    if (node.threads)
        /* SYNC LANE: every rank of its last communicator has freed that */
        uno_add32_seq_cst(&head()->users[lane - lanes], (uint32_t)-1);
}
