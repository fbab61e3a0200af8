/* Copies of communicators: with the same ranks, topology, attributes and hints. */

#include <string.h>

#include "library/calls.h"
#include "library/communicator/topology.h"
#include "library/derived/agree.h"
#include "library/message/requests.h"
#include "library/object/attributes.h"
#include "library/object/info.h"
#include "library/rank/ops.h"
#include "library/type/predefined.h"

/* ---- hints --------------------------------------------------------------------------------------------- */

/* Take over the hints of info that are MPI's; others are ignored. info: NULL: there are none. */
static void take_hints(struct uno_mpi_comm *comm, const struct uno_mpi_info *info) {
    static const char *const keys[] = {
        "mpi_assert_no_any_tag",
        "mpi_assert_no_any_source",
        "mpi_assert_exact_length",
        "mpi_assert_allow_overtaking",
        "mpi_assert_strict_start_ordering",
        "mpi_assert_strict_persistent_collective_ordering",
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = uno_info_value(info, keys[i]);
        if (!value || (strcmp(value, "true") != 0 && strcmp(value, "false") != 0))
            continue;
        if (!comm->info)
            comm->info = uno_info_copy(NULL);
        uno_mpi_info_set(comm->info, keys[i], value);
    }
}

int uno_mpi_comm_set_info(struct uno_mpi_comm *comm, struct uno_mpi_info *info) {
    take_hints(comm, info);
    return MPI_SUCCESS;
}

int uno_mpi_comm_get_info(struct uno_mpi_comm *comm, MPI_Info *info_used) {
    *info_used = (MPI_Info)uno_info_copy(comm->info)->object.handle;
    return MPI_SUCCESS;
}

/* ---- copies at once ------------------------------------------------------------------------------------ */

/* A copy of that number. Returns an error of the program's function that copies an attribute: then there is
 * none. */
static int copy(struct uno_mpi_comm *comm, const struct uno_mpi_info *info, int id,
                struct uno_mpi_comm **made) {
    *made = uno_comm_child(comm, comm->group, comm->remote, id);
    take_hints(*made, info);
    (*made)->topology = uno_topology_share(comm->topology);
    int error = uno_attributes_copy(&comm->object, &(*made)->object);
    if (error)
        uno_object_drop(*made);
    return error;
}

static int dup(struct uno_mpi_comm *comm, const struct uno_mpi_info *info, MPI_Comm *newcomm) {
    struct uno_mpi_comm *made;
    struct uno_makers makers = uno_makers_of(comm);
    int id = uno_makers_agree(&makers);
    *newcomm = MPI_COMM_NULL;
    if (id < 0)
        return uno_comm_no_id();
    int error = copy(comm, info, id, &made);
    if (!error)
        *newcomm = (MPI_Comm)made->object.handle;
    return error;
}

int uno_mpi_comm_dup(struct uno_mpi_comm *comm, MPI_Comm *newcomm) {
    return dup(comm, comm->info, newcomm);
}

int uno_mpi_comm_dup_with_info(struct uno_mpi_comm *comm, struct uno_mpi_info *info, MPI_Comm *newcomm) {
    return dup(comm, info, newcomm);
}

/* ---- nonblocking copies -------------------------------------------------------------------------------- */

/* The first of their ranks chooses a number (agree.h), and tells the others, at which the copy is complete
 * when it comes. */

static void tell(const struct uno_mpi_comm *comm, const struct uno_comm *all, int id) {
    uint64_t word = uno_channel_word(uno_comm_number_context(comm), 0);
    for (int r = 1; r < all->size; r++)
        uno_channel_send(uno_rank->channel, all->pe[r], word, &id, sizeof id, UNO_SIGNATURE_MPI_SEND);
}

static int no_choice(struct uno_mpi_request *r, MPI_Status *status) {
    const struct uno_mpi_comm *made = r->kept;
    uno_status_empty(status);
    return made->id >= 0
               ? MPI_SUCCESS
               : uno_error(MPI_ERR_OTHER, "there are %d copies already; free some of them", UNO_CHOICES);
}

static int cancel(struct uno_mpi_request *r) {
    (void)r;
    return uno_error(MPI_ERR_REQUEST, "request is a copy of a communicator, which cannot be cancelled");
}

/* A copy that has got no number is none. */
static int end(struct uno_mpi_request *r) {
    struct uno_mpi_comm *made = r->kept;
    if (made->id < 0)
        uno_object_drop(made);
    return MPI_SUCCESS;
}

static void drop(void *made) {
    uno_object_drop(made);
}

static const struct uno_request_kind copies = {
    .tell = no_choice, .cancel = cancel, .end = end, .drop = drop, .stays = true};

/* The number comes to where the communicator has it. */
static MPI_Request await(struct uno_mpi_comm *comm, const struct uno_comm *all, struct uno_mpi_comm *made) {
    struct uno_mpi_request *r =
        uno_request_make(UNO_RECEIVES, &made->id, sizeof made->id, uno_find_type(MPI_BYTE), 0, 0, comm);
    r->active = true;
    r->kind = &copies;
    r->kept = uno_object_hold(made);
    r->receive =
        (struct uno_receive){.envelope = {.context = uno_comm_number_context(comm), .source = all->pe[0]},
                             .data = &made->id,
                             .room = sizeof made->id};
    uno_channel_post(uno_rank->channel, &r->receive);
    return (MPI_Request)r->object.handle;
}

/* The first rank has no number for the copy, as it tells when its request is waited for, like all others. */
static MPI_Request failed(struct uno_mpi_comm *comm, struct uno_mpi_comm *made) {
    struct uno_mpi_request *r = uno_request_begin(&copies, uno_object_hold(made));
    r->comm = uno_object_hold(comm);
    r->receive.done = true;
    return (MPI_Request)r->object.handle;
}

static int idup(struct uno_mpi_comm *comm, const struct uno_mpi_info *info, MPI_Comm *newcomm,
                MPI_Request *request) {
    const struct uno_comm *all = uno_comm_all(comm);
    struct uno_mpi_comm *made;
    int error = copy(comm, info, UNO_ID_NONE, &made);
    *newcomm = MPI_COMM_NULL;
    *request = MPI_REQUEST_NULL;
    if (error)
        return error;
    *newcomm = (MPI_Comm)made->object.handle;
    if (all->rank != 0) {
        *request = await(comm, all, made);
        return MPI_SUCCESS;
    }
    made->id = uno_comm_id_choose();
    tell(comm, all, made->id);
    if (made->id >= 0)
        return uno_request_nothing(request);
    *request = failed(comm, made);
    return MPI_SUCCESS;
}

int uno_mpi_comm_idup(struct uno_mpi_comm *comm, MPI_Comm *newcomm, MPI_Request *request) {
    return idup(comm, comm->info, newcomm, request);
}

int uno_mpi_comm_idup_with_info(struct uno_mpi_comm *comm, struct uno_mpi_info *info, MPI_Comm *newcomm,
                                MPI_Request *request) {
    return idup(comm, info, newcomm, request);
}
