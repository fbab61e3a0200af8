/* The unit at a real board: UNISONO_PORT names the PE's port, with its number for "%d". On several machines
 * each PE has one of its own; then the network carries messages, and the port alone carries operations. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "at_board.h"
#include "engine/fault.h"

static void begin(struct uno_pe *pe) {
    char name[UNO_PINS_TEXT];
    const char *port = getenv("UNISONO_PORT"), *number = port ? strstr(port, "%d") : NULL;
    if (!port || !*port)
        uno_fail(
            pe,
            "p_init: the unit board needs a port: set UNISONO_PORT to a printer port, /dev/parport0, or to "
            "lines of GPIO, gpiochip0:...");
    if (number)
        snprintf(name, sizeof name, "%.*s%d%s", (int)(number - port), port, pe->me, number + 2);
    else
        snprintf(name, sizeof name, "%s", port);
    if (pe->job->nodes_at)
        uno_unit_nodes.begin(pe);
    uno_pins_begin(pe, *name == '/' ? &uno_pins_printer : &uno_pins_gpio, name);
}

const struct uno_unit uno_unit_board = {
    .begin = begin,
    .meet = uno_pins_meet,
    .interrupt = uno_pins_interrupt,
    .part = uno_at_board_part,
};
