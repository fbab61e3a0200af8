#include "library/schedule/begin.h"

#include "library/message/messages.h"
#include "library/message/requests.h"

static int tell(struct uno_mpi_request *r, MPI_Status *status) {
    uno_status_empty(status);
    return uno_schedule_outcome(r->kept);
}

static int cancel(struct uno_mpi_request *r) {
    (void)r;
    return uno_error(MPI_ERR_REQUEST, "request is a collective, which cannot be cancelled");
}

static int end(struct uno_mpi_request *r) {
    (void)r;
    return MPI_SUCCESS;
}

static void start(struct uno_mpi_request *r) {
    uno_schedule_start(r->kept, &r->receive.done);
}

static void wait(struct uno_mpi_request *r) {
    uno_schedule_wait(r->kept);
}

static void drop(void *kept) {
    uno_schedule_free(kept);
}

static const struct uno_request_kind collective = {tell, cancel, end, start, wait, drop, true};

int uno_schedule_begin(struct uno_schedule *s, int error, MPI_Request *request) {
    if (error)
        return uno_schedule_refuse(s, error);
    uno_schedule_end(s);
    struct uno_mpi_request *r = uno_request_begin(&collective, s);
    r->comm = uno_object_hold(s->comm);
    r->persistent = s->form == UNO_MADE;
    r->active = !r->persistent;
    if (r->active)
        start(r);
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
}

int uno_schedule_do(struct uno_schedule *s, int error) {
    bool done;
    if (error)
        return uno_schedule_refuse(s, error);
    uno_schedule_end(s);
    uno_schedule_start(s, &done);
    uno_schedule_wait(s);
    error = uno_schedule_outcome(s);
    uno_schedule_free(s);
    return error;
}
