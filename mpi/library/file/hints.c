#include "library/file/hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/calls.h"
#include "library/object/info.h"

static const char *const exchange_names[] = {
    [UNO_IO_AUTOMATIC] = "automatic", [UNO_IO_ALWAYS] = "enable", [UNO_IO_NEVER] = "disable"};

enum { PART_LEAST = 4096, PART = 1 << 20, PART_MOST = 1 << 28, LONGEST = 32 };

void uno_io_hints_start(struct uno_io_hints *hints) {
    *hints = (struct uno_io_hints){.part = PART, .mode = 0666};
}

static void take_exchange(enum uno_io_exchange *exchange, const char *value) {
    for (int i = 0; value && i <= UNO_IO_NEVER; i++)
        if (strcmp(value, exchange_names[i]) == 0)
            *exchange = (enum uno_io_exchange)i;
}

/* Return the number of a value; `otherwise` if it is none, or out of range. */
static unsigned long number(const char *value, int base, unsigned long least, unsigned long most,
                            unsigned long otherwise) {
    char *end;
    if (!value)
        return otherwise;
    unsigned long n = strtoul(value, &end, base);
    return end == value || *end || n < least || n > most ? otherwise : n;
}

void uno_io_hints_take(struct uno_io_hints *hints, const struct uno_mpi_info *info) {
    hints->part = number(uno_info_value(info, "cb_buffer_size"), 10, PART_LEAST, PART_MOST, hints->part);
    hints->mode = (unsigned)number(uno_info_value(info, "file_perm"), 8, 0, 07777, hints->mode);
    take_exchange(&hints->read, uno_info_value(info, "romio_cb_read"));
    take_exchange(&hints->write, uno_info_value(info, "romio_cb_write"));
}

struct uno_mpi_info *uno_io_hints_tell(const struct uno_io_hints *hints) {
    struct uno_mpi_info *info = uno_info_copy(NULL);
    char text[LONGEST];
    snprintf(text, sizeof text, "%zu", hints->part);
    uno_mpi_info_set(info, "cb_buffer_size", text);
    snprintf(text, sizeof text, "%o", hints->mode);
    uno_mpi_info_set(info, "file_perm", text);
    uno_mpi_info_set(info, "romio_cb_read", exchange_names[hints->read]);
    uno_mpi_info_set(info, "romio_cb_write", exchange_names[hints->write]);
    return info;
}
