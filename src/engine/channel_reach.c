#define _GNU_SOURCE
#include "channel_reach.h"

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

/* What has left may have freed its memory, or its process id may be another's by now: then what is sent to it
 * goes in pieces, and is found not to be read. */
static bool allowed(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    if (link->reach == UNO_REACH_UNTRIED)
        link->reach = try(channel, k);
    /* SYNC LEFT: that it reads nothing more */
    return link->reach == UNO_REACH_ALLOWED &&
           uno_load32_acquire(&channel->pe->job->board[k].state) != UNO_LEFT;
}

bool uno_reach_write(struct uno_channel *channel, int k, uint64_t to, const void *data, size_t bytes) {
    if (!allowed(channel, k))
        return false;
    if (copy_all(process_vm_writev, channel->pe->job->board[k].pid, (void *)data, to, bytes))
        return true;
    channel->link[k].reach = UNO_REACH_REFUSED;
    return false;
}
