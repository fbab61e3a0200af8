#include "collective/lane.h"

#include <stdlib.h>
#include <unistd.h>

#include "accelerator/host/comm.h"
#include "engine/processors.h"
#include "accelerator/host/memory.h"
#include "accelerator/host/node.h"
#include "accelerator/host/progress.h"
#include "collective/transport/ring.h"
#include "unit/unit.h"

enum {
    LANES = 512, /* under MPI_THREAD_MULTIPLE */
    BUFFER = 64 * 1024,
    PAGE = 4096,
};

/* Of the process. */
static struct uno_lane *lanes;
static int count;
static char *memory;
static size_t step; /* from one lane's job to the next */

/* Before the jobs. */
struct head {
    uno_atomic32 pid[UNO_MAX_PES]; /* of each rank of the node; 0: it has not told yet */
    uno_atomic32 users[LANES];     /* ranks that have not freed the lane's communicator yet; 0: it is free */
};

static struct head *head(void) {
    return (struct head *)(void *)memory;
}

static size_t jobs_at(void) {
    return (sizeof(struct head) + PAGE - 1) / PAGE * PAGE;
}

static size_t buffers_at(int n) {
    return (uno_job_size(n, 0) + PAGE - 1) / PAGE * PAGE;
}

static struct uno_job *job_of(int i) {
    return (struct uno_job *)(void *)(memory + jobs_at() + (size_t)i * step);
}

static size_t rings_at(int n) {
    return (buffers_at(n) + uno_job_buffers_size(n, BUFFER) + PAGE - 1) / PAGE * PAGE;
}

static void format(int i) {
    struct uno_job *job = job_of(i);
    if (job->magic == UNO_MAGIC)
        return;
    uno_job_format(job, uno_node.size, uno_node.processors, 0);
    uno_job_set_buffers(job, buffers_at(uno_node.size), BUFFER);
}

static void make_pe(int i) {
    lanes[i].pe = uno_pe_start_here(&uno_unit_shm, job_of(i), uno_node.rank);
    if (!lanes[i].pe)
        uno_node_fail("out of memory");
    lanes[i].pe->together = uno_node.together;
    uno_progress_attach(lanes[i].pe);
    lanes[i].stream =
        uno_stream_make((char *)job_of(i) + rings_at(uno_node.size), uno_node.size, uno_node.rank);
}

__attribute__((visibility("default"))) uint64_t unisono_mpi_operations(void) {
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += lanes[i].calls;
    return sum;
}

int uno_lane_pid(int k) {
    return (int)uno_load32_relaxed(&head()->pid[k]);
}

static void prepare(void *zeros) {
    memory = zeros;
    if (!uno_node.threads)
        format(0);
}

bool uno_lane_start(MPI_Comm comm) {
    int n = uno_node.size;
    count = uno_node.threads ? LANES : 1;
    step = (rings_at(n) + uno_stream_size(n) + PAGE - 1) / PAGE * PAGE;
    memory = uno_memory_share(comm, jobs_at() + (size_t)count * step, prepare);
    lanes = uno_node_allocate((size_t)count, sizeof *lanes);
    if (!memory)
        return false;
    uno_store32_relaxed(&head()->pid[uno_node.rank], (uint32_t)getpid());
    uno_processor_deal(uno_node.rank);
    if (!uno_node.threads)
        make_pe(0);
    return true;
}

void uno_lane_end(void) {
    for (int i = 0; i < count; i++)
        if (lanes[i].pe)
            uno_board_part(lanes[i].pe);
}

/* The first rank's part: the number of a free lane, which is now the communicator's; -1: there is none. */
static int choose(int size) {
    for (int i = 0; i < count; i++) {
        /* SYNC LANE: every rank of its last communicator has freed that */
        if (uno_cas32_acq_rel(&head()->users[i], 0, (uint32_t)size)) {
            format(i);
            return i;
        }
    }
    return -1;
}

struct uno_lane *uno_lane_take(MPI_Comm comm, int size, int rank) {
    if (!uno_node.threads)
        return &lanes[0];
    int i = rank == 0 ? choose(size) : 0;
    HOST(Bcast)(&i, 1, MPI_INT, 0, comm);
    if (i < 0)
        return NULL;
    if (!lanes[i].pe)
        make_pe(i);
    return &lanes[i];
}

void uno_lane_give_back(struct uno_lane *lane) {
    if (uno_node.threads)
        /* SYNC LANE: every rank of its last communicator has freed that */
        uno_add32_seq_cst(&head()->users[lane - lanes], (uint32_t)-1);
}
