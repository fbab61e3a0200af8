/* The start and the end of the accelerator: the program's MPI_Init and MPI_Finalize. Nothing else includes
 * this file's functions. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "accelerator/start/crossovers.h"
#include "accelerator/host/comm.h"
#include "accelerator/host/datatype.h"
#include "accelerator/host/memory.h"
#include "accelerator/host/node.h"
#include "accelerator/host/progress.h"
#include "accelerator/host/session.h"
#include "accelerator/observe/watch.h"
#include "accelerator/settings.h"
#include "collective/base.h"
#include "collective/lane.h"
#include "engine/kernel.h"

#define EXPORT __attribute__((visibility("default")))

/* Return how many operations this process has done, for tests. No other thread may be in one. */
uint64_t unisono_mpi_operations(void);
EXPORT uint64_t unisono_mpi_operations(void) {
    return uno_lane_operations();
}

static void end_all(void) {
    HOST(Abort)(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* Record why nothing is accelerated on this node, for users who ask. */
static void stay_off(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void stay_off(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(uno_node.why, sizeof uno_node.why, format, arguments);
    va_end(arguments);
}

/* Take rank 0's settings on all ranks. */
static void agree_on_settings(void) {
    if (uno_node.world_rank == 0) {
        const char *error = uno_settings_parse(&uno_settings, uno_node.world_size);
        if (error)
            uno_base_fail("%s", error);
        const char *wrong = uno_settings.off ? NULL : uno_crossovers_read();
        if (wrong)
            uno_base_say("warning: %s; the crossovers that are built in hold", wrong);
        uno_settings.tolerant = HOST(tolerant) && *HOST(tolerant);
    }
    HOST(Bcast)(&uno_settings, sizeof uno_settings, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!uno_settings.off)
        uno_crossovers_agree();
}

/* The settings of the lanes of this node. */
static struct uno_lanes lanes;

static void prepare(void *memory) {
    uno_lanes_prepare(&lanes, memory);
}

/* Start the lanes. False: memory cannot be shared. */
static bool start_lanes(MPI_Comm comm) {
    lanes = (struct uno_lanes){.size = uno_node.size,
                               .rank = uno_node.rank,
                               .processors = uno_node.processors,
                               .threads = uno_node.threads,
                               .together = uno_node.together,
                               .progress = uno_progress_wait,
                               .poll = uno_progress_poll};
    void *memory = uno_memory_share(comm, uno_lanes_size(&lanes), prepare);
    if (memory)
        uno_lanes_start(&lanes, memory);
    return memory;
}

static void start_on(MPI_Comm comm) {
    if (uno_node.world_size == 1) {
        stay_off("one rank in all");
        return;
    }
    if (uno_settings.tolerant) {
        stay_off("the MPI library is to go on when a process has ended, and the accelerator does not");
        return;
    }
    if (uno_node.size > UNO_MAX_PES) {
        stay_off("%d ranks on one node, and it is for at most %d", uno_node.size, UNO_MAX_PES);
        if (uno_node.rank == 0)
            uno_base_say("the accelerator stays off: %s", uno_node.why);
        return;
    }
    uno_kernel_start();
    uno_progress_start();
    uno_node_agree(comm);
    if (uno_node.size > 1 && !start_lanes(comm)) {
        stay_off("the ranks of a node cannot share memory");
        return;
    }
    uno_node_find_ranks(comm);
    uno_comm_start();
    uno_datatype_start();
    uno_node.on = true;
}

static bool is_spawned(void) {
    MPI_Comm parent;
    HOST(Comm_get_parent)(&parent);
    return parent != MPI_COMM_NULL;
}

/* Agree on the settings, and share memory with the ranks of the node. Called right after the host's
 * MPI_Init. */
static void start(void) {
    uno_node_find_world();
    uno_base_start(uno_node.world_rank, end_all);
    agree_on_settings();
    if (uno_settings.off) {
        stay_off("UNISONO_MPI=off");
    } else {
        MPI_Comm comm = uno_node_split();
        start_on(comm);
        uno_node_find_heads(comm);
        HOST(Comm_free)(&comm);
    }
    if (!uno_node.on || !uno_node.crowded)
        uno_session_leave();
    if (is_spawned()) /* the file is of the job that was started */
        uno_settings.profile = false;
    uno_watch_start();
}

/* Called right before the host's MPI_Finalize. */
static void end(void) {
    uno_watch_finish();
    if (!uno_node.on)
        return;
    uno_node.on = false;
    uno_datatype_end();
    uno_comm_end();
    uno_lanes_end();
    uno_progress_end();
    HOST(Group_free)(&uno_node.world);
}

EXPORT int MPI_Init(int *argc, char ***argv) {
    int result = HOST(Init)(argc, argv);
    if (result == MPI_SUCCESS)
        start();
    return result;
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int result = HOST(Init_thread)(argc, argv, required, provided);
    if (result == MPI_SUCCESS)
        start();
    return result;
}

EXPORT int MPI_Finalize(void) {
    end();
    return HOST(Finalize)();
}
