/* Lines of GPIO through libgpiod 1.x, which is loaded when it is needed. The port is named by its chip and 13
 * lines, gpiochip0:2,3,4,17,27,22,10,9:11,5,6,13,19: those from the PE, data 0 to 3, both strobes, interrupt
 * and select; and those to it, NAND 0 to 3 and the latch. */

#include "pins.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef UNO_GPIOD
#include <gpiod.h>

enum { FROM_PE = 8, TO_PE = 5 };

#define FUNCTIONS(X)                                                                                         \
    X(gpiod_chip_open_lookup)                                                                                \
    X(gpiod_chip_close)                                                                                      \
    X(gpiod_chip_get_lines)                                                                                  \
    X(gpiod_line_request_bulk_output)                                                                        \
    X(gpiod_line_request_bulk_input_flags)                                                                   \
    X(gpiod_line_set_value_bulk)                                                                             \
    X(gpiod_line_get_value_bulk)

struct uno_gpio {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
    struct gpiod_chip *chip;
    struct gpiod_line_bulk from_pe, to_pe;
};

static bool load(struct uno_gpio *gpio, char why[UNO_PINS_TEXT]) {
    void *handle = dlopen("libgpiod.so.2", RTLD_NOW | RTLD_LOCAL);
    bool whole = handle;
#define X(name) whole = whole && (gpio->name = (__typeof__(gpio->name))dlsym(handle, #name)) != NULL;
    FUNCTIONS(X)
#undef X
    if (!whole)
        snprintf(why, UNO_PINS_TEXT, "libgpiod.so.2 cannot be loaded; install it (Debian: libgpiod2)");
    return whole;
}

/* Read so many numbers with commas between them. Returns what follows; NULL: there are not so many. */
static const char *numbers(const char *text, unsigned *number, int count) {
    for (int i = 0; i < count; i++) {
        char *end;
        if (i && *text++ != ',')
            return NULL;
        number[i] = (unsigned)strtoul(text, &end, 10);
        if (end == text)
            return NULL;
        text = end;
    }
    return text;
}

static bool open_port(struct uno_pins *pins, struct uno_pe *pe, char why[UNO_PINS_TEXT]) {
    unsigned from[FROM_PE], to[TO_PE];
    int high[FROM_PE];
    char chip[UNO_PINS_TEXT];
    struct uno_gpio *gpio = pins->gpio = calloc(1, sizeof *gpio);
    const char *at = strchr(pins->name, ':'), *rest = at ? numbers(at + 1, from, FROM_PE) : NULL;
    (void)pe;
    if (!gpio || !rest || *rest != ':' || !(rest = numbers(rest + 1, to, TO_PE)) || *rest) {
        snprintf(why, UNO_PINS_TEXT,
                 "it is CHIP:O,O,O,O,O,O,O,O:I,I,I,I,I, of 8 lines from the PE and 5 to it");
        return false;
    }
    if (!load(gpio, why))
        return false;
    snprintf(chip, sizeof chip, "%.*s", (int)(at - pins->name), pins->name);
    for (int i = 0; i < FROM_PE; i++)
        high[i] = UNO_LINES_ABSENT >> i & 1;
    /* pulled up, so that a line without a cable is high */
    if (!(gpio->chip = gpio->gpiod_chip_open_lookup(chip)) ||
        gpio->gpiod_chip_get_lines(gpio->chip, from, FROM_PE, &gpio->from_pe) ||
        gpio->gpiod_chip_get_lines(gpio->chip, to, TO_PE, &gpio->to_pe) ||
        gpio->gpiod_line_request_bulk_output(&gpio->from_pe, "unisono", high) ||
        gpio->gpiod_line_request_bulk_input_flags(&gpio->to_pe, "unisono",
                                                  GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP)) {
        snprintf(why, UNO_PINS_TEXT, "cannot be had: %s", strerror(errno));
        return false;
    }
    return true;
}

static bool write_lines(struct uno_pins *pins, unsigned lines) {
    int value[FROM_PE];
    for (int i = 0; i < FROM_PE; i++)
        value[i] = lines >> i & 1;
    return pins->gpio->gpiod_line_set_value_bulk(&pins->gpio->from_pe, value) == 0;
}

static bool read_levels(struct uno_pins *pins, unsigned *levels) {
    int value[TO_PE];
    if (pins->gpio->gpiod_line_get_value_bulk(&pins->gpio->to_pe, value))
        return false;
    *levels = 0;
    for (int i = 0; i < TO_PE; i++)
        *levels |= (unsigned)(value[i] != 0) << i;
    return true;
}

static void close_port(struct uno_pins *pins) {
    pins->gpio->gpiod_chip_close(pins->gpio->chip);
    free(pins->gpio);
}
#else
static bool open_port(struct uno_pins *pins, struct uno_pe *pe, char why[UNO_PINS_TEXT]) {
    (void)pins, (void)pe;
    snprintf(why, UNO_PINS_TEXT, "Unisono was built without libgpiod 1.x (Debian: libgpiod-dev)");
    return false;
}

static bool write_lines(struct uno_pins *pins, unsigned lines) {
    (void)pins, (void)lines;
    return false;
}

static bool read_levels(struct uno_pins *pins, unsigned *levels) {
    (void)pins, (void)levels;
    return false;
}

static void close_port(struct uno_pins *pins) {
    (void)pins;
}
#endif

const struct uno_pins_kind uno_pins_gpio = {
    .open = open_port,
    .write = write_lines,
    .read = read_levels,
    .close = close_port,
};
