/* The memory of a tile of a simulated mesh (rtl/mesh.v) beside its port. The process of the mesh plays the
 * part of the tile's interrupt handler: it takes the words that come out of the tile's registers, one after
 * the other, into the tile's memory. They are given to the PE with the answers to its commands, in the inbox,
 * a packet as a whole.
 *
 * Messages travel in packets, each a header and at most 31 words, as docs/chip.md describes them. The user's
 * bits of a header tell which packet is the last one of a message, and how many bytes at the end of its last
 * word do not count. */

#ifndef UNO_MESH_INBOX_H
#define UNO_MESH_INBOX_H

#include "unit/rtl/port.h"

enum {
    UNO_INBOX_WORDS = 1 << 14,
    /* the fields of a header, from bit 0: */
    UNO_PACKET_COORD = 5, /* bits of each of four coordinates, */
    UNO_PACKET_LENGTH = 4 * UNO_PACKET_COORD,
    UNO_PACKET_LENGTH_BITS = 5,
    UNO_PACKET_LAST = UNO_PACKET_LENGTH + UNO_PACKET_LENGTH_BITS, /* the user's bits */
    UNO_PACKET_UNUSED = UNO_PACKET_LAST + 1,
    UNO_PACKET_MOST = 31, /* words behind a header */
};

/* An operation of another PE at the unit beside the network, as it shows it to this one (shown.h). */
struct uno_shown {
    uno_atomic64 number; /* of those that the two share, from 1 */
    uint64_t mask;
    uint64_t put; /* the second word that it has put in */
    uint32_t signature;
};

struct uno_inbox {
    /* These are written by the PE. */
    uint64_t work;      /* clocks of its own since the last answer, before `command` of the port */
    uno_atomic64 taken; /* words ever taken out */

    /* The port of the unit beside the network. Its command becomes visible with UNO_COMMAND_VISIT, and its
     * answer with the answer to that. */
    struct uno_port beside;

    /* This is written by the other PEs, each of which has two places. */
    struct uno_shown shown[UNO_PORT_MAX_PES][2];

    /* These are written by the process. */
    uno_atomic64 given __attribute__((aligned(64))); /* words ever put in */
    uint32_t word[UNO_INBOX_WORDS];
} __attribute__((aligned(64)));

/* Return the inbox of PE k of n, which lie behind the ports. */
static inline struct uno_inbox *uno_inbox(struct uno_ports *ports, int n, int k) {
    return (struct uno_inbox *)(void *)((char *)ports + uno_ports_size(n)) + k;
}

/* The part of a header that leads to a tile; a header from its parts; and other parts: the number of the tile
 * that it comes from, and the words behind it. */
static inline uint32_t uno_packet_way(int columns, int to) {
    return (uint32_t)(to % columns) | (uint32_t)(to / columns) << UNO_PACKET_COORD;
}
static inline uint32_t uno_packet_header(uint32_t way, unsigned words, bool last, unsigned unused) {
    return way | words << UNO_PACKET_LENGTH | (uint32_t)last << UNO_PACKET_LAST | unused << UNO_PACKET_UNUSED;
}
static inline unsigned uno_packet_field(uint32_t header, int at, int bits) {
    return header >> at & ((1u << bits) - 1);
}
static inline int uno_packet_from(int columns, uint32_t header) {
    return (int)uno_packet_field(header, 2 * UNO_PACKET_COORD, UNO_PACKET_COORD) +
           (int)uno_packet_field(header, 3 * UNO_PACKET_COORD, UNO_PACKET_COORD) * columns;
}
static inline unsigned uno_packet_words(uint32_t header) {
    return uno_packet_field(header, UNO_PACKET_LENGTH, UNO_PACKET_LENGTH_BITS);
}
static inline bool uno_packet_is_last(uint32_t header) {
    return header >> UNO_PACKET_LAST & 1;
}

#endif
