/* Attributes of communicators and data types, and their keys. */

#ifndef UNO_MPI_ATTRIBUTES_H
#define UNO_MPI_ATTRIBUTES_H

#include "library/object/objects.h"

/* The program's functions, which are of one shape for objects of every kind. */
typedef int uno_copy_function(void *object, int keyval, void *extra, void *in, void *out, int *flag);
typedef int uno_delete_function(void *object, int keyval, void *value, void *extra);

/* What a key calls; NULL: nothing. */
struct uno_key_functions {
    uno_copy_function *copy;
    uno_delete_function *delete;
    void *extra; /* for both */
};

/* A new key for objects of the kind, and its end; attributes that have it stay. */
int uno_keyval_make(enum uno_object_kind kind, uno_copy_function *copy, uno_delete_function *delete,
                    int *keyval, void *extra);
int uno_keyval_free(enum uno_object_kind kind, int *keyval);

/* Those of a key, to be changed; NULL: there is no such key. They stay there until another key is made. */
struct uno_key_functions *uno_keyval_functions(int keyval);

/* One attribute of an object. Each returns an error of MPI's, or of the program's function. */
int uno_attribute_set(struct uno_object *object, int keyval, void *value);
int uno_attribute_get(struct uno_object *object, int keyval, void *value, int *flag);
int uno_attribute_delete(struct uno_object *object, int keyval);

/* What the object has of them is deleted, the latest first. Returns an error of the program's. */
int uno_attributes_end(struct uno_object *object);

/* Those of `from` that say so go to `to` as well. Returns an error of the program's. */
int uno_attributes_copy(struct uno_object *from, struct uno_object *to);

/* No key is left. */
void uno_attributes_free(void);

#endif
