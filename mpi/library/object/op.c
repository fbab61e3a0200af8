#include "library/object/op.h"

#include "library/calls.h"

const struct uno_mpi_op uno_predefined_op[UNO_OPS_TO - UNO_OPS_FROM] = {
#define OP(name, does)                                                                                       \
    [(uintptr_t)(name)-UNO_OPS_FROM] = {.object = {.handle = (uintptr_t)(name), .kind = UNO_OP},             \
                                        .operator=(does),                                                    \
                                        .commutes = (does) != UNO_OPERATORS}
    OP(MPI_SUM, UNO_SUM),
    OP(MPI_MIN, UNO_MIN),
    OP(MPI_MAX, UNO_MAX),
    OP(MPI_PROD, UNO_PROD),
    OP(MPI_BAND, UNO_BAND),
    OP(MPI_BOR, UNO_BOR),
    OP(MPI_BXOR, UNO_BXOR),
    OP(MPI_LAND, UNO_LAND),
    OP(MPI_LOR, UNO_LOR),
    OP(MPI_LXOR, UNO_LXOR),
    OP(MPI_MINLOC, UNO_MINLOC),
    OP(MPI_MAXLOC, UNO_MAXLOC),
    /* for one-sided operations alone */
    OP(MPI_REPLACE, UNO_OPERATORS),
    OP(MPI_NO_OP, UNO_OPERATORS),
#undef OP
};

int uno_mpi_op_create(void (*user_fn)(void), bool large, int commute, MPI_Op *op) {
    struct uno_mpi_op *made = uno_object_make(UNO_OP, sizeof *made, 0, NULL);
    made->operator= UNO_OPERATORS;
    made->function = user_fn;
    made->large = large;
    made->commutes = commute;
    *op = (MPI_Op)made->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_op_free(MPI_Op *op) {
    struct uno_mpi_op *found = uno_find_op(*op);
    if (!found || !found->function)
        return uno_error(MPI_ERR_OP, "op is %s", found ? "predefined, and stays" : "no operation");
    uno_object_drop(found);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int uno_mpi_op_commutative(struct uno_mpi_op *op, int *commute) {
    *commute = op->commutes;
    return MPI_SUCCESS;
}
