#include "library/rank/waits.h"

#include "engine/fault.h"
#include "engine/wait.h"

static void nothing_comes(struct uno_pe *pe, int k, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT];
    uno_fault_check(pe, k, signature);
    uno_signature_text(signature, op);
    if (k >= 0 && k != pe->me)
        uno_fail_apart(pe, "%s waits for rank %d of MPI_COMM_WORLD, which has left", op, k);
    uno_fail_apart(pe, "%s waits for a message, and %s", op,
                   pe->n == 1 || k == pe->me ? "this rank has sent itself none" : "all others have left");
}

void uno_wait_until(bool (*done)(void *argument), void *argument, const bool *flag, int k,
                    unsigned signature) {
    struct uno_channel *channel = uno_rank->channel;
    struct uno_wait wait = {.pe = uno_rank->pe, .k = k, .signature = signature, .shift.done = flag};
    while (!done(argument)) {
        if (uno_channel_advance(channel))
            continue;
        if (wait.left)
            nothing_comes(wait.pe, k, signature);
        if (!uno_channel_poll(channel, &wait))
            uno_channel_wait_step(channel, &wait, UNO_WILD);
    }
    uno_channel_wait_end(channel, &wait);
}

static bool is_done(void *argument) {
    return ((const struct uno_receive *)argument)->done;
}

void uno_wait_received(struct uno_receive *receive, int k, unsigned signature) {
    uno_wait_until(is_done, receive, &receive->done, k, signature);
}

static bool all_go_on(void) {
    bool any = false;
    for (int i = 0; i < UNO_GOING_ON; i++)
        any |= uno_rank->go_on[i] && uno_rank->go_on[i]();
    return any;
}

void uno_go_on_by(enum uno_go_on of, bool (*function)(void)) {
    struct uno_rank *rank = uno_rank;
    bool any = false;
    rank->go_on[of] = function;
    for (int i = 0; i < UNO_GOING_ON; i++)
        any |= rank->go_on[i] != NULL;
    rank->channel->on_progress = any ? all_go_on : NULL;
}
