/* Attributes and names of data types, as the program sets and gets them. */

#include <stdio.h>

#include "library/calls.h"
#include "library/object/attributes.h"
#include "library/type/predefined.h"

int uno_mpi_type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn,
                               MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval,
                               void *extra_state) {
    return uno_keyval_make(UNO_TYPE, (uno_copy_function *)type_copy_attr_fn,
                           (uno_delete_function *)type_delete_attr_fn, type_keyval, extra_state);
}

int uno_mpi_type_free_keyval(int *type_keyval) {
    return uno_keyval_free(UNO_TYPE, type_keyval);
}

int uno_mpi_type_set_attr(struct uno_mpi_type *datatype, int type_keyval, void *attribute_val) {
    return uno_attribute_set(&uno_type_own(datatype)->object, type_keyval, attribute_val);
}

int uno_mpi_type_get_attr(struct uno_mpi_type *datatype, int type_keyval, void *attribute_val, int *flag) {
    return uno_attribute_get(&uno_type_own(datatype)->object, type_keyval, attribute_val, flag);
}

int uno_mpi_type_delete_attr(struct uno_mpi_type *datatype, int type_keyval) {
    return uno_attribute_delete(&uno_type_own(datatype)->object, type_keyval);
}

int uno_mpi_type_set_name(struct uno_mpi_type *datatype, const char *type_name) {
    snprintf(uno_type_own(datatype)->name, MPI_MAX_OBJECT_NAME, "%s", type_name);
    return MPI_SUCCESS;
}

int uno_mpi_type_get_name(struct uno_mpi_type *datatype, char *type_name, int *resultlen) {
    const char *name = datatype ? uno_type_own(datatype)->name : "MPI_DATATYPE_NULL";
    *resultlen = snprintf(type_name, MPI_MAX_OBJECT_NAME, "%s", name);
    return MPI_SUCCESS;
}
