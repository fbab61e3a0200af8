/* Attributes of communicators and data types, and their keys. */

#ifndef UNO_MPI_ATTRIBUTES_H
#define UNO_MPI_ATTRIBUTES_H

#include "library/object/objects.h"

/* The program's functions, which have the same form for objects of every kind. */
typedef int uno_copy_function(void *object, int keyval, void *extra, void *in, void *out, int *flag);
typedef int uno_delete_function(void *object, int keyval, void *value, void *extra);

/* The functions of a key; NULL: none. */
struct uno_key_functions {
    uno_copy_function *copy;
    uno_delete_function *delete;
    void *extra; /* argument of both */
    bool fortran;
};

/* Fortran's attributes are numbers, of which C gets the addresses. True: the next call of this thread that
 * makes a key, or sets or gets an attribute, is Fortran's. */
extern _Thread_local bool uno_attribute_fortran;

/* Make a key for objects of the kind; or free it, while attributes with the key stay. */
int uno_keyval_make(enum uno_object_kind kind, uno_copy_function *copy, uno_delete_function *delete,
                    int *keyval, void *extra);
int uno_keyval_free(enum uno_object_kind kind, int *keyval);

/* Return the functions of a key, to be changed; NULL: there is no such key. The pointer is valid until
 * another key is made. */
struct uno_key_functions *uno_keyval_functions(int keyval);

/* Set, get or delete one attribute of an object. Each returns an error of MPI's, or of the program's
 * function. */
int uno_attribute_set(struct uno_object *object, int keyval, void *value);
int uno_attribute_get(struct uno_object *object, int keyval, void *value, int *flag);
int uno_attribute_delete(struct uno_object *object, int keyval);

/* Delete the object's attributes, the latest first. Returns an error of the program's functions. */
int uno_attributes_end(struct uno_object *object);

/* Copy those attributes of `from` to `to` whose copy functions say so. Returns an error of the program's
 * functions. */
int uno_attributes_copy(struct uno_object *from, struct uno_object *to);

/* Free all keys. */
void uno_attributes_free(void);

#endif
