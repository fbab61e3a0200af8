#define _GNU_SOURCE
#include "channel_reach.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "channel_inside.h"

/* Either takes several calls if it is much, or part of it cannot be reached. */
typedef ssize_t copy(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                     unsigned long theres, unsigned long flags);

static bool copy_all(copy *by, int pid, void *here, uint64_t there, size_t bytes) {
    while (bytes) {
        struct iovec own = {here, bytes}, other = {(void *)(uintptr_t)there, bytes};
        ssize_t n = by(pid, &own, 1, &other, 1, 0);
        if (n <= 0)
            return false;
        here = (char *)here + n;
        there += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return true;
}

void uno_reach_start(struct uno_channel *channel) {
    struct uno_box *box = channel->box;
    channel->sample = uno_kernel_now() ^ (uint64_t)getpid() << 40;
    uno_store64_relaxed(&box->sample, channel->sample);
    /* SYNC SAMPLE: its value, and the process id */
    uno_store64_release(&box->sample_at, (uintptr_t)&channel->sample);
}

/* Whether the memory is reached: read what its PE says that it has there. The process id of one that runs in
 * another container names a stranger here, or nobody. */
static enum uno_reach try(const struct uno_channel *channel, int k) {
    const struct uno_box *box = uno_mail_box(&channel->mail, k);
    /* SYNC SAMPLE: its value, and the process id */
    uint64_t at = uno_load64_acquire(&box->sample_at), seen;
    if (!at)
        return UNO_REACH_UNTRIED; /* it has not used messages yet */
    return copy_all(process_vm_readv, channel->pe->job->board[k].pid, &seen, at, sizeof seen) &&
                   seen == uno_load64_relaxed(&box->sample)
               ? UNO_REACH_ALLOWED
               : UNO_REACH_REFUSED;
}

static inline bool one_process(const struct uno_channel *channel) {
    return channel->pe->job->mail_at == UNO_MAIL_OWN;
}

/* What has left may have freed its memory, or its process id may be another's by now: then what is sent to it
 * goes in pieces, and is found not to be read. */
bool uno_reach_allowed(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    if (one_process(channel))
        return true;
    if (link->reach == UNO_REACH_UNTRIED)
        link->reach = try(channel, k);
    /* SYNC LEFT: that it reads nothing more */
    return link->reach == UNO_REACH_ALLOWED &&
           uno_load32_acquire(&channel->pe->job->board[k].state) != UNO_LEFT;
}

static bool reach(struct uno_channel *channel, int k, copy *by, void *here, uint64_t there, size_t bytes) {
    if (uno_reach_allowed(channel, k) && copy_all(by, channel->pe->job->board[k].pid, here, there, bytes))
        return true;
    if (channel->link[k].reach == UNO_REACH_ALLOWED)
        channel->link[k].reach = UNO_REACH_REFUSED;
    return false;
}

bool uno_reach_write(struct uno_channel *channel, int k, uint64_t to, const void *data, size_t bytes) {
    if (!one_process(channel))
        return reach(channel, k, process_vm_writev, (void *)data, to, bytes);
    memcpy((void *)(uintptr_t)to, data, bytes);
    return true;
}

bool uno_reach_read(struct uno_channel *channel, int k, uint64_t from, void *data, size_t bytes) {
    if (!one_process(channel))
        return reach(channel, k, process_vm_readv, data, from, bytes);
    memcpy(data, (const void *)(uintptr_t)from, bytes);
    return true;
}
