/* The wires of the modelled board: a word each way, which the process of the model (src/hardware/) reads and
 * writes as the pins of rtl/board/papers_pins.v. */

#include "pins.h"
#include "unit/rtl/port.h"

static bool open_port(struct uno_pins *pins, struct uno_pe *pe, char why[UNO_PINS_TEXT]) {
    (void)why;
    pins->port = &uno_ports(pe->job)->port[pe->me];
    pins->bell = &pins->port->bell;
    pins->operations = &pins->port->operations;
    pins->process = &uno_ports(pe->job)->bell;
    return true;
}

static bool write_lines(struct uno_pins *pins, unsigned lines) {
    uno_store32_relaxed(&pins->port->lines, lines | UNO_LINES_DRIVEN);
    uno_pins_ring(pins->process);
    return true;
}

static bool read_levels(struct uno_pins *pins, unsigned *levels) {
    *levels = uno_load32_relaxed(&pins->port->levels);
    return true;
}

/* A port keeps what it has when its program ends. */
static void close_port(struct uno_pins *pins) {
    (void)pins;
}

const struct uno_pins_kind uno_pins_model = {
    .rings = true,
    .open = open_port,
    .write = write_lines,
    .read = read_levels,
    .close = close_port,
};
