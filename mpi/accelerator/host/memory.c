#define _GNU_SOURCE
#include "accelerator/host/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collective/base.h"

/* The message by which rank 0 offers memory to the other ranks. */
struct offer {
    int pid, fd; /* fd -1: it has nothing to offer */
};

/* Report, with errno, why there is no shared memory. */
static void *cannot(const char *what) {
    uno_base_say("%s: %s; the ranks of this node go on without the accelerator", what, strerror(errno));
    return NULL;
}

static void *map(int fd, size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    return memory == MAP_FAILED ? cannot("cannot map the memory that its node shares") : memory;
}

static void *make(size_t size, struct offer *offer) {
    int fd = memfd_create("unisono-mpi", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)size))
        return cannot("cannot make memory to share");
    *offer = (struct offer){.pid = getpid(), .fd = fd};
    return map(fd, size);
}

static void *look_up(size_t size, const struct offer *offer) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", offer->pid, offer->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return cannot("cannot open the memory that its node shares");
    void *memory = map(fd, size);
    close(fd);
    return memory;
}

void *uno_memory_share(MPI_Comm comm, size_t size, void (*prepare)(void *memory)) {
    struct offer offer = {.fd = -1};
    void *memory = NULL;
    int rank, worked, all;
    HOST(Comm_rank)(comm, &rank);
    if (rank == 0 && (memory = make(size, &offer)))
        prepare(memory);
    HOST(Bcast)(&offer, sizeof offer, MPI_BYTE, 0, comm);
    if (rank != 0 && offer.fd >= 0)
        memory = look_up(size, &offer);
    worked = memory != NULL;
    HOST(Allreduce)(&worked, &all, 1, MPI_INT, MPI_MIN, comm);
    if (rank == 0 && offer.fd >= 0)
        close(offer.fd);
    if (memory && !all) {
        munmap(memory, size);
        return NULL;
    }
    return memory;
}
