/* Included by call.c for each of MPI's call forms: FORM(name) is the function, COUNTS and PLACES are the
 * arrays of that form. */

static int FUNCTION(const struct plan *p) {
    const struct side *s = &p->send, *r = &p->receive;
    const struct side *one = plan_at_root(p) ? s : r; /* of MPI_Bcast */
    const void *out = plan_in_place(p) ? MPI_IN_PLACE : s->base;
    MPI_Comm comm = p->circle->comm;
    MPI_Datatype type = p->basic->type;
    MPI_Op op = p->operation == OPERATION_COUNT ? MPI_OP_NULL : operation_handle(p->operation, p->large);
    int root = plan_root_argument(p);
    switch (p->what) {
    case Barrier:
        return MPI_Barrier(comm);
    case Bcast:
        return FORM(Bcast)(one->base, one->count[0], one->layout.type, root, comm);
    case Reduce:
        return FORM(Reduce)(out, r->base, p->elements, type, op, root, comm);
    case Allreduce:
        return FORM(Allreduce)(out, r->base, p->elements, type, op, comm);
    case Scan:
        return FORM(Scan)(out, r->base, p->elements, type, op, comm);
    case Exscan:
        return FORM(Exscan)(out, r->base, p->elements, type, op, comm);
    case Reduce_scatter_block:
        return FORM(Reduce_scatter_block)(out, r->base, p->elements, type, op, comm);
    case Reduce_scatter:
        return FORM(Reduce_scatter)(out, r->base, s->COUNTS, type, op, comm);
    case Allgather:
        return FORM(Allgather)(out, s->count[0], s->layout.type, r->base, r->count[0], r->layout.type, comm);
    case Allgatherv:
        return FORM(Allgatherv)(out, s->count[0], s->layout.type, r->base, r->COUNTS, r->PLACES,
                                r->layout.type, comm);
    case Gather:
        return FORM(Gather)(out, s->count[0], s->layout.type, r->base, r->count[0], r->layout.type, root,
                            comm);
    case Gatherv:
        return FORM(Gatherv)(out, s->count[0], s->layout.type, r->base, r->COUNTS, r->PLACES, r->layout.type,
                             root, comm);
    case Scatter:
        return FORM(Scatter)(s->base, s->count[0], s->layout.type, plan_in_place(p) ? MPI_IN_PLACE : r->base,
                             r->count[0], r->layout.type, root, comm);
    case Scatterv:
        return FORM(Scatterv)(s->base, s->COUNTS, s->PLACES, s->layout.type,
                              plan_in_place(p) ? MPI_IN_PLACE : r->base, r->count[0], r->layout.type, root,
                              comm);
    case Alltoall:
        return FORM(Alltoall)(out, s->count[0], s->layout.type, r->base, r->count[0], r->layout.type, comm);
    case Alltoallv:
        return FORM(Alltoallv)(out, s->COUNTS, s->PLACES, s->layout.type, r->base, r->COUNTS, r->PLACES,
                               r->layout.type, comm);
    case Alltoallw:
        return FORM(Alltoallw)(out, s->COUNTS, s->PLACES, s->type, r->base, r->COUNTS, r->PLACES, r->type,
                               comm);
    case COLLECTIVE_COUNT:
        break;
    }
    return MPI_ERR_OTHER;
}
