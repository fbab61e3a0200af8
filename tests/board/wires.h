/* The wires of a modelled board in a file (src/hardware/pins.c), for stand-ins of the calls that drive real
 * ports. The environment variable BOARD_WIRES names the file. */

#ifndef TEST_BOARD_WIRES_H
#define TEST_BOARD_WIRES_H

#include <fcntl.h>
#include <stdlib.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "unit/board/state.h"
#include "unit/rtl/port.h"

static struct uno_ports *wires_open(void) {
    static struct uno_ports *wires;
    const char *path = getenv("BOARD_WIRES");
    int fd = !wires && path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd >= 0) {
        wires = mmap(NULL, uno_ports_size(UNO_BOARD_PES), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    return wires && wires != MAP_FAILED ? wires : NULL;
}

static void wires_write(struct uno_ports *wires, int k, unsigned lines) {
    uno_store32_relaxed(&wires->port[k].lines, lines | UNO_LINES_DRIVEN);
    uno_add64_release(&wires->bell, 1); /* as uno_pins_ring */
    syscall(SYS_futex, &wires->bell, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

static unsigned wires_read(struct uno_ports *wires, int k) {
    return uno_load32_relaxed(&wires->port[k].levels);
}

#endif
