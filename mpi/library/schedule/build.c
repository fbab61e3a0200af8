/* Schedules as they are built. */

#include <stdlib.h>

#include "collective/base.h"
#include "library/schedule/schedule.h"

/* Make room for one more item in an array of `count` items. */
static void *grow(void *at, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return at;
    *room = *room ? 2 * *room : 8;
    at = realloc(at, *room * size);
    if (!at)
        uno_base_fail("out of memory for a collective");
    return at;
}

static struct uno_step *add(struct uno_schedule *s, enum uno_step_kind kind) {
    s->step = grow(s->step, s->steps, &s->room, sizeof *s->step);
    struct uno_step *step = &s->step[s->steps++];
    *step = (struct uno_step){.kind = kind};
    return step;
}

/* The last one that was freed keeps its lists, so that a collective that is called again and again asks for
 * no memory for them. */
static struct uno_schedule *empty(void) {
    struct uno_schedule *s = uno_rank->spare_schedule;
    uno_rank->spare_schedule = NULL;
    return s ? s : uno_base_allocate(1, sizeof *s);
}

/* Tags of both kinds come from counters of their own, as ranks may start those that run again in any order.
 */
struct uno_schedule *uno_schedule_make(struct uno_mpi_comm *comm, enum uno_schedule_of of,
                                       enum uno_schedule_form form) {
    enum { TAGS = 1 << 30 };
    struct uno_schedule *s = empty();
    bool again = form == UNO_MADE;
    s->comm = comm;
    s->of = of;
    s->form = form;
    s->from = form == UNO_AT_ONCE ? NULL : uno_rank->from;
    uno_schedule_tell(s, 0, NULL, NULL, -1);
    s->tag = (int)(comm->schedules[again]++ % TAGS) + (again ? TAGS : 0);
    return s;
}

void uno_schedule_end(struct uno_schedule *s) {
    if (s->laters)
        uno_schedule_fence(s);
    uno_schedule_note(s);
}

static void free_lists(struct uno_schedule *s) {
    free(s->memory);
    free(s->object);
    free(s->later);
    free(s->step);
    free(s);
}

void uno_schedule_clear(struct uno_schedule *s) {
    for (size_t i = 0; i < s->memories; i++)
        free(s->memory[i]);
    for (size_t i = 0; i < s->objects; i++)
        uno_object_drop(s->object[i]);
    *s = (struct uno_schedule){.step = s->step,
                               .room = s->room,
                               .later = s->later,
                               .laters_room = s->laters_room,
                               .memory = s->memory,
                               .memories_room = s->memories_room,
                               .object = s->object,
                               .objects_room = s->objects_room};
    if (uno_rank->spare_schedule)
        free_lists(s);
    else
        uno_rank->spare_schedule = s;
}

void uno_schedules_end(void) {
    if (uno_rank->spare_schedule)
        free_lists(uno_rank->spare_schedule);
    uno_rank->spare_schedule = NULL;
}

void *uno_schedule_room(struct uno_schedule *s, size_t bytes) {
    s->memory = grow(s->memory, s->memories, &s->memories_room, sizeof *s->memory);
    return s->memory[s->memories++] = uno_base_allocate(bytes + 1, 1);
}

void *uno_schedule_hold(struct uno_schedule *s, void *object) {
    s->object = grow(s->object, s->objects, &s->objects_room, sizeof *s->object);
    return s->object[s->objects++] = uno_object_hold(object);
}

/* ---- steps ------------------------------------------------------------------------------------------- */

void uno_schedule_send(struct uno_schedule *s, int rank, const void *at, size_t bytes) {
    struct uno_step *step = add(s, UNO_STEP_SEND);
    step->in = (struct uno_data){(void *)at, bytes, &uno_layout_bytes};
    step->pe = s->comm->peer[rank];
}

void uno_schedule_receive(struct uno_schedule *s, int rank, void *at, size_t bytes) {
    struct uno_step *step = add(s, UNO_STEP_RECEIVE);
    step->receive.data = at;
    step->receive.room = bytes;
    step->source = s->comm->peer[rank];
}

void uno_schedule_move(struct uno_schedule *s, const struct uno_data *in, const struct uno_data *out) {
    if (!uno_schedule_bytes(in))
        return;
    struct uno_step *step = add(s, UNO_STEP_MOVE);
    step->in = *in;
    step->out = *out;
}

void uno_schedule_combine(struct uno_schedule *s, const struct uno_reduction *how, const void **data,
                          int ranks, size_t count, void *result) {
    struct uno_step *step = add(s, UNO_STEP_COMBINE);
    step->how = how;
    step->data = data;
    step->ranks = ranks;
    step->count = count;
    step->result = result;
}

void uno_schedule_fence(struct uno_schedule *s) {
    add(s, UNO_STEP_FENCE);
    for (size_t i = 0; i < s->laters; i++)
        *add(s, UNO_STEP_MOVE) = s->later[i];
    s->laters = 0;
}

/* ---- elements of any type ------------------------------------------------------------------------------ */

const void *uno_schedule_packed(struct uno_schedule *s, const struct uno_data *data) {
    size_t bytes = uno_schedule_bytes(data);
    if (data->layout->plain)
        return data->at;
    struct uno_data packed = {uno_schedule_room(s, bytes), bytes, &uno_layout_bytes};
    uno_schedule_move(s, data, &packed);
    return packed.at;
}

void *uno_schedule_unpacked(struct uno_schedule *s, const struct uno_data *data) {
    size_t bytes = uno_schedule_bytes(data);
    if (data->layout->plain || !bytes)
        return data->at;
    struct uno_data packed = {uno_schedule_room(s, bytes), bytes, &uno_layout_bytes};
    s->later = grow(s->later, s->laters, &s->laters_room, sizeof *s->later);
    s->later[s->laters++] = (struct uno_step){.kind = UNO_STEP_MOVE, .in = packed, .out = *data};
    return packed.at;
}

void uno_schedule_give(struct uno_schedule *s, int rank, const struct uno_data *data) {
    if (uno_schedule_bytes(data))
        uno_schedule_send(s, rank, uno_schedule_packed(s, data), uno_schedule_bytes(data));
}

void uno_schedule_take(struct uno_schedule *s, int rank, const struct uno_data *data) {
    if (uno_schedule_bytes(data))
        uno_schedule_receive(s, rank, uno_schedule_unpacked(s, data), uno_schedule_bytes(data));
}
