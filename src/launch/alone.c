#include "alone.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "engine/tuning.h"
#include "memories.h"

/* A ticket is a memory, and its size is its number. Size 0: its owner is still looking for the last number. A
 * process that looks at the numbers afterwards has a number itself, so that each of two sees the other's. */
struct line {
    pid_t process; /* this one */
    off_t number;  /* of its ticket */
    off_t last;    /* the highest that it has seen */
    bool waits;    /* somebody is before it */
};

/* The number of a ticket of another process; -1: it is none. */
static off_t number_of(const struct line *line, pid_t process, int fd) {
    struct stat is;
    return process == line->process || fstat(fd, &is) ? -1 : is.st_size;
}

static bool find_last(void *argument, pid_t process, int fd) {
    struct line *line = argument;
    off_t number = number_of(line, process, fd);
    if (number > line->last)
        line->last = number;
    return false;
}

static bool find_former(void *argument, pid_t process, int fd) {
    struct line *line = argument;
    off_t number = number_of(line, process, fd);
    line->waits = number == 0 || (number > 0 && number < line->number) ||
                  (number == line->number && process < line->process);
    return line->waits;
}

int uno_alone(const char *name, uint64_t patience) {
    struct line line = {.process = getpid()};
    uint64_t until = uno_kernel_now() + patience;
    int ticket = uno_kernel_memory(name);
    if (ticket < 0)
        return -1;
    uno_memories(name, O_RDONLY, find_last, &line);
    line.number = line.last + 1;
    bool there = ftruncate(ticket, line.number) == 0;
    for (uint64_t began = uno_kernel_now(); there && uno_memories(name, O_RDONLY, find_former, &line);
         began = uno_kernel_now()) {
        there = began < until;
        /* the more it takes to look, the more it keeps the others from the processors */
        uno_kernel_pause(UNO_GANG_JOIN_NS + 2 * (uno_kernel_now() - began));
    }
    if (there)
        return ticket;
    close(ticket);
    return -1;
}
