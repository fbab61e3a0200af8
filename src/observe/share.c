#include "share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "engine/environment.h"
#include "engine/kernel.h"

/* ---- the launcher ------------------------------------------------------------------------------------ */

/* Set the ticks that are long, by the counter's speed, which a fifth of a millisecond shows well enough. */
static void set_clock(struct uno_seen_memory *memory) {
    static const uint64_t LONG_NS = 2000, SPAN_NS = 200000;
    memory->ticks = uno_seen_counts();
    memory->ns_began = uno_kernel_now();
    memory->ticks_began = uno_seen_ticks(memory->ticks);
    uint64_t now;
    do
        now = uno_kernel_now();
    while (now - memory->ns_began < SPAN_NS);
    uint64_t ticks = uno_seen_ticks(memory->ticks) - memory->ticks_began;
    memory->long_ticks = (uint64_t)((double)ticks / (double)(now - memory->ns_began) * (double)LONG_NS);
}

int uno_seen_make(struct uno_seen_share *share, int n) {
    size_t size = uno_seen_size(n ? n : UNO_SEEN_RANKS);
    struct stat st;
    *share = (struct uno_seen_share){.size = size, .fd = uno_kernel_memory("unisono-observe")};
    if (share->fd < 0)
        return -errno;
    if (uno_kernel_memory_size(share->fd, size) || fstat(share->fd, &st) || fcntl(share->fd, F_SETFD, 0))
        goto failed;
    share->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, share->fd, 0);
    if (share->memory == MAP_FAILED)
        goto failed;
    uno_store64_relaxed(&share->memory->n, (uint64_t)n);
    set_clock(share->memory);
    share->memory->magic = UNO_SEEN_MAGIC;
    snprintf(share->variable, sizeof share->variable, "%d:%d:%llu:%llu", share->fd, (int)getpid(),
             (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
    return 0;
failed:;
    int error = -errno;
    close(share->fd);
    share->memory = NULL;
    return error;
}

void uno_seen_drop(struct uno_seen_share *share) {
    if (!share->memory)
        return;
    munmap(share->memory, share->size);
    close(share->fd);
    share->memory = NULL;
}

double uno_seen_scale(const struct uno_seen_memory *memory) {
    uint64_t ticks = uno_seen_ticks(memory->ticks) - memory->ticks_began;
    return ticks ? (double)(uno_kernel_now() - memory->ns_began) / (double)ticks : 1;
}

uint64_t uno_seen_now(const struct uno_seen_memory *memory) {
    return uno_seen_ticks(memory->ticks);
}

/* ---- a rank ------------------------------------------------------------------------------------------ */

/* Return true if the memory is for n ranks; the first rank of a job tells it that. */
static bool is_for(struct uno_seen_memory *memory, int n) {
    if (n <= UNO_SEEN_RANKS && uno_cas64_relaxed(&memory->n, 0, (uint64_t)n))
        return true;
    return uno_seen_ranks(memory) == n;
}

/* Map an open file. */
static struct uno_seen_memory *map(int fd, int n) {
    struct stat st;
    size_t size = uno_seen_size(n);
    if (fstat(fd, &st))
        return NULL;
    if ((size_t)st.st_size < size) {
        errno = EINVAL;
        return NULL;
    }
    struct uno_seen_memory *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (memory->magic == UNO_SEEN_MAGIC && is_for(memory, n))
        return memory;
    munmap(memory, size);
    errno = EINVAL;
    return NULL;
}

struct uno_seen_memory *uno_seen_open(int n) {
    struct uno_handed file;
    bool opened;
    const char *text = getenv(UNO_SEEN_ENVIRONMENT);
    unsigned long long device, inode;
    int launcher;
    errno = ENOENT;
    if (!text || sscanf(text, "%d:%d:%llu:%llu", &file.fd, &launcher, &device, &inode) != 4)
        return NULL;
    file.launcher = launcher;
    file.device = device;
    file.inode = inode;
    int fd = uno_handed_open(&file, &opened);
    if (fd < 0)
        return NULL;
    struct uno_seen_memory *memory = map(fd, n);
    int error = errno;
    if (opened)
        close(fd);
    errno = error;
    return memory;
}
