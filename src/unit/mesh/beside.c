#include "beside.h"

#include "commands.h"
#include "engine/far/far.h"
#include "engine/wait.h"
#include "net.h"
#include "shown.h"
#include "unit/rtl/rtl.h"

static bool is_over(const struct uno_rtl *rtl, const struct uno_at_tile *tile) {
    return uno_at_tile_answered(tile) && uno_load64_relaxed(&rtl->port->answer) == rtl->commands;
}

/* Find out for whom the unit waits. Ends with an error if that one is in another operation, or has left. */
static void find_missing(struct uno_pe *pe, unsigned signature, struct uno_wait *wait) {
    int missing = uno_shown_missing(pe, signature);
    if (missing < 0)
        return;
    if (wait->left && missing == wait->k)
        uno_shown_left(pe, missing, signature);
    wait->k = pe->board->awaited = missing;
}

/* As of rtl->carry_out. */
static void carry_out(struct uno_passage *p) {
    struct uno_pe *pe = p->pe;
    struct uno_rtl *rtl = p->rtl;
    struct uno_at_tile *tile = uno_mesh_tile(pe->far->net);
    struct uno_wait wait = {.pe = pe,
                            .k = pe->group.first,
                            .signature = p->signature,
                            .context = pe->group.mask[0],
                            .own = &rtl->port->answer,
                            .seen = rtl->commands - 1};
    if (!tile->heard) /* a wait has not ended, since an interrupt came first */
        uno_mesh_look(pe->far->net);
    uno_store64_relaxed(&rtl->port->command, rtl->commands);
    tile->waits = UNO_COMMAND_VISIT;
    uno_mesh_wait(pe->far->net);
    while (!is_over(rtl, tile)) {
        if (uno_far_poll(pe))
            continue;
        uno_at_tile_set_timeless(tile, true);
        find_missing(pe, p->signature, &wait);
        uno_at_tile_set_timeless(tile, false);
        uno_wait_step(&wait, NULL, 0);
    }
    tile->waits = UNO_COMMAND_WAIT;
    uno_wait_end(&wait);
}

static void show(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    struct uno_at_tile *tile = uno_mesh_tile(pe->far->net);
    uno_at_tile_set_timeless(tile, true);
    uno_shown_show(pe, signature, in, words);
    uno_at_tile_set_timeless(tile, false);
}

static void read(struct uno_pe *pe, unsigned signature, const uint64_t *in, uint64_t *put) {
    struct uno_at_tile *tile = uno_mesh_tile(pe->far->net);
    (void)in;
    uno_at_tile_set_timeless(tile, true);
    uno_shown_read(pe, signature, put);
    uno_at_tile_set_timeless(tile, false);
}

void uno_mesh_open_beside(struct uno_pe *pe) {
    uno_rtl_open(pe, &uno_mesh_tile(pe->far->net)->inbox->beside, carry_out);
    pe->rtl->show = show;
    pe->rtl->read = read;
}
