/* MPI_Wait, MPI_Test and their forms for several requests. */

#include <stdlib.h>

#include "library/calls.h"
#include "library/message/messages.h"
#include "library/message/requests.h"
#include "library/rank/waits.h"

/* ---- one --------------------------------------------------------------------------------------------- */

static UNO_COLD int none(void) {
    return uno_error(MPI_ERR_REQUEST, "a request is none, or has been completed already");
}

static inline int check(MPI_Request request) {
    return UNO_LIKELY(request == MPI_REQUEST_NULL || uno_find_request(request)) ? MPI_SUCCESS : none();
}

static bool is_complete(void *request) {
    return uno_request_is_done(request);
}

/* Wait until the request is done. */
static void wait_for(struct uno_mpi_request *r) {
    if (r->what == UNO_OTHER && r->kind->wait)
        r->kind->wait(r);
    else if (r->what == UNO_OTHER)
        uno_wait_until(is_complete, r, &r->receive.done, UNO_WILD, UNO_SIGNATURE_MPI_WAIT);
    else
        uno_channel_finish(uno_rank->channel, &r->receive, UNO_SIGNATURE_MPI_WAIT);
}

static inline void finish(struct uno_mpi_request *r) {
    if (r && !uno_request_is_done(r))
        wait_for(r);
}

int uno_mpi_wait(MPI_Request *request, MPI_Status *status) {
    int error = check(*request);
    if (error)
        return error;
    finish(uno_find_request(*request));
    return uno_request_complete(request, status);
}

/* Return true if the request is done. If it is not, look once for messages that have come. */
static bool is_done(MPI_Request request, bool *looked) {
    const struct uno_mpi_request *r = uno_find_request(request);
    if (!r || uno_request_is_done(r))
        return true;
    if (!*looked)
        uno_channel_advance(uno_rank->channel);
    *looked = true;
    return uno_request_is_done(r);
}

/* Report that the requests are not done. k: the PE that most of all has to act, or UNO_WILD. */
static int not_yet(int k) {
    uno_channel_looked_in_vain(uno_rank->channel, k, UNO_SIGNATURE_MPI_TEST);
    return MPI_SUCCESS;
}

/* Report that one request is not done. */
static int one_not_yet(MPI_Request request) {
    const struct uno_mpi_request *r = uno_find_request(request);
    return not_yet(r->what == UNO_OTHER ? UNO_WILD : r->receive.envelope.source);
}

int uno_mpi_test(MPI_Request *request, int *flag, MPI_Status *status) {
    int error = check(*request);
    bool looked = false;
    if (error)
        return error;
    *flag = is_done(*request, &looked);
    return *flag ? uno_request_complete(request, status) : one_not_yet(*request);
}

int uno_mpi_request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    int error = check(request);
    bool looked = false;
    if (error)
        return error;
    *flag = is_done(request, &looked);
    if (!*flag)
        return one_not_yet(request);
    uno_request_tell(uno_find_request(request), status);
    return MPI_SUCCESS;
}

/* ---- all --------------------------------------------------------------------------------------------- */

static int check_all(int count, const MPI_Request requests[]) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < count && !error; i++)
        error = check(requests[i]);
    return error;
}

/* Return the place for the status of request i. */
static MPI_Status *status_at(MPI_Status *statuses, int i) {
    return statuses ? &statuses[i] : MPI_STATUS_IGNORE;
}

/* Complete all requests, which are done. */
static int complete_all(int count, MPI_Request requests[], MPI_Status *statuses) {
    bool failed = false;
    for (int i = 0; i < count; i++) {
        int error = uno_request_complete(&requests[i], status_at(statuses, i));
        failed |= error != MPI_SUCCESS;
        if (statuses)
            statuses[i].MPI_ERROR = error;
    }
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int uno_mpi_waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses) {
    bool done = true;
    for (int i = 0; i < count; i++) {
        const struct uno_mpi_request *r = uno_find_request(array_of_requests[i]);
        if (UNO_UNLIKELY(!r && array_of_requests[i] != MPI_REQUEST_NULL))
            return none();
        done &= !r || uno_request_is_done(r);
    }
    for (int i = 0; i < count && !done; i++)
        finish(uno_find_request(array_of_requests[i]));
    return complete_all(count, array_of_requests, array_of_statuses);
}

int uno_mpi_testall(int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses) {
    int error = check_all(count, array_of_requests);
    bool looked = false;
    *flag = 1;
    for (int i = 0; i < count && !error && *flag; i++)
        *flag = is_done(array_of_requests[i], &looked);
    if (error)
        return error;
    return *flag ? complete_all(count, array_of_requests, array_of_statuses) : not_yet(UNO_WILD);
}

/* ---- some -------------------------------------------------------------------------------------------- */

/* Return true if the request counts: it exists, and it is under way, or has been done since. */
static bool counts(MPI_Request request) {
    const struct uno_mpi_request *r = uno_find_request(request);
    return r && r->active;
}

struct several {
    int count;
    const MPI_Request *request;
    int first; /* the first that is done; `count`: none */
    bool any;  /* some of them count */
};

static bool find_done(void *argument) {
    struct several *s = argument;
    s->any = false;
    for (s->first = 0; s->first < s->count; s->first++) {
        bool one = counts(s->request[s->first]);
        s->any |= one;
        if (one && uno_request_is_done(uno_find_request(s->request[s->first])))
            return true;
    }
    return !s->any;
}

/* Find the first request that is done: at once, or by waiting. */
static struct several look(int count, const MPI_Request requests[], bool wait) {
    struct several s = {.count = count, .request = requests};
    if (wait)
        uno_wait_until(find_done, &s, NULL, UNO_WILD, UNO_SIGNATURE_MPI_WAIT);
    else if (!find_done(&s) && !(uno_channel_advance(uno_rank->channel) && find_done(&s)))
        not_yet(UNO_WILD);
    return s;
}

static int any(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status, bool wait) {
    int error = check_all(count, requests);
    if (error)
        return error;
    struct several s = look(count, requests, wait);
    *flag = s.first < count || !s.any;
    *index = s.first < count ? s.first : MPI_UNDEFINED;
    if (s.first < count)
        return uno_request_complete(&requests[s.first], status);
    if (*flag)
        uno_status_empty(status);
    return MPI_SUCCESS;
}

int uno_mpi_waitany(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status) {
    int flag;
    return any(count, array_of_requests, indx, &flag, status, true);
}

int uno_mpi_testany(int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status) {
    return any(count, array_of_requests, indx, flag, status, false);
}

static int some(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status *statuses,
                bool wait) {
    int error = check_all(count, requests), done = 0;
    bool failed = false;
    if (error)
        return error;
    struct several s = look(count, requests, wait);
    *outcount = s.any || s.first < count ? 0 : MPI_UNDEFINED;
    for (int i = s.first; i < count; i++) {
        if (!counts(requests[i]) || !uno_request_is_done(uno_find_request(requests[i])))
            continue;
        error = uno_request_complete(&requests[i], status_at(statuses, done));
        failed |= error != MPI_SUCCESS;
        if (statuses)
            statuses[done].MPI_ERROR = error;
        indices[done++] = i;
        *outcount = done;
    }
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int uno_mpi_waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                     MPI_Status *array_of_statuses) {
    return some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, true);
}

int uno_mpi_testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                     MPI_Status *array_of_statuses) {
    return some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, false);
}

/* ---- looking at several, which stay -----------------------------------------------------------------------
 */

int uno_mpi_request_get_status_any(int count, const MPI_Request array_of_requests[], int *indx, int *flag,
                                   MPI_Status *status) {
    int error = check_all(count, array_of_requests);
    if (error)
        return error;
    struct several s = look(count, array_of_requests, false);
    *flag = s.first < count || !s.any;
    *indx = s.first < count ? s.first : MPI_UNDEFINED;
    if (*flag)
        uno_request_tell(s.first < count ? uno_find_request(array_of_requests[s.first]) : NULL, status);
    return MPI_SUCCESS;
}

int uno_mpi_request_get_status_all(int count, const MPI_Request array_of_requests[], int *flag,
                                   MPI_Status *array_of_statuses) {
    int error = check_all(count, array_of_requests);
    bool looked = false;
    *flag = 1;
    for (int i = 0; i < count && !error && *flag; i++)
        *flag = is_done(array_of_requests[i], &looked);
    if (error)
        return error;
    if (!*flag)
        return not_yet(UNO_WILD);
    for (int i = 0; i < count; i++)
        uno_request_tell(uno_find_request(array_of_requests[i]), status_at(array_of_statuses, i));
    return MPI_SUCCESS;
}

int uno_mpi_request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount,
                                    int array_of_indices[], MPI_Status *array_of_statuses) {
    int error = check_all(incount, array_of_requests), done = 0;
    if (error)
        return error;
    struct several s = look(incount, array_of_requests, false);
    for (int i = s.first; i < incount; i++) {
        if (!counts(array_of_requests[i]) || !uno_request_is_done(uno_find_request(array_of_requests[i])))
            continue;
        uno_request_tell(uno_find_request(array_of_requests[i]), status_at(array_of_statuses, done));
        array_of_indices[done++] = i;
    }
    *outcount = done || s.any ? done : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
