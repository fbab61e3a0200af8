#include "library/object/attributes.h"

#include "library/rank/face.h"

#include <stdlib.h>
#include <string.h>

/* A function of the program, or MPI's that copies the value. */
static uno_copy_function *const dup_function = (uno_copy_function *)MPI_COMM_DUP_FN;

_Thread_local bool uno_attribute_fortran;

/* Functions of the program that the call calls may call again, and are of any language. */
static bool from_fortran(void) {
    bool fortran = uno_attribute_fortran;
    uno_attribute_fortran = false;
    return fortran;
}

struct uno_keyval {
    enum uno_object_kind kind; /* of objects that may have it */
    bool freed;                /* by the program; it is there as long as objects have it */
    int uses;                  /* attributes that have it */
    struct uno_key_functions call;
};

struct uno_attribute {
    struct uno_attribute *next;
    int keyval;
    void *value;
    bool fortran; /* it is Fortran's, as are its copies */
};

/* Return an attribute as a function or call of one of the languages gets it. */
static void *seen_by(struct uno_attribute *a, bool fortran) {
    return a->fortran && !fortran ? (void *)&a->value : a->value;
}

enum { FIRST = 1000 /* number of the first key of a program, behind MPI's own */ };

/* The key of that number, whether the program has freed it or not; NULL: there is none. */
static struct uno_keyval *any_key(int keyval) {
    int i = keyval - FIRST;
    return i >= 0 && i < uno_rank->keyvals ? &uno_rank->keyval[i] : NULL;
}

static struct uno_keyval *key_of(int keyval, enum uno_object_kind kind) {
    struct uno_keyval *key = any_key(keyval);
    return key && key->kind == kind && (!key->freed || key->uses) ? key : NULL;
}

static int no_key(int keyval) {
    return uno_error(MPI_ERR_KEYVAL, "there is no key %d for such objects", keyval);
}

int uno_keyval_make(enum uno_object_kind kind, uno_copy_function *copy, uno_delete_function *delete,
                    int *keyval, void *extra) {
    struct uno_rank *rank = uno_rank;
    size_t size = (size_t)(rank->keyvals + 1) * sizeof *rank->keyval;
    struct uno_keyval *all = realloc(rank->keyval, size);
    if (!all)
        return uno_error(MPI_ERR_NO_MEM, "out of memory");
    rank->keyval = all;
    *keyval = FIRST + rank->keyvals;
    all[rank->keyvals++] = (struct uno_keyval){kind, false, 0, {copy, delete, extra, from_fortran()}};
    return MPI_SUCCESS;
}

struct uno_key_functions *uno_keyval_functions(int keyval) {
    struct uno_keyval *key = any_key(keyval);
    return key ? &key->call : NULL;
}

int uno_keyval_free(enum uno_object_kind kind, int *keyval) {
    struct uno_keyval *key = key_of(*keyval, kind);
    if (!key)
        return no_key(*keyval);
    key->freed = true;
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static struct uno_attribute **find(struct uno_object *object, int keyval) {
    struct uno_attribute **at = &object->attributes;
    while (*at && (*at)->keyval != keyval)
        at = &(*at)->next;
    return at;
}

/* Delete the one at that place of the object's list, if its function agrees. */
static int delete_at(struct uno_object *object, struct uno_attribute **at) {
    struct uno_attribute *a = *at;
    struct uno_key_functions key = any_key(a->keyval)->call;
    void *handle = (void *)uno_face.handle(object->handle);
    int error = key.delete ? key.delete(handle, a->keyval, seen_by(a, key.fortran), key.extra) : 0;
    if (error)
        return uno_face.error_from(error);
    at = find(object, a->keyval); /* the function may have set others */
    *at = a->next;
    any_key(a->keyval)->uses--;
    free(a);
    return MPI_SUCCESS;
}

int uno_attribute_set(struct uno_object *object, int keyval, void *value) {
    bool fortran = from_fortran();
    if (!key_of(keyval, object->kind))
        return no_key(keyval);
    struct uno_attribute **at = find(object, keyval);
    int error = *at ? delete_at(object, at) : 0;
    struct uno_attribute *a = error ? NULL : malloc(sizeof *a);
    if (!a)
        return error ? error : uno_error(MPI_ERR_NO_MEM, "out of memory");
    *a = (struct uno_attribute){object->attributes, keyval, value, fortran};
    object->attributes = a;
    any_key(keyval)->uses++;
    return MPI_SUCCESS;
}

int uno_attribute_get(struct uno_object *object, int keyval, void *value, int *flag) {
    bool fortran = from_fortran();
    if (!key_of(keyval, object->kind))
        return no_key(keyval);
    struct uno_attribute *a = *find(object, keyval);
    *flag = a != NULL;
    if (a)
        memcpy(value, &(void *){seen_by(a, fortran)}, sizeof(void *));
    return MPI_SUCCESS;
}

int uno_attribute_delete(struct uno_object *object, int keyval) {
    if (!key_of(keyval, object->kind))
        return no_key(keyval);
    struct uno_attribute **at = find(object, keyval);
    return *at ? delete_at(object, at) : MPI_SUCCESS;
}

int uno_attributes_end(struct uno_object *object) {
    int error = 0;
    while (object->attributes && !error)
        error = delete_at(object, &object->attributes);
    return error;
}

/* The earliest first, as they were set. */
static int copy_from(struct uno_attribute *a, struct uno_object *from, struct uno_object *to) {
    int error = a ? copy_from(a->next, from, to) : 0, flag = 0;
    if (!a || error)
        return error;
    struct uno_key_functions key = any_key(a->keyval)->call;
    void *value = a->value;
    if (key.copy == dup_function)
        flag = 1;
    else if (key.copy)
        error = uno_face.error_from(key.copy((void *)uno_face.handle(from->handle), a->keyval, key.extra,
                                             seen_by(a, key.fortran), &value, &flag));
    if (error || !flag)
        return error;
    struct uno_attribute *made = malloc(sizeof *made);
    if (!made)
        return uno_error(MPI_ERR_NO_MEM, "out of memory");
    *made = (struct uno_attribute){to->attributes, a->keyval, value, a->fortran};
    to->attributes = made;
    any_key(a->keyval)->uses++;
    return MPI_SUCCESS;
}

int uno_attributes_copy(struct uno_object *from, struct uno_object *to) {
    return copy_from(from->attributes, from, to);
}

void uno_attributes_free(void) {
    free(uno_rank->keyval);
}
