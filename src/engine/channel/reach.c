#include "reach.h"

#include <string.h>

#include "engine/kernel.h"
#include "engine/remote.h"
#include "engine/tuning.h"

void uno_reach_start(struct uno_channel *channel) {
    struct uno_box *box = channel->box;
    channel->sample = uno_remote_sample();
    uno_store64_relaxed(&box->sample, channel->sample);
    /* SYNC SAMPLE: its value, and the process id */
    uno_store64_release(&box->sample_at, (uintptr_t)&channel->sample);
}

/* Whether the memory is reached: its PE says what it has there. */
static enum uno_reach try(const struct uno_channel *channel, int k) {
    const struct uno_box *box = uno_mail_box(&channel->mail, k);
    /* SYNC SAMPLE: its value, and the process id */
    uint64_t at = uno_load64_acquire(&box->sample_at);
    if (!at)
        return UNO_REACH_UNTRIED; /* it has not used messages yet */
    return uno_remote_has(channel->pe->job->board[k].pid, at, uno_load64_relaxed(&box->sample))
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
    if (link->reach == UNO_REACH_UNTRIED) {
        link->reached = uno_kernel_now();
        link->reach = try(channel, k);
    }
    /* SYNC LEFT: that it reads nothing more */
    return link->reach == UNO_REACH_ALLOWED &&
           uno_load32_acquire(&channel->pe->job->board[k].state) != UNO_LEFT;
}

/* Whether all was copied; if not, it is not tried again. */
static bool learn(struct uno_channel *channel, int k, bool copied) {
    if (!copied)
        channel->link[k].reach = UNO_REACH_REFUSED;
    return copied;
}

/* Whether the process id is still that of PE k: it may be another's as soon as its process has been reaped,
 * which for the child of a shell or of a launcher is before anyone here knows. Ids are given in turn, so that
 * one of lately is none that comes round. */
static bool still_there(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    uint64_t now = uno_kernel_now();
    if (now - link->reached < UNO_PID_NS)
        return true;
    if (try(channel, k) != UNO_REACH_ALLOWED)
        return false;
    link->reached = now;
    return true;
}

bool uno_reach_write(struct uno_channel *channel, int k, uint64_t to, const void *data, size_t bytes) {
    if (!one_process(channel))
        return uno_reach_allowed(channel, k) &&
               learn(channel, k,
                     still_there(channel, k) &&
                         uno_remote_write(channel->pe->job->board[k].pid, to, data, bytes));
    memcpy((void *)(uintptr_t)to, data, bytes);
    return true;
}

bool uno_reach_read(struct uno_channel *channel, int k, uint64_t from, void *data, size_t bytes) {
    if (!one_process(channel))
        return uno_reach_allowed(channel, k) &&
               learn(channel, k,
                     still_there(channel, k) &&
                         uno_remote_read(channel->pe->job->board[k].pid, from, data, bytes));
    memcpy(data, (const void *)(uintptr_t)from, bytes);
    return true;
}
