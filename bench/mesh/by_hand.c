/* Packets go straight into the registers, and what the tile's handler has taken out of them is read from the
 * tile's memory. A PE knows what it receives next, and from whom: there are no tags, no matching and no
 * copies but one. Words of another sender than the one that is asked for are put aside. */

#include <papers.h>
#include <stdlib.h>
#include <string.h>

#include "engine/far/far.h"
#include "talk.h"
#include "unit/mesh/commands.h"
#include "unit/mesh/net.h"

enum { ASIDE = 1 << 16 /* words of a sender, at most */ };

static struct uno_at_tile *tile;
static uint64_t taken; /* words ever taken out of the inbox */
static uint32_t *aside[UNO_PORT_MAX_PES];
static int put[UNO_PORT_MAX_PES], got[UNO_PORT_MAX_PES]; /* words of each sender, ever, put aside and taken */
static unsigned owed;                                    /* words of the packet that is being taken out, */
static int sender;                                       /* and where it comes from */

void talk_open(int *argc, char ***argv) {
    (void)argc, (void)argv;
    p_init();
    tile = uno_mesh_tile(uno_self->far->net);
    taken = uno_load64_relaxed(&tile->inbox->taken);
    for (int k = 0; k < p_nproc(); k++)
        if (!(aside[k] = malloc(ASIDE * sizeof **aside)))
            p_error("out of memory");
}

void talk_close(void) {
    p_exit(0);
}

int talk_me(void) {
    return p_iproc();
}

int talk_pes(void) {
    return p_nproc();
}

void talk_send(int to, const void *data, int n) {
    const uint32_t *words = data;
    unsigned filled = 0;
    while (n) {
        int some = n < UNO_PACKET_MOST ? n : UNO_PACKET_MOST;
        if (filled + 1 + (unsigned)some > UNO_PORT_POSTS) {
            uno_at_tile_carry_out(tile, UNO_COMMAND_SEND, filled);
            filled = 0;
        }
        tile->port->post[filled++] =
            uno_packet_header(uno_packet_way(tile->columns, to), (unsigned)some, some == n, 0);
        memcpy(tile->port->post + filled, words, (size_t)some * sizeof *words);
        filled += (unsigned)some;
        words += some;
        n -= some;
    }
    uno_at_tile_carry_out(tile, UNO_COMMAND_SEND, filled);
}

/* Wait until words have come that were not taken. Returns how many of them lie one after the other. */
static unsigned await_words(void) {
    uint64_t given;
    /* SYNC INBOX: the words */
    while ((given = uno_load64_acquire(&tile->inbox->given)) == taken) {
        /* SYNC EMPTIED: reads of the words have ended */
        uno_store64_release(&tile->inbox->taken, taken);
        uno_at_tile_carry_out(tile, UNO_COMMAND_WAIT, 0);
    }
    unsigned straight = UNO_INBOX_WORDS - taken % UNO_INBOX_WORDS;
    return given - taken < straight ? (unsigned)(given - taken) : straight;
}

void talk_receive(int from, void *data, int n) {
    uint32_t *words = data;
    for (; n && got[from] < put[from]; n--)
        *words++ = aside[from][got[from]++ % ASIDE];
    while (n || owed) {
        unsigned come = await_words();
        const uint32_t *word = &tile->inbox->word[taken % UNO_INBOX_WORDS];
        if (!owed) {
            owed = uno_packet_words(*word);
            sender = uno_packet_from(tile->columns, *word);
            taken++;
            continue;
        }
        unsigned some = come < owed ? come : owed;
        if (sender == from) {
            memcpy(words, word, some * sizeof *words);
            words += some;
            n -= (int)some;
        }
        for (unsigned i = 0; sender != from && i < some; i++)
            aside[sender][put[sender]++ % ASIDE] = word[i];
        taken += some;
        owed -= some;
    }
    /* SYNC EMPTIED: reads of the words have ended */
    uno_store64_release(&tile->inbox->taken, taken);
}
