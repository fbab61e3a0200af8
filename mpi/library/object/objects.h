/* The objects behind MPI's handles. Each begins with a struct uno_object, by which a handle is recognized: an
 * object that the program has freed is still memory of the library, and marked as freed. */

#ifndef UNO_MPI_OBJECTS_H
#define UNO_MPI_OBJECTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "library/rank/rank.h"

struct uno_attribute;

struct uno_object {
    uintptr_t handle; /* predefined objects: the number that the standard gives them; otherwise the address */
    enum uno_object_kind kind;
    int references;                   /* it is freed with its last reference */
    int number;                       /* its number among all objects of the rank */
    void (*release)(void *object);    /* frees its content with the last reference; or NULL */
    struct uno_object *next;          /* the next in the list of freed objects */
    struct uno_attribute *attributes; /* attributes, the latest first */
};

/* The first handle number of objects that are not predefined; predefined ones have their own numbers. */
enum { UNO_FIRST_NUMBER = 4096 };

/* Make an object of the kind with one reference, zeroed after its head. size: of all objects of that kind.
 * handle: for predefined objects, otherwise 0. release: as in the head. */
void *uno_object_make(enum uno_object_kind kind, size_t size, uintptr_t handle,
                      void (*release)(void *object));

/* Return a freed object of the kind with the head of a new one, and everything else as it was; or NULL. */
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

/* Free the content of an object whose last reference has gone. */
void uno_object_free(struct uno_object *object);

/* Keep the memory for another object of its kind. */
static inline void uno_object_put_away(struct uno_store *store, struct uno_object *object) {
    object->next = store->unused[object->kind];
    store->unused[object->kind] = object;
    object->kind = UNO_FREED;
}

/* Add a reference, or drop one; dropping NULL is allowed. Predefined objects that are the same for all ranks,
 * and the empty group, are not counted, and stay. */
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

/* Free all objects of the rank; info objects of the program are left behind for uno_store_outside. */
void uno_objects_end(void);

/* Return the object, not predefined, that the handle names, if it is of that kind; otherwise NULL. */
static inline void *uno_object_of(uintptr_t handle, enum uno_object_kind kind) {
    enum { PREDEFINED = 4096 };
    struct uno_object *object = (struct uno_object *)handle;
    bool address = handle >= PREDEFINED && handle % _Alignof(max_align_t) == 0;
    return address && object->kind == kind ? object : NULL;
}

/* Return the object of that number; NULL: there is none. */
static inline struct uno_object *uno_object_numbered(unsigned number) {
    const struct uno_store *store = uno_store();
    return number < (unsigned)store->objects ? store->object[number] : NULL;
}

/* An array of numbers from the program: of type int, or, if `large`, of 64 bits. */
struct uno_numbers {
    const void *at;
    bool large;
};

static inline MPI_Count uno_number(struct uno_numbers n, MPI_Count i) {
    return n.large ? ((const MPI_Count *)n.at)[i] : ((const int *)n.at)[i];
}

#endif
