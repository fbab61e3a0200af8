/* A stand-in for libgpiod 1.x: the chips gpiochip0 to 3 are ports of a modelled board, whose lines have these
 * offsets. The functions are those that the library has, with the types of its header. */

#include <errno.h>
#include <gpiod.h>
#include <stdio.h>

#include "wires.h"

static const unsigned offset[] = {2, 3, 4, 17, 27, 22, 10, 9, 11, 5, 6, 13, 19};
enum { FROM_PE = 8, LINES = sizeof offset / sizeof *offset };

struct gpiod_chip {
    int port;
};
struct gpiod_line {
    int port, line, output;
};

static struct gpiod_chip chip[UNO_BOARD_PES];
static struct gpiod_line line[UNO_BOARD_PES][LINES];

struct gpiod_chip *gpiod_chip_open_lookup(const char *name) {
    int port;
    if (sscanf(name, "gpiochip%d", &port) == 1 && port >= 0 && port < UNO_BOARD_PES && wires_open()) {
        chip[port].port = port;
        return &chip[port];
    }
    errno = ENOENT;
    return NULL;
}

void gpiod_chip_close(struct gpiod_chip *of) {
    (void)of;
}

int gpiod_chip_get_lines(struct gpiod_chip *of, unsigned *offsets, unsigned count,
                         struct gpiod_line_bulk *bulk) {
    gpiod_line_bulk_init(bulk);
    for (unsigned i = 0; i < count; i++) {
        int at = 0;
        while (at < LINES && offset[at] != offsets[i])
            at++;
        if (at == LINES) {
            errno = EINVAL;
            return -1;
        }
        line[of->port][at].port = of->port;
        line[of->port][at].line = at;
        gpiod_line_bulk_add(bulk, &line[of->port][at]);
    }
    return 0;
}

int gpiod_line_set_value_bulk(struct gpiod_line_bulk *bulk, const int *values) {
    unsigned lines = 0;
    for (unsigned i = 0; i < bulk->num_lines; i++) {
        if (!bulk->lines[i]->output) {
            errno = EPERM;
            return -1;
        }
        lines |= (unsigned)values[i] << bulk->lines[i]->line;
    }
    wires_write(wires_open(), bulk->lines[0]->port, lines);
    return 0;
}

int gpiod_line_request_bulk_output(struct gpiod_line_bulk *bulk, const char *consumer, const int *values) {
    (void)consumer;
    for (unsigned i = 0; i < bulk->num_lines; i++)
        bulk->lines[i]->output = 1;
    return gpiod_line_set_value_bulk(bulk, values);
}

int gpiod_line_request_bulk_input_flags(struct gpiod_line_bulk *bulk, const char *consumer, int flags) {
    (void)bulk, (void)consumer;
    return flags == GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP ? 0 : -1;
}

int gpiod_line_get_value_bulk(struct gpiod_line_bulk *bulk, int *values) {
    unsigned levels = wires_read(wires_open(), bulk->lines[0]->port);
    for (unsigned i = 0; i < bulk->num_lines; i++)
        values[i] = (int)(levels >> (bulk->lines[i]->line - FROM_PE) & 1);
    return 0;
}
