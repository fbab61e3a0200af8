/* Objects: made, counted, freed, and found by number. Their memory stays the rank's until it ends, so that a
 * handle of one that has been freed can be told. */

#include "library/object/objects.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"

/* A new one, with a number. */
static struct uno_object *add(struct uno_store *store, size_t size) {
    if (store->objects == store->room) {
        store->room = store->room ? 2 * store->room : 64;
        store->object = realloc(store->object, (size_t)store->room * sizeof *store->object);
        if (!store->object)
            uno_base_fail("out of memory");
    }
    struct uno_object *o = uno_base_allocate(1, size);
    o->number = store->objects;
    return store->object[store->objects++] = o;
}

void *uno_object_make(enum uno_object_kind kind, size_t size, uintptr_t handle,
                      void (*release)(void *object)) {
    struct uno_store *store = uno_store();
    struct uno_object *o = store->unused[kind];
    if (o) {
        int number = o->number;
        store->unused[kind] = o->next;
        memset(o, 0, size);
        o->number = number;
    } else {
        o = add(store, size);
    }
    o->kind = kind;
    o->handle = handle ? handle : (uintptr_t)o;
    o->references = 1;
    o->release = release;
    return o;
}

void uno_object_free(struct uno_object *o) {
    if (o->release)
        o->release(o);
    uno_object_put_away(uno_store(), o);
}

/* An object that is there, the last one that is no info object; or NULL. What refers to others comes first,
 * as requests to communicators. */
static struct uno_object *last(const struct uno_store *store, int *i) {
    while (--*i >= 0)
        if (store->object[*i] && store->object[*i]->kind && store->object[*i]->kind != UNO_INFO)
            return store->object[*i];
    return NULL;
}

void uno_objects_end(void) {
    struct uno_store *store = &uno_rank->store;
    struct uno_object *o = (struct uno_object *)uno_rank->env;
    int i = store->objects, left = 0;
    do {
        o->references = 1;
        uno_object_drop(o);
    } while ((o = last(store, &i)) != NULL);
    memset(store->unused, 0, sizeof store->unused);
    for (i = 0; i < store->objects; i++) {
        o = store->object[i];
        bool stays = o && o->kind;
        left += stays;
        if (!stays) {
            free(o);
            store->object[i] = NULL;
        }
    }
    if (left)
        uno_store_outside = *store;
    else
        free(store->object);
}

/* ---- handles as numbers: of predefined objects their own, of others behind those ------------------------
 */

static int to_int(const void *handle) {
    uintptr_t number = (uintptr_t)handle;
    return number < UNO_FIRST_NUMBER ? (int)number
                                     : UNO_FIRST_NUMBER + ((const struct uno_object *)handle)->number;
}

static void *from_int(int number) {
    if (number < UNO_FIRST_NUMBER)
        return (void *)(uintptr_t)(number < 0 ? 0 : number);
    const struct uno_object *o = uno_object_numbered((unsigned)number - UNO_FIRST_NUMBER);
    return o ? (void *)o->handle : NULL;
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
