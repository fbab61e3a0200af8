#define _GNU_SOURCE
#include "gang.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "alone.h"
#include "engine/atomic.h"
#include "engine/kernel.h"
#include "engine/process.h"
#include "engine/tuning.h"
#include "memories.h"

/* The most launchers at a time; and the layout of a turn in memory: a count, and in the low bits the place
 * that has it. */
enum { PLACES = 64, PLACE_BITS = 8 };

#define NAME "unisono-gang"
#define MAGIC UINT32_C(0x474e4731) /* changes with the layout */

/* The memory that the launchers share. All words are 0 in the beginning. */
struct shared {
    uno_atomic32 magic;
    uno_atomic32 turn; /* moved on by cas alone */
    struct place {
        uno_atomic32 pid;   /* of the launcher; 0: free */
        uno_atomic32 ready; /* it takes turns */
    } place[PLACES];
};

struct uno_gang {
    struct shared *shared;
    int memory; /* its descriptor, by which others find it */
    int epoll;
    int me; /* this launcher's place */
    struct other {
        pid_t pid;
        int fd; /* its pidfd; -1: none */
    } other[PLACES];
    uint32_t turn;    /* as last seen, */
    uint64_t changed; /* and when that was new */
};

/* ---- the memory -------------------------------------------------------------------------------------- */

static bool map(struct uno_gang *gang, int fd) {
    gang->shared = mmap(NULL, sizeof *gang->shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    gang->memory = fd;
    if (gang->shared == MAP_FAILED)
        gang->shared = NULL;
    return gang->shared;
}

static bool try(void *argument, pid_t process, int fd) {
    struct uno_gang *gang = argument;
    struct stat is;
    (void)process;
    if (fstat(fd, &is) || is.st_size != sizeof *gang->shared)
        return false;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own >= 0 && map(gang, own) && uno_load32_relaxed(&gang->shared->magic) == MAGIC)
        return true;
    if (gang->shared)
        munmap(gang->shared, sizeof *gang->shared);
    gang->shared = NULL;
    close(own);
    return false;
}

static bool make(struct uno_gang *gang, const char *name) {
    int fd = uno_kernel_memory(name);
    if (fd < 0 || ftruncate(fd, sizeof *gang->shared) || !map(gang, fd))
        return false;
    uno_store32_relaxed(&gang->shared->magic, MAGIC);
    return true;
}

/* ---- turns ------------------------------------------------------------------------------------------- */

static int holder(uint32_t turn) {
    return (int)(turn & ((1U << PLACE_BITS) - 1)) % PLACES;
}

/* Return true if the launcher in this place takes turns. A stopped launcher takes none until it goes on. */
static bool ready(struct uno_gang *gang, int i) {
    struct place *place = &gang->shared->place[i];
    pid_t pid = (pid_t)uno_load32_relaxed(&place->pid), parent;
    char state;
    if (!pid || !uno_load32_relaxed(&place->ready))
        return false;
    if (i == gang->me || !uno_process_look(pid, &state, &parent) || (state != 'T' && state != 't'))
        return true;
    uno_store32_relaxed(&place->ready, 0);
    return false;
}

/* Return the next place after this one that is ready; -1: none is. */
static int next(struct uno_gang *gang, int after) {
    for (int i = 1; i <= PLACES; i++)
        if (ready(gang, (after + i) % PLACES))
            return (after + i) % PLACES;
    return -1;
}

/* Move the turn on, if it still is as it was seen: of several launchers that do so, one succeeds. */
static void advance(struct uno_gang *gang, uint32_t turn) {
    int to = next(gang, holder(turn));
    if (to < 0)
        return;
    uint32_t following = ((turn >> PLACE_BITS) + 1) << PLACE_BITS | (uint32_t)to;
    if (uno_cas32_acq_rel(&gang->shared->turn, turn, following) && to != gang->me)
        kill((pid_t)uno_load32_relaxed(&gang->shared->place[to].pid), UNO_GANG_TURN);
}

/* ---- the other launchers ----------------------------------------------------------------------------- */

static void forget(struct other *other) {
    if (other->fd >= 0)
        close(other->fd);
    *other = (struct other){.fd = -1};
}

/* Clear the place of a launcher that has ended. */
static void bury(struct uno_gang *gang, int i) {
    uno_cas32_acq_rel(&gang->shared->place[i].pid, (uint32_t)gang->other[i].pid, 0);
    forget(&gang->other[i]);
}

/* Have the end of a launcher reported. */
static void watch(struct uno_gang *gang, int i, pid_t pid) {
    struct other *other = &gang->other[i];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
    forget(other);
    other->pid = pid;
    if (!pid)
        return;
    other->fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (other->fd < 0 && errno == ESRCH)
        bury(gang, i);
    else if (other->fd >= 0)
        epoll_ctl(gang->epoll, EPOLL_CTL_ADD, other->fd, &event);
}

static void see_others(struct uno_gang *gang) {
    struct epoll_event event;
    while (epoll_wait(gang->epoll, &event, 1, 0) == 1)
        bury(gang, (int)event.data.u32);
    for (int i = 0; i < PLACES; i++) {
        pid_t pid = (pid_t)uno_load32_relaxed(&gang->shared->place[i].pid);
        if (i != gang->me && pid != gang->other[i].pid)
            watch(gang, i, pid);
    }
}

bool uno_gang_look(struct uno_gang *gang, uint64_t now) {
    see_others(gang);
    uno_store32_relaxed(&gang->shared->place[gang->me].ready, 1); /* it goes on, if it was stopped */
    uint32_t turn = uno_load32_relaxed(&gang->shared->turn);
    if (turn != gang->turn) {
        gang->turn = turn;
        gang->changed = now;
    }
    struct place *place = &gang->shared->place[holder(turn)];
    bool left = !uno_load32_relaxed(&place->pid) || !uno_load32_relaxed(&place->ready);
    if (left || (holder(turn) != gang->me && now - gang->changed >= UNO_GANG_STOPPED_NS)) {
        if (left || !ready(gang, holder(turn)))
            advance(gang, turn);
        gang->changed = now; /* look at it again after that time */
    }
    return holder(uno_load32_relaxed(&gang->shared->turn)) == gang->me;
}

bool uno_gang_over(struct uno_gang *gang, uint64_t now) {
    if (now - gang->changed < UNO_GANG_TURN_NS)
        return false;
    gang->changed = now; /* if nobody waits, this one has another turn */
    int to = next(gang, gang->me);
    return to >= 0 && to != gang->me;
}

void uno_gang_pass(struct uno_gang *gang) {
    uint32_t turn = uno_load32_relaxed(&gang->shared->turn);
    if (holder(turn) == gang->me)
        advance(gang, turn);
}

uint64_t uno_gang_next(const struct uno_gang *gang) {
    bool mine = holder(gang->turn) == gang->me;
    return gang->changed + (mine ? UNO_GANG_TURN_NS : UNO_GANG_STOPPED_NS);
}

int uno_gang_events(const struct uno_gang *gang) {
    return gang->epoll;
}

/* ---- coming and going -------------------------------------------------------------------------------- */

static bool take_place(struct uno_gang *gang) {
    for (gang->me = 0; gang->me < PLACES; gang->me++)
        if (uno_cas32_acq_rel(&gang->shared->place[gang->me].pid, 0, (uint32_t)getpid()))
            return true;
    return false;
}

static void release(struct uno_gang *gang) {
    for (int i = 0; i < PLACES; i++)
        forget(&gang->other[i]);
    if (gang->shared)
        munmap(gang->shared, sizeof *gang->shared);
    if (gang->memory >= 0)
        close(gang->memory);
    if (gang->epoll >= 0)
        close(gang->epoll);
    free(gang);
}

struct uno_gang *uno_gang_join(const char *name, const char **why) {
    char memory[sizeof NAME + UNO_GANG_NAME + 2], joining[sizeof memory + sizeof "-join"];
    snprintf(memory, sizeof memory, NAME ":%s", name);
    snprintf(joining, sizeof joining, NAME "-join:%s", name);
    struct uno_gang *gang = calloc(1, sizeof *gang);
    *why = "out of memory";
    if (!gang)
        return NULL;
    gang->memory = -1;
    for (int i = 0; i < PLACES; i++)
        gang->other[i].fd = -1;
    gang->epoll = epoll_create1(EPOLL_CLOEXEC);
    int only = uno_alone(joining, UNO_GANG_PATIENCE_S * UINT64_C(1000000000));
    *why = only < 0 ? "another job has been joining for 10 s" : "cannot make the memory of the turns";
    bool there =
        only >= 0 && gang->epoll >= 0 && (uno_memories(memory, O_RDWR, try, gang) || make(gang, memory));
    if (there) {
        /* those that were all killed at once have left their places taken */
        gang->me = -1;
        see_others(gang);
        *why = "too many jobs take turns";
        there = take_place(gang);
    }
    if (only >= 0)
        close(only);
    if (!there) {
        release(gang);
        return NULL;
    }
    gang->changed = uno_kernel_now();
    return gang;
}

void uno_gang_rest(struct uno_gang *gang) {
    uno_store32_relaxed(&gang->shared->place[gang->me].ready, 0);
    uno_gang_pass(gang);
}

void uno_gang_leave(struct uno_gang *gang) {
    uno_gang_rest(gang);
    uno_store32_relaxed(&gang->shared->place[gang->me].pid, 0);
    release(gang);
}
