/* Attributes and names of communicators, as the program sets and gets them. */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "library/calls.h"
#include "library/communicator/comm.h"
#include "library/object/attributes.h"
#include "library/object/errors.h"
#include "library/rank/face.h"

/* MPI's own attributes. Whether that is one; value: where it is. */
static bool predefined(int keyval, const int **value, int *flag) {
    static const int tag_ub = INT_MAX, no = 0;
    struct uno_rank *rank = uno_rank;
    rank->last_used_code = uno_face.error(uno_error_last_used());
    rank->any_source = uno_face.rank(MPI_ANY_SOURCE);
    rank->proc_null = uno_face.rank(MPI_PROC_NULL);
    *flag = 1;
    switch (keyval) {
    case MPI_TAG_UB:
        *value = &tag_ub;
        return true;
    case MPI_IO:
        *value = &rank->any_source;
        return true;
    case MPI_HOST:
        *value = &rank->proc_null;
        return true;
    case MPI_WTIME_IS_GLOBAL: /* of one machine's ranks it is, but MPI_Wtime counts from each one's own start
                               */
        *value = &no;
        return true;
    case MPI_LASTUSEDCODE:
        *value = &rank->last_used_code;
        return true;
    case MPI_UNIVERSE_SIZE:
        *value = &rank->pe->n;
        return true;
    case MPI_APPNUM:
        *value = &no;
        return true;
    default:
        return false;
    }
}

int uno_mpi_comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                               MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
                               void *extra_state) {
    return uno_keyval_make(UNO_COMM, (uno_copy_function *)comm_copy_attr_fn,
                           (uno_delete_function *)comm_delete_attr_fn, comm_keyval, extra_state);
}

int uno_mpi_keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval,
                          void *extra_state) {
    return uno_mpi_comm_create_keyval(copy_fn, delete_fn, keyval, extra_state);
}

int uno_mpi_comm_free_keyval(int *comm_keyval) {
    return uno_keyval_free(UNO_COMM, comm_keyval);
}
int uno_mpi_keyval_free(int *keyval) {
    return uno_keyval_free(UNO_COMM, keyval);
}

int uno_mpi_comm_set_attr(struct uno_mpi_comm *comm, int comm_keyval, void *attribute_val) {
    return uno_attribute_set(&comm->object, comm_keyval, attribute_val);
}
int uno_mpi_attr_put(struct uno_mpi_comm *comm, int keyval, void *attribute_val) {
    return uno_attribute_set(&comm->object, keyval, attribute_val);
}

int uno_mpi_comm_get_attr(struct uno_mpi_comm *comm, int comm_keyval, void *attribute_val, int *flag) {
    const int *value;
    if (!predefined(comm_keyval, &value, flag))
        return uno_attribute_get(&comm->object, comm_keyval, attribute_val, flag);
    memcpy(attribute_val, &value, sizeof value);
    return MPI_SUCCESS;
}
int uno_mpi_attr_get(struct uno_mpi_comm *comm, int keyval, void *attribute_val, int *flag) {
    return uno_mpi_comm_get_attr(comm, keyval, attribute_val, flag);
}

int uno_mpi_comm_delete_attr(struct uno_mpi_comm *comm, int comm_keyval) {
    return uno_attribute_delete(&comm->object, comm_keyval);
}
int uno_mpi_attr_delete(struct uno_mpi_comm *comm, int keyval) {
    return uno_attribute_delete(&comm->object, keyval);
}

int uno_mpi_comm_set_name(struct uno_mpi_comm *comm, const char *comm_name) {
    snprintf(comm->name, sizeof comm->name, "%s", comm_name);
    return MPI_SUCCESS;
}

int uno_mpi_comm_get_name(struct uno_mpi_comm *comm, char *comm_name, int *resultlen) {
    *resultlen = snprintf(comm_name, MPI_MAX_OBJECT_NAME, "%s", comm ? comm->name : "MPI_COMM_NULL");
    return MPI_SUCCESS;
}
