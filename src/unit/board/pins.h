/* A port at whose pins a PE drives the eight lines to a board of rtl/board/ and reads the five from it. What
 * drives the pins is a row of a table: a printer port through Linux's ppdev, lines of GPIO through libgpiod,
 * or the wires of a modelled board. Nothing above this knows which it is. */

#ifndef UNO_PINS_H
#define UNO_PINS_H

#include "engine/kernel.h"
#include "engine/pe.h"

/* The lines from the PE, as in rtl/board/papers_pins.v: four of data, and these. */
enum uno_line {
    UNO_LINE_DATA = 0x0f,
    UNO_LINE_SET = 0x10,
    UNO_LINE_CLEAR = 0x20,
    UNO_LINES_DRIVEN = 0x100, /* on a modelled wire: there is a port */
    UNO_LINES_ABSENT = 0x3f,  /* both strobes and all data high: a PE that is no member */
};

/* The lines to the PE: the NAND of all data, and the latch of the barrier. */
enum uno_level {
    UNO_LEVEL_NAND = 0x0f,
    UNO_LEVEL_LATCH = 0x10,
    UNO_LEVELS_UNPLUGGED = 0x1f, /* pulled up, all of them, where no cable drives them */
};

enum { UNO_PINS_TEXT = 160 };

struct uno_pins_kind;

struct uno_pins {
    const struct uno_pins_kind *kind;
    char name[UNO_PINS_TEXT]; /* for messages */
    /* Counts up, with a wake-up, when the PE's keeper has something to do; of a modelled board also when a
     * line changes. */
    uno_atomic64 *bell;
    uno_atomic64 own_bell;
    uno_atomic64 *operations; /* where port operations are counted; NULL: nowhere */
    int fd;
    struct uno_port *port; /* the wires of a modelled board, */
    uno_atomic64 *process; /* and the bell of its process */
    struct uno_gpio *gpio;
};

struct uno_pins_kind {
    bool rings; /* the bell is rung when a line changes; otherwise the keeper must look */
    /* Open the port that pins->name names, for this PE. Returns false with the reason. */
    bool (*open)(struct uno_pins *pins, struct uno_pe *pe, char why[UNO_PINS_TEXT]);
    /* Drive the eight lines; read the five, with the latch as the board has it. Neither blocks. Return false
     * if the port is gone. */
    bool (*write)(struct uno_pins *pins, unsigned lines);
    bool (*read)(struct uno_pins *pins, unsigned *levels);
    void (*close)(struct uno_pins *pins);
};

/* Ring a bell: whoever took its number before he looked, and sleeps on that, wakes and looks again. */
static inline void uno_pins_ring(uno_atomic64 *bell) {
    /* SYNC PINS: what was done before */
    uno_add64_release(bell, 1);
    uno_kernel_wake(bell);
}

/* Return the number of the bell, after which the caller looks whether there is anything to do. */
static inline uint64_t uno_pins_ticket(const uno_atomic64 *bell) {
    /* SYNC PINS: what the bell was rung for */
    return uno_load64_acquire(bell);
}

extern const struct uno_pins_kind uno_pins_model, uno_pins_printer, uno_pins_gpio;

#endif
