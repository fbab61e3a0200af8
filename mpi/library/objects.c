/* Objects: made, counted, freed, and found by number. Their memory stays the rank's until it ends, so that a
 * handle of one that has been freed can be told. */

#include "library/objects.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"

static const size_t size_of[UNO_KINDS] = {
    [UNO_COMM] = sizeof(struct uno_mpi_comm),       [UNO_GROUP] = sizeof(struct uno_mpi_group),
    [UNO_TYPE] = sizeof(struct uno_mpi_type),       [UNO_OP] = sizeof(struct uno_mpi_op),
    [UNO_INFO] = sizeof(struct uno_mpi_info),       [UNO_ERRHANDLER] = sizeof(struct uno_mpi_errhandler),
    [UNO_REQUEST] = sizeof(struct uno_mpi_request), [UNO_MESSAGE] = sizeof(struct uno_mpi_message),
};

/* A new one, with a number. */
static struct uno_object *add(struct uno_rank *rank, size_t size) {
    if (rank->objects == rank->objects_room) {
        rank->objects_room = rank->objects_room ? 2 * rank->objects_room : 64;
        rank->object = realloc(rank->object, (size_t)rank->objects_room * sizeof *rank->object);
        if (!rank->object)
            uno_base_fail("out of memory");
    }
    struct uno_object *o = uno_base_allocate(1, size);
    o->number = rank->objects;
    return rank->object[rank->objects++] = o;
}

void *uno_object_make(enum uno_object_kind kind, uintptr_t handle, void (*release)(void *object)) {
    struct uno_rank *rank = uno_rank;
    struct uno_object *o = rank->unused[kind];
    if (o) {
        int number = o->number;
        rank->unused[kind] = o->next;
        memset(o, 0, size_of[kind]);
        o->number = number;
    } else {
        o = add(rank, size_of[kind]);
    }
    o->kind = kind;
    o->handle = handle ? handle : (uintptr_t)o;
    o->references = 1;
    o->release = release;
    return o;
}

void uno_object_drop(void *object) {
    struct uno_object *o = object;
    if (!o || !o->references || --o->references)
        return;
    if (o->release)
        o->release(o);
    o->next = uno_rank->unused[o->kind];
    uno_rank->unused[o->kind] = o;
    o->kind = UNO_FREED;
}

void uno_objects_end(void) {
    struct uno_rank *rank = uno_rank;
    /* what refers to others first, as requests to communicators */
    for (int i = rank->objects - 1; i >= 0; i--)
        if (rank->object[i]->kind) {
            rank->object[i]->references = 1;
            uno_object_drop(rank->object[i]);
        }
    for (int i = 0; i < rank->objects; i++)
        free(rank->object[i]);
    free(rank->object);
}

/* ---- handles as numbers: of predefined objects their own, of others behind those ------------------------
 */

enum { FIRST = 4096 };

static int to_int(const void *handle) {
    uintptr_t number = (uintptr_t)handle;
    return number < FIRST ? (int)number : FIRST + ((const struct uno_object *)handle)->number;
}

static void *from_int(int number) {
    if (number < FIRST)
        return (void *)(uintptr_t)(unsigned)number;
    bool known = uno_rank && number - FIRST < uno_rank->objects;
    return known ? (void *)uno_rank->object[number - FIRST]->handle : NULL;
}

#define BOTH_WAYS(Handle, name)                                                                              \
    int uno_mpi_##name##_toint(Handle handle) {                                                              \
        return to_int(handle);                                                                               \
    }                                                                                                        \
    Handle uno_mpi_##name##_fromint(int number) {                                                            \
        return from_int(number);                                                                             \
    }
BOTH_WAYS(MPI_Comm, comm)
BOTH_WAYS(MPI_Group, group)
BOTH_WAYS(MPI_Datatype, type)
BOTH_WAYS(MPI_Op, op)
BOTH_WAYS(MPI_Errhandler, errhandler)
BOTH_WAYS(MPI_Info, info)
BOTH_WAYS(MPI_Request, request)
BOTH_WAYS(MPI_Message, message)
BOTH_WAYS(MPI_Win, win)
BOTH_WAYS(MPI_File, file)
BOTH_WAYS(MPI_Session, session)
