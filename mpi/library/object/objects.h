/* What MPI's handles name. Each object begins with a struct uno_object, by which a handle is recognized: one
 * that the program has freed is still memory of the library, and says so. */

#ifndef UNO_MPI_OBJECTS_H
#define UNO_MPI_OBJECTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "library/rank/rank.h"

struct uno_attribute;

struct uno_object {
    uintptr_t
        handle; /* of predefined objects the number that the standard gives them, otherwise the address */
    enum uno_object_kind kind;
    int references;                   /* it is freed with the last one */
    int number;                       /* among all of the rank's objects */
    void (*release)(void *object);    /* frees what it has, with the last reference; or NULL */
    struct uno_object *next;          /* of those that are free */
    struct uno_attribute *attributes; /* the latest first */
};

/* Handles as numbers: those of predefined objects are their own, those of others begin here. */
enum { UNO_FIRST_NUMBER = 4096 };

/* A new object of the kind, zeroed but for its head, which nobody else refers to. size: of all of that kind.
 * handle: of predefined ones, else 0. release: as the head's. */
void *uno_object_make(enum uno_object_kind kind, size_t size, uintptr_t handle,
                      void (*release)(void *object));

/* One of the kind that has been freed, with the head of a new one, and all else as it was; or NULL. */
static inline void *uno_object_again(enum uno_object_kind kind) {
    struct uno_store *store = &uno_rank->store;
    struct uno_object *o = store->unused[kind];
    if (o) {
        store->unused[kind] = o->next;
        o->kind = kind;
        o->references = 1;
    }
    return o;
}

/* Its last reference has gone: frees what it has. */
void uno_object_free(struct uno_object *object);

/* Its memory may be used again for an object of its kind. */
static inline void uno_object_put_away(struct uno_store *store, struct uno_object *object) {
    object->next = store->unused[object->kind];
    store->unused[object->kind] = object;
    object->kind = UNO_FREED;
}

/* One reference more, or less; NULL has none. Predefined objects that are the same for all ranks, and the
 * empty group, have none either, and stay. */
static inline void *uno_object_hold(void *object) {
    struct uno_object *o = object;
    if (o->references)
        o->references++;
    return object;
}
static inline void uno_object_drop(void *object) {
    struct uno_object *o = object;
    if (o && o->references && !--o->references)
        uno_object_free(o);
}

/* Free all objects of the rank but the info objects of the program, and leave those behind. */
void uno_objects_end(void);

/* The object that is not predefined, if the handle names one of that kind; else NULL. */
static inline void *uno_object_of(uintptr_t handle, enum uno_object_kind kind) {
    enum { PREDEFINED = 4096 };
    struct uno_object *object = (struct uno_object *)handle;
    bool address = handle >= PREDEFINED && handle % _Alignof(max_align_t) == 0;
    return address && object->kind == kind ? object : NULL;
}

/* The object of that number; NULL: there is none. */
static inline struct uno_object *uno_object_numbered(unsigned number) {
    const struct uno_store *store = uno_store();
    return number < (unsigned)store->objects ? store->object[number] : NULL;
}

/* Numbers of the program's: int, or large ones of 64 bits. */
struct uno_numbers {
    const void *at;
    bool large;
};

static inline MPI_Count uno_number(struct uno_numbers n, MPI_Count i) {
    return n.large ? ((const MPI_Count *)n.at)[i] : ((const int *)n.at)[i];
}

#endif
