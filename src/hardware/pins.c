/* pins FD, pins FILE: the process of a modelled board, which the launcher starts beside the PEs. It has no
 * more than a board has: the pins of rtl/board/papers_pins.v, as Verilator makes them, and a wire from each
 * to a port. Lines that a port changes arrive one after the other, as far apart as the board bears it. It
 * ends when the PEs have left. With a file, which it makes, the wires lie there, for stand-ins of real ports
 * (tests/board/), until it is killed.
 *
 * SIGUSR1 with the number of a port (`kill -q NUMBER`) unplugs its cable: then its lines are high at both
 * ends. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "map.h"
#include "pins_model.h"
#include "unit/board/state.h"
#include "unit/rtl/port.h"

enum {
    STEADY = 8,               /* as papers_pins has it */
    SKEW = STEADY - 2,        /* clocks by which the last line is behind the first one */
    SETTLED = 2 * STEADY + 6, /* clocks after which the lines from the board follow those to it */
    ABSENT = 0xff,
    LOOK_NS = 100 * 1000 * 1000,
};

static volatile sig_atomic_t unplugged; /* a bit for each port */

static void unplug(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    unplugged |= 1 << info->si_value.sival_int % UNO_BOARD_PES;
}

struct board {
    int n;
    struct uno_job *job; /* NULL: the wires lie in a file */
    struct uno_ports *ports;
    struct uno_pins_model *model;
    unsigned from[UNO_BOARD_PES]; /* the lines at the pins now */
    unsigned seed;
};

static bool over(const struct board *board) {
    if (!board->job)
        return false;
    bool left = true;
    for (int k = 0; k < board->n; k++)
        left &= uno_load32_relaxed(&board->job->board[k].state) == UNO_LEFT;
    /* SYNC FAULT: not needed here */
    return left || uno_load32_acquire(&board->job->fault) == UNO_FAULT;
}

static unsigned lines_of(struct board *board, int k) {
    uint32_t lines = uno_load32_relaxed(&board->ports->port[k].lines);
    return unplugged >> k & 1 || !(lines & UNO_LINES_DRIVEN) ? ABSENT : lines & ABSENT;
}

/* Let each line that has changed follow at some clock, and the board settle. */
static void settle(struct board *board, const unsigned *to) {
    unsigned clock = 0, late[UNO_BOARD_PES][8];
    for (int k = 0; k < board->n; k++)
        for (int line = 0; line < 8; line++)
            late[k][line] = (unsigned)rand_r(&board->seed) % (SKEW + 1);
    for (; clock <= SKEW + SETTLED; clock++) {
        for (int k = 0; k < board->n; k++)
            for (int line = 0; line < 8; line++)
                if (late[k][line] == clock)
                    board->from[k] = (board->from[k] & ~(1u << line)) | (to[k] & 1u << line);
        for (int k = 0; k < board->n; k++)
            uno_pins_model_drive(board->model, k, board->from[k]);
        uno_pins_model_clock(board->model);
    }
    uno_store64_relaxed(&board->ports->clocks, uno_load64_relaxed(&board->ports->clocks) + clock);
}

static void publish(struct board *board) {
    for (int k = 0; k < board->n; k++) {
        struct uno_port *port = &board->ports->port[k];
        uint32_t levels = unplugged >> k & 1 ? UNO_LEVELS_UNPLUGGED : uno_pins_model_levels(board->model, k);
        if (levels == uno_load32_relaxed(&port->levels))
            continue;
        uno_store32_relaxed(&port->levels, levels);
        uno_pins_ring(&port->bell);
    }
}

static void run(struct board *board) {
    while (!over(board)) {
        uint64_t ticket = uno_pins_ticket(&board->ports->bell);
        unsigned to[UNO_BOARD_PES];
        bool changed = false;
        for (int k = 0; k < board->n; k++) {
            to[k] = lines_of(board, k);
            changed |= to[k] != board->from[k];
        }
        if (changed)
            settle(board, to);
        publish(board);
        if (!changed)
            uno_kernel_sleep(&board->ports->bell, ticket, LOOK_NS);
    }
}

/* The wires of all ports, in a new file. */
static struct uno_ports *wires(const char *path) {
    size_t size = uno_ports_size(UNO_BOARD_PES);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    struct uno_ports *ports = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)size) == 0)
        ports = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (ports == MAP_FAILED) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return ports;
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_sigaction = unplug, .sa_flags = SA_SIGINFO | SA_RESTART};
    uno_hardware_begin();
    sigaction(SIGUSR1, &action, NULL);
    struct board board = {.n = UNO_BOARD_PES, .seed = 1};
    if (argc == 2 && strchr(argv[1], '/')) {
        board.ports = wires(argv[1]);
    } else {
        board.job = uno_hardware_map(argc, argv);
        board.ports = uno_ports(board.job);
        board.n = board.job->n;
    }
    board.ports->clocks_each = SKEW + SETTLED + 1; /* a write; the clock stands still meanwhile */
    board.model = uno_pins_model_make();
    /* nothing is plugged in before a PE comes */
    for (int k = 0; k < UNO_BOARD_PES; k++)
        uno_pins_model_drive(board.model, k, board.from[k] = ABSENT);
    run(&board);
    return EXIT_SUCCESS;
}
