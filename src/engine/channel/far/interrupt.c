#include "interrupt.h"

#include <stdlib.h>
#include <string.h>

#include "engine/channel/link/link.h"
#include "engine/fault.h"
#include "engine/signature.h"

/* The subject of a packet, in the head's `detail`. The head's `word` is the number of the interrupt. */
enum subject {
    NOTICE,  /* the interrupt is pending */
    STOPPED, /* the sender has stopped for it, and has not raised it; */
    RAISED,  /* or has */
    OVER,    /* it is over; the cause follows */
};

/* The last packet to one PE. The next one is not sent before the network is done with it. */
struct out {
    struct uno_far_sending sending;
    struct uno_far_head head;
    uint64_t cause[UNO_WORDS];
    bool flying; /* the network needs its memory */
};

struct uno_far_interrupts {
    uno_atomic32 raised;       /* 1: this PE has raised an interrupt since it stopped for one */
    int first;                 /* the PE that has given notice last: those before it have left */
    bool leaves;               /* it takes part in no more */
    uint64_t number;           /* of the last interrupt for which it has stopped */
    uint64_t heard;            /* of the last of which a packet has told */
    uint64_t over;             /* of the last that is over, as far as this PE knows, */
    uint64_t cause[UNO_WORDS]; /* and its cause */
    /* These are of the last for which it has stopped: the PEs to which it has told that, */
    uint64_t told[UNO_WORDS];
    uint64_t noticed[UNO_WORDS]; /* to which it has given notice, */
    uint64_t owed[UNO_WORDS];    /* and to which it has still to tell that it is over */
    struct out *out;             /* to each PE that is far */
    uint64_t stopped[];          /* of each such PE: as `acknowledged` on its board */
};

/* The word in which a PE shows, to those on its node on its board, for which interrupt it has stopped last,
 * and whether it had raised that. */
static uint64_t acknowledgement(uint64_t number, bool raised) {
    return 2 * number + raised;
}

static bool has(const uint64_t *mask, int k) {
    return mask[k / 64] >> k % 64 & 1;
}

static bool has_left(struct uno_pe *pe, int k) {
    /* SYNC LEFT: that it has stopped for all that it had raised */
    return uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT;
}

/* Return the last acknowledgement of PE k of which this one knows. */
static uint64_t acknowledged_by(struct uno_pe *pe, int k) {
    if (uno_is_far(pe, k))
        return pe->far->interrupts->stopped[k];
    /* SYNC ACKNOWLEDGED: that PE k has stopped what it did */
    return uno_load64_acquire(&pe->job->board[k].acknowledged);
}

/* ---- telling others ------------------------------------------------------------------------------------ */

static void over(struct uno_pe *pe, struct uno_far_sending *sending) {
    (void)pe;
    ((struct out *)sending)->flying = false;
}

/* Send a packet. Returns false if there is no room. */
static bool send(struct uno_pe *pe, int k, enum subject subject) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    struct out *out = &all->out[k];
    size_t bytes = subject == OVER ? (size_t)pe->job->words * sizeof *out->cause : 0;
    if (out->flying)
        return false;
    out->head = (struct uno_far_head){
        .kind = UNO_FAR_INTERRUPT, .from = (uint16_t)pe->me, .detail = subject, .word = all->number};
    out->sending.over = over;
    memcpy(out->cause, all->cause, bytes);
    struct iovec parts[] = {{&out->head, sizeof out->head}, {out->cause, bytes}};
    out->flying = true; /* before it may be over */
    bool sent = uno_far_send(pe, k, parts, bytes ? 2 : 1, &out->sending);
    out->flying &= sent;
    return sent;
}

static void ring(struct uno_pe *pe, int k) {
    uint64_t rung = UINT64_MAX;
    if (pe->channel) /* the bells lie in the memory for messages. Without it that PE looks by itself */
        uno_bell_ring(&uno_mail_box(&pe->channel->mail, k)->bell, &rung);
}

/* Tell PE k once: those that have been told are in the mask. */
static void tell(struct uno_pe *pe, int k, enum subject subject, uint64_t *mask) {
    if (has(mask, k))
        return;
    if (!uno_is_far(pe, k)) {
        /* SYNC MARK: what the boards show */
        uno_or32_seq_cst(&pe->job->board[k].parked, UNO_INTERRUPTED);
        ring(pe, k);
    } else if (!send(pe, k, subject)) {
        return;
    }
    uno_bit_set(mask, k);
}

/* ---- hearing of others --------------------------------------------------------------------------------- */

/* A packet tells of this interrupt. */
static void note(struct uno_pe *pe, uint64_t number) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    if (number > all->heard)
        all->heard = number;
    if (number > all->number) {
        /* SYNC MARK: not needed here */
        uno_or32_seq_cst(&pe->board->parked, UNO_INTERRUPTED);
    }
}

static bool take(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                 void *packet) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    size_t expected = head->detail == OVER ? (size_t)pe->job->words * sizeof *all->cause : 0;
    (void)packet;
    if (head->detail > OVER || bytes != expected)
        uno_fail(pe, "PE %d has sent %zu bytes about an interrupt, which is no such packet", head->from,
                 bytes);
    if (head->detail == OVER) {
        all->over = head->word;
        memcpy(all->cause, data, bytes);
        return false;
    }
    if (head->detail != NOTICE)
        all->stopped[head->from] = acknowledgement(head->word, head->detail == RAISED);
    else if (head->from > all->first)
        all->first = head->from;
    note(pe, head->word);
    return false;
}

/* Return true if an interrupt is pending for which this PE has not stopped, and which it has not raised. */
static bool is_pending(struct uno_pe *pe) {
    const struct uno_far_interrupts *all = pe->far->interrupts;
    if (all->heard > all->number)
        return true;
    for (int k = 0; k < pe->n; k++)
        if (!uno_is_far(pe, k) && acknowledged_by(pe, k) / 2 > all->number)
            return true;
    return false;
}

/* Return true if the last interrupt is over. */
static bool is_over(struct uno_pe *pe) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    /* SYNC OVER: who had raised it */
    if (all->over < all->number && pe->here > 1 &&
        uno_load64_acquire(&pe->job->interrupts) >= 2 * all->number) {
        for (int w = 0; w < pe->job->words; w++)
            all->cause[w] = uno_load64_relaxed(&pe->job->cause[w]);
        all->over = all->number;
    }
    return all->over >= all->number;
}

/* ---- the coordinator ----------------------------------------------------------------------------------- */

static int find_coordinator(struct uno_pe *pe) {
    const struct uno_far_interrupts *all = pe->far->interrupts;
    for (int k = all->first; k < pe->me; k++)
        if (!has_left(pe, k) || (has(all->told, k) && !uno_pe_left(pe, k)))
            return k;
    return pe->me;
}

/* Return the first PE that has not stopped; -1: all have. Those who have not are given notice. */
static int find_missing(struct uno_pe *pe) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    int first = -1;
    for (int k = 0; k < pe->n; k++) {
        if (k == pe->me || has_left(pe, k) || acknowledged_by(pe, k) / 2 >= all->number)
            continue;
        tell(pe, k, NOTICE, all->noticed);
        first = first < 0 ? k : first;
    }
    return first;
}

/* End the interrupt, since all have stopped. */
static void conclude(struct uno_pe *pe) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    struct uno_job *job = pe->job;
    memset(all->cause, 0, sizeof all->cause);
    for (int k = 0; k < pe->n; k++) {
        uint64_t last = acknowledged_by(pe, k);
        if (last == acknowledgement(all->number, true))
            uno_bit_set(all->cause, k);
        if (last / 2 == all->number && uno_is_far(pe, k))
            uno_bit_set(all->owed, k);
    }
    all->over = all->number;
    if (pe->here == 1)
        return;
    for (int w = 0; w < job->words; w++)
        uno_store64_relaxed(&job->cause[w], all->cause[w]);
    /* SYNC OVER: who had raised it */
    uno_store64_release(&job->interrupts, 2 * all->number);
    for (int k = 0; k < pe->n; k++)
        if (k != pe->me && !uno_is_far(pe, k))
            ring(pe, k);
}

/* Tell the others that it is over. Returns the first to which there is no room; -1: all have been told. */
static int tell_over(struct uno_pe *pe) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    int first = -1;
    for (int k = 0; k < pe->n; k++) {
        if (!has(all->owed, k))
            continue;
        if (send(pe, k, OVER))
            uno_bit_clear(all->owed, k);
        else if (first < 0)
            first = k;
    }
    return first;
}

/* ---- every PE ------------------------------------------------------------------------------------------ */

/* Stop for an interrupt. Returns false if there is none. */
static bool stop(struct uno_pe *pe) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    /* SYNC MARK: what the boards show */
    uno_and32_seq_cst(&pe->board->parked, ~UNO_INTERRUPTED);
    if (all->leaves)
        return false;
    /* SYNC MARK: not needed here */
    bool raised = uno_cas32_acq_rel(&all->raised, 1, 0);
    if (!raised && !is_pending(pe))
        return false;
    pe->stopped = ++all->number;
    memset(all->told, 0, sizeof all->told);
    memset(all->noticed, 0, sizeof all->noticed);
    /* SYNC ACKNOWLEDGED: that this PE has stopped what it did */
    uno_store64_release(&pe->board->acknowledged, acknowledgement(all->number, raised));
    return true;
}

/* Go on with the interrupt for which this PE has stopped. Returns the PE that is waited for; -1: none is. */
static int advance(struct uno_pe *pe) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    int coordinator = find_coordinator(pe); /* if one has left, all that it had told is there now */
    if (!is_over(pe)) {
        if (coordinator != pe->me) {
            tell(pe, coordinator, uno_load64_relaxed(&pe->board->acknowledged) % 2 ? RAISED : STOPPED,
                 all->told);
            return coordinator;
        }
        int missing = find_missing(pe);
        if (missing >= 0)
            return missing;
        conclude(pe);
    }
    return tell_over(pe);
}

/* As of pe->stop. */
static int step(struct uno_pe *pe) {
    if (pe->stopped)
        uno_far_poll(pe);
    else if (!stop(pe))
        return -1;
    int k = advance(pe);
    if (k >= 0)
        return k;
    uint64_t cause[UNO_WORDS];
    memcpy(cause, pe->far->interrupts->cause, sizeof cause);
    pe->stopped = 0;
    if (pe->handle)
        pe->handle(pe, cause);
    return -1;
}

void uno_far_interrupt_raise(struct uno_pe *pe) {
    struct uno_far *far = pe->far;
    uno_atomic64 *bell = pe->bell;
    uint64_t rung = UINT64_MAX;
    if (!far) /* a handler of signals, while the PE leaves */
        return;
    uno_store32_relaxed(&far->interrupts->raised, 1);
    /* SYNC MARK: not needed here */
    uno_or32_seq_cst(&pe->board->parked, UNO_INTERRUPTED);
    if (bell) /* the handler may run just before this PE sleeps */
        uno_bell_ring(bell, &rung);
}

bool uno_far_interrupt_start(struct uno_pe *pe) {
    size_t n = (size_t)pe->n;
    struct uno_far_interrupts *all = calloc(1, sizeof *all + n * sizeof *all->stopped);
    struct out *out = calloc(n, sizeof *out);
    if (!all || !out) {
        free(all);
        free(out);
        return false;
    }
    all->out = out;
    uno_far_free_later(pe, all);
    uno_far_free_later(pe, out); /* the network may still be at it when the PE leaves */
    pe->far->interrupts = all;
    pe->far->take[UNO_FAR_INTERRUPT] = take;
    pe->stop = step;
    return true;
}

void uno_far_interrupt_hear(struct uno_pe *pe) {
    pe->far->unheard = 0;
    if (pe->idle)
        pe->idle(pe); /* nothing comes before it lets a moment pass */
    while (uno_far_poll(pe))
        ;
}

void uno_far_interrupt_end(struct uno_pe *pe) {
    struct uno_far_interrupts *all = pe->far->interrupts;
    pe->handle = NULL;
    while (uno_load32_relaxed(&all->raised))
        uno_wait_interrupt(pe, UNO_SIGNATURE(UNO_EXIT, 0));
    all->leaves = true;
}
