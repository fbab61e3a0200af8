/* The start and the end of a rank, and the questions that it may ask at any time. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collective/base.h"
#include "collective/operation/collective.h"
#include "collective/transport/plan.h"
#include "engine/arrays.h"
#include "engine/atomic.h"
#include "engine/channel/progress/room.h"
#include "engine/channel/receive.h"
#include "engine/kernel.h"
#include "library/blocking/collectives.h"
#include "library/calls.h"
#include "library/communicator/errhandler.h"
#include "library/communicator/make.h"
#include "library/object/attributes.h"
#include "library/file/representation.h"
#include "library/rank/face.h"
#include "library/rank/ops.h"
#include "library/rank/rank.h"
#include "library/rank/threads.h"
#include "library/schedule/schedule.h"
#include "library/outside/layout.h"
#include "library/type/predefined.h"
#include "library/start/environment.h"
#include "library/start/init.h"
#include "unit/unit.h"

/* The state of this process, for all of its threads. */
static uno_atomic32 initialized, finalized, level_given, own_pe, own_thread;

/* ---- start ------------------------------------------------------------------------------------------- */

static void end_all(void) {
    uno_fail(uno_self, "the job ends");
}

/* Take in messages in a rank that is long in collectives. */
static void poll(void) {
    uno_channel_advance(uno_rank->channel);
}

static void make_world(void) {
    struct uno_rank *rank = uno_rank;
    int n = rank->pe->n, me = rank->pe->me, *pe = uno_base_allocate((size_t)n, sizeof *pe);
    for (int k = 0; k < n; k++)
        pe[k] = k;
    rank->empty = uno_group_make(0, pe);
    rank->empty->object.references = 0; /* it stays, even if the program frees it */
    struct uno_mpi_group *all = uno_group_make(n, pe), *own = uno_group_make(1, &me);
    free(pe);
    uno_comm_ids_start();
    uno_kernels_start();
    rank->world = uno_comm_make(all, NULL, UNO_ID_WORLD, (uintptr_t)MPI_COMM_WORLD);
    rank->self = uno_comm_make(own, NULL, UNO_ID_SELF, (uintptr_t)MPI_COMM_SELF);
    rank->no_file = uno_find_errhandler(MPI_ERRORS_RETURN);
    strcpy(rank->world->name, "MPI_COMM_WORLD");
    strcpy(rank->self->name, "MPI_COMM_SELF");
    uno_object_drop(all);
    uno_object_drop(own);
}

/* Detach a child that the rank has forked: it is no rank (unit/outside.c). */
static void in_child(void) {
    uno_rank = NULL;
    uno_threads_close();
}

/* Meet all ranks at the beginning, and learn the highest level of threads that any has asked for. Ranks with
 * threads need collectives of which several may be under way at a time, and all must do the same. */
static int meet_at_the_beginning(struct uno_mpi_comm *world, int level) {
    const uno_kernel *kernels = uno_kernels_of(UNO_SIGNED, sizeof level);
    struct uno_reduction how = {
        .kernel = kernels[UNO_MAX], .layout = &uno_find_type(MPI_INT)->layout, .bytes = sizeof level};
    int highest = level;
    if (world->comm.size > 1)
        uno_allreduce(&world->comm, &level, &highest, 1, &how);
    return highest;
}

static int start(int level) {
    if (uno_self == &uno_pe_forked)
        uno_fail(uno_self, "MPI_Init was called %s", uno_pe_when(uno_self));
    if (uno_rank || uno_self == &uno_pe_after)
        uno_fail(uno_self, "MPI_Init was called %s; a process calls it once",
                 uno_rank ? "again" : "after MPI_Finalize");
    uno_refuse_foreign(uno_self, "MPI_Init", "rank", "the mpirun in $(unisono mpi --prefix)/bin, or ");
    uno_self = uno_unit_join();
    struct uno_rank *rank = uno_base_allocate(1, sizeof *rank);
    rank->store = uno_store_outside;
    uno_store_outside = (struct uno_store){NULL};
    uno_rank = rank;
    pthread_atfork(NULL, NULL, in_child);
    rank->pe = uno_self;
    rank->pe->describe = uno_schedule_describe;
    rank->pe->fits = uno_told_fits;
    rank->channel = uno_channel_of(rank->pe);
    rank->lane = (struct uno_lane){.pe = rank->pe, .poll = poll};
    uno_base_start(rank->pe->me, end_all);
    uno_plan_start(UNO_RIVAL_MPICH, NULL, 0, true);
    make_world();
    rank->env = uno_info_env();
    rank->env->object.handle = (uintptr_t)MPI_INFO_ENV;
    rank->env->object.references = 0; /* it stays, even if the program frees it */
    struct uno_cpython_here python;
    if (uno_cpython_here_open(&python)) {
        rank->python = uno_base_allocate(1, sizeof python);
        *rank->python = python;
    }
    rank->layout = uno_outside_layout();
    uno_store64_relaxed(&rank->channel->box->rank, (uintptr_t)rank);
    rank->scheduled = meet_at_the_beginning(rank->world, level) == MPI_THREAD_MULTIPLE;
    rank->world->scheduled = rank->self->scheduled = rank->scheduled;
    uno_store32_relaxed(&level_given, (uint32_t)level);
    uno_store32_relaxed(&own_pe, (uint32_t)rank->pe->me);
    uno_store32_relaxed(&own_thread, (uint32_t)gettid());
    uno_store32_relaxed(&initialized, 1);
    if (level >= MPI_THREAD_SERIALIZED)
        uno_threads_open(level == MPI_THREAD_MULTIPLE);
    return MPI_SUCCESS;
}

int uno_mpi_init(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return start(MPI_THREAD_SINGLE);
}

int uno_mpi_init_thread(int *argc, char ***argv, int required, int *provided) {
    (void)argc, (void)argv;
    *provided = required <= MPI_THREAD_SINGLE       ? MPI_THREAD_SINGLE
                : required <= MPI_THREAD_FUNNELED   ? MPI_THREAD_FUNNELED
                : required <= MPI_THREAD_SERIALIZED ? MPI_THREAD_SERIALIZED
                                                    : MPI_THREAD_MULTIPLE;
    return start(*provided);
}

/* ---- end --------------------------------------------------------------------------------------------- */

/* Call the program's functions for the attributes of all objects while every object is there, since such a
 * function may use another communicator, as PETSc's does. MPI wants those of MPI_COMM_SELF to be the first.
 */
static int end_attributes(struct uno_rank *rank) {
    int error = uno_attributes_end(&rank->self->object);
    for (int i = 0; i < rank->store.objects && !error; i++) {
        struct uno_object *object = rank->store.object[i];
        if (object && object->kind)
            uno_attributes_end(object);
    }
    return error;
}

int uno_mpi_finalize(void) {
    struct uno_rank *rank = uno_rank;
    int error = end_attributes(rank);
    if (error)
        return error;
    rank->ends = true;
    uno_threads_close();
    uno_channel_flush(rank->channel, UNO_SIGNATURE_MPI_FINALIZE);
    uno_channel_await_answers(rank->channel, UNO_SIGNATURE_MPI_FINALIZE);
    if (rank->world->comm.size > 1)
        uno_barrier_as(&rank->world->comm, UNO_SIGNATURE_MPI_FINALIZE);
    uno_store64_relaxed(&rank->channel->box->rank, 0);
    uno_schedules_compare_left();
    uno_objects_end();
    uno_schedules_end();
    uno_io_representations_end();
    uno_attributes_free();
    free(rank->user_error);
    free(rank->python);
    struct uno_pe *pe = rank->pe;
    uno_rank = NULL;
    free(rank);
    uno_channel_end(pe);
    uno_arrays_end(pe);
    pe->unit->part(pe);
    uno_self = &uno_pe_after;
    uno_store32_relaxed(&finalized, 1);
    return MPI_SUCCESS;
}

int uno_mpi_abort(struct uno_mpi_comm *comm, int errorcode) {
    (void)comm;
    uno_fail(uno_rank->pe, "MPI_Abort was called, with error code %d", errorcode);
}

/* ---- at any time ------------------------------------------------------------------------------------- */

int uno_mpi_initialized(int *flag) {
    *flag = (int)uno_load32_relaxed(&initialized);
    return MPI_SUCCESS;
}

int uno_mpi_finalized(int *flag) {
    *flag = (int)uno_load32_relaxed(&finalized);
    return MPI_SUCCESS;
}

bool uno_is_between(int *pe, int *thread) {
    *pe = (int)uno_load32_relaxed(&own_pe);
    *thread = (int)uno_load32_relaxed(&own_thread);
    return uno_load32_relaxed(&initialized) && !uno_load32_relaxed(&finalized);
}

int uno_mpi_query_thread(int *provided) {
    *provided = (int)uno_load32_relaxed(&level_given);
    return MPI_SUCCESS;
}

int uno_mpi_is_thread_main(int *flag) {
    *flag = (uint32_t)gettid() == uno_load32_relaxed(&own_thread);
    return MPI_SUCCESS;
}

int uno_mpi_get_version(int *version, int *subversion) {
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

int uno_mpi_abi_get_version(int *abi_major, int *abi_minor) {
    *abi_major = uno_face.version;
    *abi_minor = uno_face.subversion;
    return MPI_SUCCESS;
}

int uno_mpi_get_library_version(char *version, int *resultlen) {
    *resultlen =
        snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Unisono %s, an MPI library", UNISONO_VERSION);
    return MPI_SUCCESS;
}

int uno_mpi_get_processor_name(char *name, int *resultlen) {
    if (gethostname(name, MPI_MAX_PROCESSOR_NAME))
        return uno_error(MPI_ERR_OTHER, "the machine's name cannot be had: %s", strerror(errno));
    name[MPI_MAX_PROCESSOR_NAME - 1] = 0;
    *resultlen = (int)strlen(name);
    return MPI_SUCCESS;
}

/* ---- time and memory --------------------------------------------------------------------------------- */

double uno_mpi_wtime(void) {
    return (double)uno_kernel_now() * 1e-9;
}

double uno_mpi_wtick(void) {
    return 1e-9;
}

int uno_mpi_alloc_mem(MPI_Aint size, struct uno_mpi_info *info, void *baseptr) {
    (void)info;
    void *memory = size < 0 ? NULL : aligned_alloc(64, ((size_t)size + 64) / 64 * 64);
    if (!memory)
        return uno_error(MPI_ERR_NO_MEM, "there are no %lld bytes of memory", (long long)size);
    memcpy(baseptr, &memory, sizeof memory);
    return MPI_SUCCESS;
}

int uno_mpi_free_mem(void *base) {
    free(base);
    return MPI_SUCCESS;
}

int uno_mpi_pcontrol(const int level) {
    (void)level; /* for tools that put themselves between */
    return MPI_SUCCESS;
}
