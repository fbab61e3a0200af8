/* One operation of a group: everyone posts on its own board and reads everyone else's post.
 *
 * A post carries its PE's sequence number, the signature of the operation, the barrier mask and the data, and
 * the header makes them visible together. PE k counts only its own posts. A PE that waits for k follows them
 * in order, passes over those whose mask does not name it, and takes the next one that does: since any two
 * PEs go through the operations that they share in the same order, that one must be the operation that it is
 * in itself. If signature or mask differ, the program is wrong, and both PEs can be named.
 *
 * The trap. Groups change at any moment. PE 0 can leave {0,2}, meet PE 1 twice, and come round to the slot
 * that PE 2 has not read yet. So a slot is written again only when every member of the group of its old post
 * has finished reading. Mostly this is known at no cost: a PE that has arrived at a later operation has
 * finished the earlier ones. For a member met in none of the UNO_SLOTS - 1 operations since, `done` on its
 * board tells. Nobody can wait for this in a circle: that member lacks nothing, since all posts that it needs
 * are there and stay until it has read them. The argument rests on one rule: no operation completes at a PE
 * before every member has arrived.
 *
 * A slot may have a buffer for data that do not fit into it. The buffer is written before the post, so it has
 * to be free before that. It is free when the slot is, since a slot and its buffer have the same readers.
 *
 * A PE that is not a member may look at a slot while it is rewritten. So before a slot changes its mask its
 * header is 0, and a reader takes mask and header for one post only if the header is the same before and
 * after. */

#include "rendezvous.h"

#include "fault.h"
#include "group.h"
#include "interrupt.h"
#include "nodes.h"
#include "signature.h"
#include "tuning.h"
#include "wait.h"

static inline uint64_t header_of(uint64_t sequence, unsigned signature) {
    return sequence << 16 | signature;
}

/* Return true if sequence number a is earlier than b, in the 48 bits of a header. */
static inline bool earlier(uint64_t a, uint64_t b) {
    return (int64_t)((a - b) << 16) < 0;
}

static inline unsigned slot_of(uint64_t sequence) {
    return sequence % UNO_SLOTS;
}

/* Wait until every member on this node has read the last post in this slot. */
static void reclaim(struct uno_pe *pe, unsigned s) {
    struct uno_job *job = pe->job;
    uint64_t unknown[UNO_WORDS];
    for (int w = 0; w < job->words; w++) {
        uint64_t later = ~uno_near_word(pe, w);
        for (unsigned t = 0; t < UNO_SLOTS; t++)
            if (t != s && !(pe->told >> t & 1))
                later |= uno_load64_relaxed(uno_job_group_word(job, pe->me, t, w));
        unknown[w] = uno_load64_relaxed(uno_job_group_word(job, pe->me, s, w)) & ~later;
    }
    unknown[pe->me / 64] &= ~((uint64_t)1 << (pe->me % 64));
    UNO_FOR_EACH_PE (k, unknown, job->words) {
        unsigned was = uno_load64_relaxed(&pe->board->slot[s].header) & 0xffff;
        struct uno_wait wait = {.pe = pe, .k = k, .signature = was};
        /* PE k's last post that this PE took is still seen[k]: they have not met since.
         * SYNC DONE: reads of this PE's post have ended */
        while (earlier(uno_load64_acquire(&job->board[k].done), pe->seen[k]) && !wait.left) {
            pe->board->awaited = k;
            uno_wait_step(&wait, NULL, 0);
        }
        uno_wait_end(&wait);
    }
}

/* Prepare a slot whose group has changed within the last UNO_SLOTS posts: it may have other readers than the
 * new post. */
static UNO_COLD void change_group(struct uno_pe *pe, unsigned s) {
    struct uno_slot *slot = &pe->board->slot[s];
    reclaim(pe, s);
    uno_store64_relaxed(&slot->header, 0);
    /* SYNC MASK (2): header 0 */
    if (pe->job->words > 1)
        for (int w = 0; w < pe->job->words; w++)
            uno_store64_release(uno_job_group_word(pe->job, pe->me, s, w), uno_pe_group(pe)->mask[w]);
    uno_store64_release(&slot->group, pe->group.id);
    pe->told &= ~(1u << s);
    pe->run++;
}

static inline void post(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    uint64_t sequence = ++pe->posted;
    struct uno_slot *slot = &pe->board->slot[slot_of(sequence)];
    if (UNO_UNLIKELY(pe->run < UNO_SLOTS))
        change_group(pe, slot_of(sequence));
    for (unsigned i = 0; i < words; i++)
        uno_write64_plain(&slot->data[i], in[i]);
    /* SYNC POST: mask and data of this post; that this PE has finished reading all earlier posts */
    uno_store64_release(&slot->header, header_of(sequence, signature));
    if (UNO_UNLIKELY(uno_wait_wake(pe->board, &slot->header) & UNO_INTERRUPTED))
        uno_wait_interrupt(pe, signature);
}

static UNO_COLD _Noreturn void mismatch(struct uno_pe *pe, int k, unsigned s, unsigned signature,
                                        unsigned theirs) {
    uint64_t mask[UNO_WORDS];
    char my_op[UNO_CALL_TEXT], my_group[UNO_MASK_TEXT], op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT];
    int words = pe->job->words;
    for (int w = 0; w < words; w++)
        mask[w] = uno_load64_relaxed(uno_job_group_word(pe->job, k, s, w));
    uno_fail_apart(pe, "mismatch: PE %d is in %s of group %s, but PE %d is in %s of group %s", pe->me,
                   uno_call_text(pe, signature, my_op),
                   uno_mask_text(uno_pe_group(pe)->mask, words, my_group), k, uno_signature_text(theirs, op),
                   uno_mask_text(mask, words, group));
}

/* The state of PE k's board: nothing new, a post that does not name this PE, or its part of this
 * operation. */
enum look { ABSENT, PASSED, HERE };

/* Return true if the post in slot s of PE k, whose header was `header`, names this PE. False also if it has
 * been rewritten meanwhile, which happens only to posts that did not name this PE. */
static bool names_me(struct uno_pe *pe, int k, unsigned s, uint64_t header) {
    /* SYNC MASK: header 0 */
    uint64_t members = uno_load64_acquire(uno_job_group_word(pe->job, k, s, pe->me / 64));
    return (members >> (pe->me % 64) & 1) && uno_load64_relaxed(&pe->job->board[k].slot[s].header) == header;
}

/* End with an error unless the post of this header is PE k's part of this PE's operation. */
static void check(struct uno_pe *pe, int k, unsigned s, uint64_t header, unsigned signature) {
    unsigned theirs = header & 0xffff;
    bool fits = theirs == signature || (pe->fits && pe->fits(pe, signature, theirs));
    if (!fits || uno_load64_relaxed(&pe->job->board[k].slot[s].group) != pe->group.id)
        mismatch(pe, k, s, signature, theirs);
}

/* Take the post in slot s of PE k, which names this PE: it stays until this PE has read it. */
static enum look take(struct uno_pe *pe, int k, unsigned s, uint64_t header, unsigned signature) {
    check(pe, k, s, header, signature);
    pe->seen[k] = header >> 16;
    return HERE;
}

/* Look at PE k's next post without taking it. */
static inline enum look spot(struct uno_pe *pe, int k, uint64_t header) {
    uint64_t next = pe->seen[k] + 1;
    if (!header || earlier(header >> 16, next))
        return ABSENT;
    if (earlier(next, header >> 16)) {
        /* PE k has come round: its posts up to one round before this one are gone, so none of them named this
         * PE. The later ones are looked at in order, since two of them may name it: PE k can be in its next
         * operation. */
        pe->seen[k] = (header >> 16) - UNO_SLOTS;
        return PASSED;
    }
    if (names_me(pe, k, slot_of(next), header))
        return HERE;
    pe->seen[k] = next;
    return PASSED;
}

/* Look at PE k's next post, and take it if it names this PE. */
static enum look follow(struct uno_pe *pe, int k, unsigned signature, uint64_t header) {
    enum look look = spot(pe, k, header);
    return look == HERE ? take(pe, k, slot_of(pe->seen[k] + 1), header, signature) : look;
}

static inline uint64_t header_after(const struct uno_pe *pe, int k) {
    /* SYNC POST: mask and data; what PE k did before */
    return uno_load64_acquire(&pe->job->board[k].slot[slot_of(pe->seen[k] + 1)].header);
}

int uno_board_awaited_in(struct uno_pe *pe, int k) {
    uint64_t seen = pe->seen[k];
    enum look look;
    while ((look = spot(pe, k, header_after(pe, k))) == PASSED)
        ;
    int s = look == HERE ? (int)slot_of(pe->seen[k] + 1) : -1;
    pe->seen[k] = seen; /* of what it has taken, `reclaim` goes by it */
    return s;
}

void uno_board_mismatch(struct uno_pe *pe, int k, int s, unsigned signature) {
    mismatch(pe, k, (unsigned)s, signature, uno_load64_relaxed(&pe->job->board[k].slot[s].header) & 0xffff);
}

/* Return true if another member that runs on this processor has not posted yet. The members before PE k have
 * arrived. */
static bool misses_neighbour(struct uno_pe *pe, int k, unsigned signature) {
    struct uno_job *job = pe->job;
    uint32_t here = uno_wait_here(pe);
    UNO_FOR_EACH_PE (m, pe->group.mask, job->words) {
        if (m < k || m == pe->me || uno_load32_relaxed(&pe->processor[m]) != here)
            continue;
        uint64_t next = pe->seen[m] + 1;
        if (uno_load64_relaxed(&job->board[m].slot[slot_of(next)].header) != header_of(next, signature))
            return true;
    }
    return false;
}

void uno_board_left(struct uno_pe *pe, int k, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT];
    uno_fault_check(pe, k, signature);
    uno_fail_apart(pe, "%s of group %s waits for PE %d, which has left", uno_signature_text(signature, op),
                   uno_mask_text(uno_pe_group(pe)->mask, pe->job->words, group), k);
}

static UNO_COLD const void *await(struct uno_pe *pe, int k, unsigned signature) {
    struct uno_board *board = &pe->job->board[k];
    struct uno_wait wait = {.pe = pe, .k = k, .signature = signature};
    for (;;) {
        struct uno_slot *slot = &board->slot[slot_of(pe->seen[k] + 1)];
        /* SYNC POST: mask and data */
        uint64_t header = uno_load64_acquire(&slot->header);
        enum look look = follow(pe, k, signature, header);
        if (look == HERE)
            break;
        if (look == PASSED)
            continue;
        if (wait.left)
            uno_board_left(pe, k, signature);
        wait.misses = !pe->spin && misses_neighbour(pe, k, signature);
        uno_wait_step(&wait, &slot->header, header);
    }
    uno_wait_end(&wait);
    return board->slot[slot_of(pe->seen[k])].data;
}

/* Wait for PE k's part of this operation and return its data. */
static inline const void *fetch(struct uno_pe *pe, int k, unsigned signature) {
    uint64_t next = pe->seen[k] + 1, expected = header_of(next, signature);
    struct uno_slot *slot = &pe->job->board[k].slot[slot_of(next)];
    /* A tight loop first: between a post and the moment it is seen every instruction counts. The first looks
     * have no pause. */
    for (int i = 0; i < pe->polls && uno_load64_relaxed(&slot->header) != expected; i++)
        if (i >= UNO_EAGER_LOOKS)
            uno_pause();
    /* SYNC POST, SYNC MASK (2): mask and data; header 0 */
    if (UNO_UNLIKELY(uno_load64_acquire(&slot->header) != expected ||
                     uno_load64_acquire(&slot->group) != pe->group.id ||
                     uno_load64_relaxed(&slot->header) != expected))
        return await(pe, k, signature);
    pe->seen[k] = next;
    return slot->data;
}

int uno_board_missing(struct uno_pe *pe, unsigned signature) {
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words) {
        int s = k == pe->me ? 0 : uno_board_awaited_in(pe, k);
        if (s < 0)
            return k;
        if (k != pe->me)
            check(pe, k, (unsigned)s, uno_load64_relaxed(&pe->job->board[k].slot[s].header), signature);
    }
    return -1;
}

/* Wait for the data of all members and return them in PE order. */
static inline __attribute__((always_inline)) const void *const *
read_all(struct uno_pe *pe, unsigned signature, const uint64_t *in) {
    const void **data = pe->data;
    /* This PE's own slot is not read: its line is on its way to the others. In a group of two the mask is not
     * searched for the other member, which takes as long as a tenth of the operation. */
    if (pe->group.other >= 0) {
        data[pe->group.rank] = in;
        data[!pe->group.rank] = fetch(pe, pe->group.other, signature);
    } else {
        UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
            *data++ = k == pe->me ? in : fetch(pe, k, signature);
    }
    return pe->data;
}

const void *const *uno_board_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    post(pe, signature, in, words);
    return read_all(pe, signature, in);
}

/* The others do not answer this post, so it shows of nobody that he has arrived: until it has been written
 * over, it counts as that of another group. */
void uno_board_tell(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    post(pe, signature, in, words);
    pe->told |= 1u << slot_of(pe->posted);
    pe->run = 0;
}

const void *uno_board_told(struct uno_pe *pe, int k, unsigned signature) {
    return fetch(pe, k, signature);
}

void uno_board_post(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    post(pe, signature, in, words);
}

const void *const *uno_board_read(struct uno_pe *pe, unsigned signature, const uint64_t *in) {
    return read_all(pe, signature, in);
}

void *uno_board_buffer(struct uno_pe *pe) {
    unsigned s = slot_of(pe->posted + 1);
    if (UNO_UNLIKELY(pe->run < UNO_SLOTS))
        reclaim(pe, s);
    return uno_job_buffer(pe->job, pe->me, s);
}

const void *uno_board_buffer_of(struct uno_pe *pe, int k) {
    return uno_job_buffer(pe->job, k, slot_of(k == pe->me ? pe->posted : pe->seen[k]));
}

void uno_board_leave(struct uno_pe *pe) {
    /* SYNC DONE: reads of the others' posts have ended */
    uno_store64_release(&pe->board->done, pe->posted);
}

void uno_board_part(struct uno_pe *pe) {
    /* SYNC LEFT: every post of this PE */
    uno_store32_release(&pe->board->state, UNO_LEFT);
}
