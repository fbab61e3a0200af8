#include "library/reductions.h"

#include "library/calls.h"
#include "library/predefined.h"

/* The program's function, which takes as many elements as its number can say. */
static void apply(const void *context, const void *in, void *inout, size_t count) {
    const struct uno_mpi_reduction *r = context;
    MPI_Datatype type = (MPI_Datatype)r->type->object.handle;
    if (r->op->large) {
        MPI_Count n = (MPI_Count)count;
        ((MPI_User_function_c *)r->op->function)((void *)in, inout, &n, &type);
    } else {
        int n = (int)count;
        ((MPI_User_function *)r->op->function)((void *)in, inout, &n, &type);
    }
}

static void combine(const void *context, const void *const *data, int n, size_t count, void *out) {
    const struct uno_mpi_reduction *r = context;
    uno_ordered_combine(&r->ordered, data, n, count, out);
}

int uno_reduction_of(struct uno_mpi_reduction *r, struct uno_mpi_type *type, struct uno_mpi_op *op) {
    const uno_kernel *kernels = op->function ? NULL : uno_type_kernels(type);
    uno_kernel kernel = kernels && op->operator<UNO_OPERATORS ? kernels[op->operator] : NULL;
    if (!kernel && !op->function)
        return uno_error(MPI_ERR_OP, "the operation does not combine elements of this type");
    *r =
        (struct uno_mpi_reduction){.how = {.kernel = kernel,
                                           .combine = combine,
                                           .context = r,
                                           .layout = &type->layout,
                                           .bytes = kernel ? (size_t)type->layout.extent : type->layout.size},
                                   .ordered = {&type->layout, (ptrdiff_t)type->true_low, apply, r},
                                   .op = op,
                                   .type = type};
    return MPI_SUCCESS;
}

/* ---- the program's calls ------------------------------------------------------------------------------- */

int uno_mpi_op_create(void (*user_fn)(void), bool large, int commute, MPI_Op *op) {
    if (!user_fn)
        return uno_error(MPI_ERR_ARG, "user_fn is a null pointer");
    struct uno_mpi_op *made = uno_object_make(UNO_OP, 0, NULL);
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

int uno_mpi_reduce_local(const void *inbuf, void *inoutbuf, MPI_Count count, struct uno_mpi_type *datatype,
                         struct uno_mpi_op *op) {
    struct uno_mpi_reduction r;
    int error = uno_reduction_of(&r, datatype, op);
    if (error || !count)
        return error;
    if (!r.how.kernel) {
        uno_ordered_apply(&r.ordered, inbuf, inoutbuf, (size_t)count);
        return MPI_SUCCESS;
    }
    /* a kernel's result may not lie where its data are */
    size_t bytes = (size_t)count * r.how.bytes;
    void *copy = uno_base_allocate(bytes, 1);
    memcpy(copy, inoutbuf, bytes);
    r.how.kernel((const void *const[]){inbuf, copy}, 2, (size_t)count, inoutbuf);
    free(copy);
    return MPI_SUCCESS;
}
