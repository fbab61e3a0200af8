#include "beside.h"

#include <string.h>

/* More clocks than anything in a unit takes after a write. */
enum { SETTLED = 4 };

static void write_register(struct uno_beside *beside, int k, unsigned address, uint32_t word) {
    uno_model_write(beside->model, k, address, word);
    beside->quiet = 0;
    for (int i = 0; i < beside->count; i++)
        beside->visit[i].vain = false;
}

bool uno_beside_open(struct uno_beside *beside, const char *unit, int n) {
    memset(beside, 0, sizeof *beside);
    beside->model = uno_model_make(unit, n);
    beside->count = n;
    if (!beside->model)
        return false;
    for (int k = 0; k < n; k++)
        write_register(beside, k, UNO_CONTROL, 1);
    uno_beside_clock(beside);
    return true;
}

void uno_beside_begin(struct uno_beside *beside, int k) {
    struct uno_visit *visit = &beside->visit[k];
    if (visit->stage != UNO_VISIT_OVER)
        return;
    visit->at = 0;
    visit->stage = visit->mask == visit->port->mask ? UNO_VISIT_POSTS : UNO_VISIT_MASKS;
}

void uno_beside_act(struct uno_beside *beside, int k) {
    const struct uno_visit *visit = &beside->visit[k];
    if (visit->stage == UNO_VISIT_MASKS)
        write_register(beside, k, UNO_MASK, (uint32_t)visit->port->mask);
    else if (visit->stage == UNO_VISIT_POSTS)
        write_register(beside, k, UNO_POST, visit->port->post[visit->at]);
    else
        uno_model_read(beside->model, k, UNO_POST);
}

void uno_beside_settle(struct uno_beside *beside) {
    uno_model_settle(beside->model);
}

/* Take a word of STATUS. */
static void take_status(struct uno_beside *beside, int k, uint32_t status) {
    struct uno_visit *visit = &beside->visit[k];
    visit->vain = !(status & UNO_READY) && uno_beside_rests(beside);
    if (!(status & UNO_READY))
        return;
    visit->port->post[visit->at++] = status >> UNO_RESULT;
    visit->stage = visit->at == visit->port->count ? UNO_VISIT_OVER : UNO_VISIT_POSTS;
}

void uno_beside_acted(struct uno_beside *beside, int k) {
    struct uno_visit *visit = &beside->visit[k];
    if (visit->stage == UNO_VISIT_LOOKS) {
        take_status(beside, k, uno_model_word(beside->model, k));
    } else if (visit->stage == UNO_VISIT_MASKS) {
        visit->mask = visit->port->mask;
        visit->stage = UNO_VISIT_POSTS;
    } else {
        visit->stage = UNO_VISIT_LOOKS;
    }
}

void uno_beside_clock(struct uno_beside *beside) {
    uno_model_clock(beside->model);
    beside->quiet++;
}

bool uno_beside_rests(const struct uno_beside *beside) {
    return beside->quiet >= SETTLED;
}
