/* Schedules as they run. */

#include <stdlib.h>

#include "library/blocking/collectives.h"
#include "library/communicator/comm.h"
#include "library/rank/ops.h"
#include "library/rank/waits.h"
#include "library/schedule/schedule.h"

static void run(struct uno_schedule *s, struct uno_step *step) {
    struct uno_channel *channel = uno_rank->channel;
    int error;
    switch (step->kind) {
    case UNO_STEP_SEND:
        uno_channel_send_marked(channel, step->pe, uno_schedule_word(s), step->in.at, step->in.count, s->mark,
                                uno_schedule_signature(s->of, s->form));
        break;
    case UNO_STEP_RECEIVE:
        step->receive.envelope = (struct uno_envelope){
            .context = uno_comm_schedule_context(s->comm), .source = step->source, .tag = s->tag};
        uno_channel_post(channel, &step->receive);
        break;
    case UNO_STEP_MOVE:
        error = uno_move(&step->in, &step->out);
        s->error = error ? error : s->error;
        break;
    case UNO_STEP_COMBINE:
        uno_combine(step->how, step->data, step->ranks, step->count, step->result);
        break;
    case UNO_STEP_FENCE:
        break;
    }
}

/* The first receive that has been posted and is not done; NULL: there is none. */
static const struct uno_receive *settle(struct uno_schedule *s) {
    for (; s->settled < s->at; s->settled++) {
        const struct uno_step *step = &s->step[s->settled];
        if (step->kind != UNO_STEP_RECEIVE)
            continue;
        if (!step->receive.done)
            return &step->receive;
        if (UNO_UNLIKELY(step->receive.mark != s->mark))
            uno_schedule_compare(s, step);
        if (step->receive.bytes > step->receive.room) {
            s->error = MPI_ERR_TRUNCATE;
            s->wrong = step;
        }
    }
    return NULL;
}

static void end(struct uno_schedule *s) {
    *s->done = true;
    s->done = NULL;
    *s->link = s->next;
    if (s->next)
        s->next->link = s->link;
    if (!uno_rank->schedule)
        uno_go_on_by(UNO_GO_ON_SCHEDULES, NULL);
}

/* Run the schedule as far as possible. Return true if it has begun a step or ended. */
static bool go_on(struct uno_schedule *s) {
    size_t before = s->at;
    for (; s->at < s->steps; s->at++) {
        struct uno_step *step = &s->step[s->at];
        if (step->kind == UNO_STEP_FENCE && settle(s))
            return s->at != before;
        run(s, step);
    }
    if (settle(s))
        return s->at != before;
    end(s);
    return true;
}

/* Run all schedules. A waiting rank calls it again if any has gone on: one that has waited in a send has
 * taken in messages that other schedules had looked for before. */
static bool all_go_on(void) {
    bool any = false;
    for (struct uno_schedule *s = uno_rank->schedule, *next; s; s = next) {
        next = s->next;
        any |= go_on(s);
    }
    return any;
}

void uno_schedule_start(struct uno_schedule *s, bool *done) {
    struct uno_rank *rank = uno_rank;
    *done = false;
    s->done = done;
    s->at = s->settled = 0;
    s->error = MPI_SUCCESS;
    s->wrong = NULL;
    s->next = rank->schedule;
    s->link = &rank->schedule;
    if (s->next)
        s->next->link = &s->next;
    rank->schedule = s;
    uno_channel_await_writer(rank->channel);
    if (s->done == done)
        go_on(s);
    if (rank->schedule)
        uno_go_on_by(UNO_GO_ON_SCHEDULES, all_go_on);
}

static bool is_done(void *argument) {
    const struct uno_receive *receive = argument;
    return receive->done;
}

void uno_schedule_wait(struct uno_schedule *s) {
    unsigned signature = uno_schedule_signature(s->of, s->form);
    while (s->done) {
        const struct uno_receive *open = settle(s);
        if (open) {
            uno_wait_until(is_done, (void *)open, s->done, open->envelope.source, signature);
        } else {
            uno_channel_await_writer(uno_rank->channel);
            if (s->done)
                go_on(s);
        }
    }
}

void uno_schedule_free(struct uno_schedule *s) {
    for (size_t i = s->settled; i < s->at; i++)
        if (s->step[i].kind == UNO_STEP_RECEIVE && !s->step[i].receive.done)
            uno_channel_cancel(uno_rank->channel, &s->step[i].receive);
    if (s->done)
        end(s);
    uno_schedule_clear(s);
}

int uno_schedule_refuse(struct uno_schedule *s, int error) {
    s->comm->schedules[s->form == UNO_MADE]--;
    uno_schedule_free(s);
    return error;
}
