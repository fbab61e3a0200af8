/* A printer port through Linux's ppdev (/dev/parport0). The pins are those of docs/hardware.md: D0 to D7 are
 * the lines from the PE; NAND 0 to 3 come in at pins 15, 13, 12 and 10, which are bits 3 to 6 of the status,
 * and the latch at pin 11, bit 7, which the port inverts. */

#include "pins.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/parport.h>
#include <linux/ppdev.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool open_port(struct uno_pins *pins, struct uno_pe *pe, char why[UNO_PINS_TEXT]) {
    int out = 0;
    (void)pe;
    pins->fd = open(pins->name, O_RDWR | O_CLOEXEC);
    if (pins->fd < 0) {
        snprintf(why, UNO_PINS_TEXT, "%s%s", strerror(errno),
                 errno == ENOENT ? " (is the module ppdev loaded?)" : "");
        return false;
    }
    if (ioctl(pins->fd, PPEXCL) || ioctl(pins->fd, PPCLAIM)) {
        snprintf(why, UNO_PINS_TEXT, "cannot be claimed for this process alone: %s (is lp loaded?)",
                 strerror(errno));
        return false;
    }
    if (ioctl(pins->fd, PPDATADIR, &out)) {
        snprintf(why, UNO_PINS_TEXT, "its data lines cannot be driven: %s", strerror(errno));
        return false;
    }
    return true;
}

static bool write_lines(struct uno_pins *pins, unsigned lines) {
    unsigned char data = (unsigned char)lines;
    return ioctl(pins->fd, PPWDATA, &data) == 0;
}

static bool read_levels(struct uno_pins *pins, unsigned *levels) {
    unsigned char status;
    if (ioctl(pins->fd, PPRSTATUS, &status))
        return false;
    *levels = (status / PARPORT_STATUS_ERROR & UNO_LEVEL_NAND) |
              (status & PARPORT_STATUS_BUSY ? 0 : UNO_LEVEL_LATCH);
    return true;
}

static void close_port(struct uno_pins *pins) {
    ioctl(pins->fd, PPRELEASE);
    close(pins->fd);
}

const struct uno_pins_kind uno_pins_printer = {
    .open = open_port,
    .write = write_lines,
    .read = read_levels,
    .close = close_port,
};
