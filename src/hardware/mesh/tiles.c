#include "tiles.h"

#include <stdlib.h>
#include <string.h>

#include "engine/bell.h"

/* Clocks from an interrupt to the handler's first word, and back: registers are saved, and restored
 * (docs/chip.md). */
enum { INTERRUPT = 24 };

/* ---- commands ----------------------------------------------------------------------------------------- */

static void take_command(struct uno_tiles *tiles, struct uno_tile *tile, int k) {
    static const enum uno_tile_stage stages[] = {[UNO_COMMAND_SEND] = UNO_TILE_SENDS,
                                                 [UNO_COMMAND_LOOK] = UNO_TILE_LOOKS,
                                                 [UNO_COMMAND_WAIT] = UNO_TILE_WAITS,
                                                 [UNO_COMMAND_VISIT] = UNO_TILE_VISITS};
    uint64_t begins = tile->answered + tile->inbox->work;
    uno_store32_relaxed(&tiles->ports->still, 0);
    tile->at = 0;
    tile->stage = stages[tile->port->what];
    tile->next = begins > tiles->clock ? begins : tiles->clock;
    if (tile->stage == UNO_TILE_VISITS)
        uno_beside_begin(tiles->beside, k);
}

/* Put the packets that have come into the inbox, as far as there is room for whole ones. */
static void give(struct uno_tile *tile) {
    struct uno_inbox *inbox = tile->inbox;
    uint64_t to = uno_load64_relaxed(&inbox->given);
    /* SYNC EMPTIED: reads of the words that were there */
    uint64_t end = uno_load64_acquire(&inbox->taken) + UNO_INBOX_WORDS;
    while (tile->given < tile->whole) {
        unsigned words = 1 + uno_packet_words(tile->word[tile->given]);
        if (end - to < words)
            break;
        for (; words; words--)
            inbox->word[to++ % UNO_INBOX_WORDS] = tile->word[tile->given++];
    }
    /* SYNC INBOX: the words */
    uno_store64_release(&inbox->given, to);
    if (tile->given == tile->count)
        tile->given = tile->count = tile->whole = tile->complete = 0;
}

/* Note that the clock has come to this one. */
static void pass(struct uno_tiles *tiles, uint64_t clock) {
    if (clock > uno_load64_relaxed(&tiles->ports->clocks))
        uno_store64_relaxed(&tiles->ports->clocks, clock);
}

static void answer(struct uno_tiles *tiles, struct uno_tile *tile, uint64_t clock) {
    uint64_t rung = 0;
    pass(tiles, clock);
    tile->stage = UNO_TILE_IDLE;
    tile->answered = clock;
    give(tile);
    /* SYNC ANSWER: what has come before it */
    uno_store64_release(&tile->port->answer, tile->taken);
    uno_bell_ring(&tile->port->bell, &rung);
}

/* Return true if a command that puts nothing into the network is to end in this clock. */
static bool is_due(const struct uno_tiles *tiles, const struct uno_tile *tile) {
    if (tile->handles || tile->next > tiles->clock)
        return false;
    return tile->stage == UNO_TILE_LOOKS || (tile->stage == UNO_TILE_WAITS && tile->complete > tile->given);
}

static bool end_due(struct uno_tiles *tiles) {
    bool any = false;
    for (int k = 0; k < tiles->count; k++) {
        struct uno_tile *tile = &tiles->tile[k];
        if (!is_due(tiles, tile))
            continue;
        answer(tiles, tile, tiles->clock + (tile->stage == UNO_TILE_LOOKS));
        any = true;
    }
    return any;
}

/* ---- the processors at their registers ------------------------------------------------------------------
 */

static uint64_t each(const struct uno_tiles *tiles) {
    return (uint64_t)tiles->ports->clocks_each;
}

/* Enter the handler, or leave it, where that is due. */
static void interrupt(struct uno_tiles *tiles, struct uno_tile *tile, int k) {
    bool waits = uno_mesh_model_interrupted(tiles->model, k);
    if (!tile->handles && waits) {
        tile->handles = true;
        tile->entered = tiles->clock;
        tile->takes = tiles->clock + INTERRUPT;
    } else if (tile->handles && !waits && tiles->clock >= tile->takes) {
        uint64_t took = tiles->clock - tile->entered;
        tile->handles = false;
        tile->next = tile->next > tile->entered ? tile->next + took : tiles->clock;
    }
}

static bool takes(const struct uno_tiles *tiles, const struct uno_tile *tile) {
    return tile->handles && tiles->clock >= tile->takes;
}

static bool sends(const struct uno_tiles *tiles, const struct uno_tile *tile) {
    return !tile->handles && tile->stage == UNO_TILE_SENDS && tiles->clock >= tile->next;
}

static bool visits(const struct uno_tiles *tiles, const struct uno_tile *tile) {
    return !tile->handles && tile->stage == UNO_TILE_VISITS && tiles->clock >= tile->next;
}

/* Return true if the next word of the command is a header. */
static bool is_header(const struct uno_tile *tile) {
    unsigned at = 0;
    while (at < tile->at)
        at += 1 + uno_packet_words(tile->port->post[at]);
    return at == tile->at;
}

static void drive(struct uno_tiles *tiles, struct uno_tile *tile, int k) {
    interrupt(tiles, tile, k);
    if (takes(tiles, tile))
        uno_mesh_model_read(tiles->model, k);
    else if (sends(tiles, tile))
        uno_mesh_model_write(tiles->model, k, is_header(tile) ? UNO_TILE_HEADER : UNO_TILE_WORD,
                             tile->port->post[tile->at]);
    else if (visits(tiles, tile))
        uno_beside_act(tiles->beside, k);
}

static void count_operations(struct uno_tile *tile, uint64_t operations) {
    if (tile->port)
        uno_store64_relaxed(&tile->port->operations,
                            uno_load64_relaxed(&tile->port->operations) + operations);
}

/* Keep a word that has come. Returns false if there is no memory. */
static bool keep(struct uno_tile *tile, uint32_t word) {
    if (tile->count == tile->room) {
        size_t room = tile->room ? 2 * tile->room : 1024;
        uint32_t *grown = realloc(tile->word, room * sizeof *grown);
        if (!grown)
            return false;
        tile->word = grown;
        tile->room = room;
    }
    tile->word[tile->count++] = word;
    if (tile->owed) {
        tile->owed--;
    } else {
        tile->owed = uno_packet_words(word);
        tile->last = uno_packet_is_last(word);
    }
    if (!tile->owed)
        tile->whole = tile->count;
    if (!tile->owed && tile->last)
        tile->complete = tile->count;
    return true;
}

/* A word has come out of the registers. */
static bool took(struct uno_tiles *tiles, struct uno_tile *tile, uint32_t word) {
    tiles->words--;
    tile->takes = tiles->clock + each(tiles);
    count_operations(tile, 1);
    return !tile->port || tile->gone || keep(tile, word);
}

/* A word has gone into the network. */
static void sent(struct uno_tiles *tiles, struct uno_tile *tile) {
    tiles->words++;
    tile->next = tiles->clock + each(tiles);
    count_operations(tile, 1);
    if (++tile->at == tile->port->count)
        answer(tiles, tile, tile->next);
}

/* The processor has written or read a register of the unit beside the network. */
static void visited(struct uno_tiles *tiles, struct uno_tile *tile, int k) {
    const struct uno_visit *visit = &tiles->beside->visit[k];
    bool looked = visit->stage == UNO_VISIT_LOOKS;
    uno_beside_acted(tiles->beside, k);
    tile->next = tiles->clock + each(tiles);
    count_operations(tile, 1);
    if (visit->stage == UNO_VISIT_OVER)
        uno_store64_relaxed(&visit->port->answer, uno_load64_relaxed(&visit->port->command));
    else if (!looked || visit->stage != UNO_VISIT_LOOKS || tile->complete == tile->given)
        return;
    answer(tiles, tile, tile->next);
}

/* ---- clocks -------------------------------------------------------------------------------------------- */

static bool handles_any(const struct uno_tiles *tiles) {
    for (int k = 0; k < tiles->count; k++)
        if (tiles->tile[k].handles)
            return true;
    return false;
}

/* Return true if the tile looks at the unit beside the network, and will in vain before somebody writes. */
static bool looks_in_vain(const struct uno_tiles *tiles, int k) {
    return tiles->tile[k].stage == UNO_TILE_VISITS && tiles->beside->visit[k].vain;
}

/* Return the first clock in which a command can go on while nothing is on its way; UINT64_MAX: there is
 * none. */
static uint64_t next_command(const struct uno_tiles *tiles) {
    uint64_t first = UINT64_MAX;
    for (int k = 0; k < tiles->count; k++) {
        const struct uno_tile *tile = &tiles->tile[k];
        bool waits = tile->stage == UNO_TILE_WAITS || looks_in_vain(tiles, k);
        bool goes_on = waits ? tile->complete > tile->given : tile->stage;
        if (goes_on && tile->next < first)
            first = tile->next;
    }
    return first;
}

/* Return true if nothing is on its way: neither a word, nor anything in the unit beside the network. */
static bool all_rests(const struct uno_tiles *tiles) {
    return !tiles->words && !handles_any(tiles) && (!tiles->beside || uno_beside_rests(tiles->beside));
}

/* Skip the clocks up to this one, in which nothing happens but looks in vain. */
static void skip_to(struct uno_tiles *tiles, uint64_t clock) {
    tiles->clock = clock;
    for (int k = 0; k < tiles->count; k++) {
        struct uno_tile *tile = &tiles->tile[k];
        if (!looks_in_vain(tiles, k) || tile->next >= clock)
            continue;
        uint64_t looks = (clock - tile->next + each(tiles) - 1) / each(tiles);
        tile->next += looks * each(tiles);
        count_operations(tile, looks);
    }
}

static void settle(struct uno_tiles *tiles) {
    uno_mesh_model_settle(tiles->model);
    if (tiles->beside)
        uno_beside_settle(tiles->beside);
}

static void clock_all(struct uno_tiles *tiles) {
    uno_mesh_model_clock(tiles->model);
    if (tiles->beside)
        uno_beside_clock(tiles->beside);
    pass(tiles, ++tiles->clock);
}

bool uno_tiles_step(struct uno_tiles *tiles) {
    uint64_t next = all_rests(tiles) ? next_command(tiles) : 0;
    bool all = true;
    if (next != UINT64_MAX && next > tiles->clock)
        skip_to(tiles, next);
    if (end_due(tiles))
        return true;
    for (int k = 0; k < tiles->count; k++)
        drive(tiles, &tiles->tile[k], k);
    settle(tiles);
    for (int k = 0; k < tiles->count; k++) {
        struct uno_tile *tile = &tiles->tile[k];
        if (takes(tiles, tile) && uno_mesh_model_has_read(tiles->model, k))
            all &= took(tiles, tile, uno_mesh_model_word(tiles->model, k));
        else if (sends(tiles, tile) && uno_mesh_model_written(tiles->model, k))
            sent(tiles, tile);
        else if (visits(tiles, tile))
            visited(tiles, tile, k);
    }
    clock_all(tiles);
    return all;
}

/* ---- the ports ---------------------------------------------------------------------------------------- */

/* Return true if it is known what the tile does next. */
static bool is_known(struct uno_tiles *tiles, struct uno_tile *tile, int k) {
    if (!tile->port || tile->gone || tile->stage == UNO_TILE_SENDS || tile->stage == UNO_TILE_LOOKS)
        return true;
    /* SYNC LEFT: its last command */
    enum uno_state state = (enum uno_state)uno_load32_acquire(&tiles->job->board[k].state);
    /* SYNC COMMAND: the words */
    uint64_t command = uno_load64_acquire(&tile->port->command);
    if (command != tile->taken) {
        tile->away = false;
        tile->taken = command; /* not the next one, if that was a wait which has ended before it was seen */
        take_command(tiles, tile, k);
        return true;
    }
    tile->gone = state == UNO_LEFT;
    return tile->gone || tile->away || tile->stage == UNO_TILE_WAITS || tile->stage == UNO_TILE_VISITS;
}

/* Note that every PE waits, and wake them: a PE that waits for one that has left waits in vain. */
static void say_still(struct uno_tiles *tiles) {
    if (uno_load32_relaxed(&tiles->ports->still))
        return;
    /* SYNC STILL: that everything which was on its way is where it went */
    uno_store32_release(&tiles->ports->still, 1);
    for (int k = 0; k < tiles->job->n; k++) {
        uint64_t rung = 0;
        uno_bell_ring(&tiles->tile[k].port->bell, &rung);
    }
}

static bool is_away(const struct uno_tiles *tiles) {
    for (int k = 0; k < tiles->job->n; k++)
        if (tiles->tile[k].away)
            return true;
    return false;
}

bool uno_tiles_look(struct uno_tiles *tiles) {
    bool all = true;
    for (int k = 0; k < tiles->count; k++)
        all &= is_known(tiles, &tiles->tile[k], k);
    if (!all)
        return false;
    if (!all_rests(tiles) || next_command(tiles) != UINT64_MAX)
        return true;
    if (!is_away(tiles))
        say_still(tiles);
    return false;
}

bool uno_tiles_empty(const struct uno_tiles *tiles) {
    for (int k = 0; k < tiles->job->n; k++)
        if (!tiles->tile[k].gone)
            return false;
    return true;
}

bool uno_tiles_open(struct uno_tiles *tiles, struct uno_job *job, struct uno_mesh_model *model,
                    struct uno_beside *beside) {
    struct uno_ports *ports = uno_ports(job);
    int count = ports->side[0] * ports->side[1];
    *tiles = (struct uno_tiles){.job = job, .ports = ports, .model = model, .count = count, .beside = beside};
    tiles->tile = calloc((size_t)count, sizeof *tiles->tile);
    if (!tiles->tile)
        return false;
    for (int k = 0; k < count; k++) {
        if (k < job->n) {
            tiles->tile[k].port = &ports->port[k];
            tiles->tile[k].inbox = uno_inbox(ports, job->n, k);
            if (beside)
                beside->visit[k].port = &tiles->tile[k].inbox->beside;
        }
        uno_mesh_model_write(model, k, UNO_TILE_CONTROL, 1); /* which lets its processor be interrupted */
    }
    uno_mesh_model_settle(model);
    uno_mesh_model_clock(model);
    return true;
}
