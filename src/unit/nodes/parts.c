#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "engine/far/far.h"
#include "engine/fault.h"
#include "engine/mask.h"
#include "engine/nodes.h"
#include "engine/signature.h"
#include "engine/wait.h"

/* ---- out -------------------------------------------------------------------------------------------------
 */

/* A part whose memory the network needs for a while. */
struct outgoing {
    struct uno_far_sending sending;
    struct uno_far_head head;
    char data[];
};

static void over(struct uno_pe *pe, struct uno_far_sending *sending) {
    (void)pe;
    free(sending);
}

/* End the process, since PE k has left. */
static UNO_COLD _Noreturn void has_left(struct uno_pe *pe, int k, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT];
    uno_fault_check(pe, k, signature);
    uno_fail_apart(
        pe, "%s of group %s waits for PE %d on %s, which has left", uno_signature_text(signature, op),
        uno_mask_text(pe->nodes->split.whole.mask, pe->job->words, group), k, uno_node_name(pe, k));
}

static void send(struct uno_pe *pe, int k, unsigned signature, const struct iovec *parts, int count,
                 struct uno_far_sending *sending) {
    struct uno_wait wait = {.pe = pe, .k = k, .signature = signature};
    while (!uno_far_send(pe, k, parts, count, sending)) {
        if (uno_far_poll(pe))
            continue;
        if (wait.left) /* a PE that came and went before they met has never had room */
            has_left(pe, k, signature);
        uno_wait_step(&wait, NULL, 0);
    }
    uno_wait_end(&wait);
}

enum { SIGNATURE = 16 }; /* bits; above them in a head is the PE that the sender has waited for last */

void uno_part_send(struct uno_pe *pe, int k, unsigned signature, const void *data, size_t bytes) {
    struct uno_far_head head = {.kind = UNO_FAR_PART,
                                .from = (uint16_t)pe->me,
                                .detail = signature | (uint32_t)pe->board->awaited << SIGNATURE,
                                .word = pe->nodes->split.whole.id};
    if (sizeof head + bytes <= pe->far->least) {
        struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)data, bytes}};
        send(pe, k, signature, parts, bytes ? 2 : 1, NULL);
        return;
    }
    struct outgoing *out = malloc(sizeof *out + bytes);
    if (!out)
        uno_fail(pe, "out of memory for a part of an operation, %zu bytes", bytes);
    *out = (struct outgoing){.sending.over = over, .head = head};
    memcpy(out->data, data, bytes);
    struct iovec parts[] = {{&out->head, sizeof out->head}, {out->data, bytes}};
    send(pe, k, signature, parts, 2, &out->sending);
}

/* ---- in --------------------------------------------------------------------------------------------------
 */

static bool take(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                 void *packet) {
    struct uno_part_queue *queue = &pe->nodes->parts.from[head->from];
    struct uno_part *part = malloc(sizeof *part + bytes);
    (void)packet;
    if (!part)
        uno_fail(pe, "out of memory for a part of an operation, %zu bytes", bytes);
    *part = (struct uno_part){.group = head->word,
                              .signature = head->detail & ((1u << SIGNATURE) - 1),
                              .last = (int)(head->detail >> SIGNATURE),
                              .bytes = bytes};
    memcpy(part->data, data, bytes);
    if (queue->first)
        queue->last->next = part;
    else
        queue->first = part;
    queue->last = part;
    return false;
}

static UNO_COLD _Noreturn void mismatch(struct uno_pe *pe, int k, unsigned signature,
                                        const struct uno_part *part) {
    char mine[UNO_CALL_TEXT], group[UNO_MASK_TEXT], op[UNO_SIGNATURE_TEXT], other[UNO_MASK_TEXT] = "";
    const uint64_t *mask = pe->nodes->split.whole.mask;
    if (part->group == pe->nodes->split.whole.id)
        uno_mask_text(mask, pe->job->words, other);
    else if (pe->job->words == 1)
        uno_mask_text(&part->group, 1, other);
    uno_fail_apart(pe, "mismatch: PE %d on %s is in %s of group %s, but PE %d on %s is in %s of %s %s",
                   pe->me, uno_node_name(pe, pe->me), uno_call_text(pe, signature, mine),
                   uno_mask_text(mask, pe->job->words, group), k, uno_node_name(pe, k),
                   uno_signature_text(part->signature, op), *other ? "group" : "another group", other);
}

struct uno_part *uno_part_await(struct uno_pe *pe, int k, unsigned signature, size_t bytes) {
    struct uno_part_queue *queue = &pe->nodes->parts.from[k];
    struct uno_wait wait = {.pe = pe,
                            .k = k,
                            .signature = signature,
                            .context = pe->job->words == 1 ? pe->nodes->split.whole.mask[0] : 0,
                            .own = uno_far_taken(pe)};
    bool waited = false;
    for (;;) {
        wait.seen = uno_load64_relaxed(wait.own);
        if (queue->first)
            break;
        if (uno_far_poll(pe))
            continue;
        if (wait.left)
            has_left(pe, k, signature);
        pe->board->awaited = k;
        waited = true;
        uno_wait_step(&wait, NULL, 0);
    }
    uno_wait_end(&wait);
    struct uno_part *part = queue->first;
    if (waited && part->last < pe->n)
        pe->board->awaited = part->last;
    bool fits = part->signature == signature || (pe->fits && pe->fits(pe, signature, part->signature));
    if (!fits || part->group != pe->nodes->split.whole.id || (bytes != SIZE_MAX && part->bytes != bytes))
        mismatch(pe, k, signature, part);
    queue->first = part->next;
    return part;
}

/* ----------------------------------------------------------------------------------------------------------
 */

bool uno_node_parts_open(struct uno_node_parts *parts, struct uno_pe *pe) {
    parts->from = calloc((size_t)pe->n, sizeof *parts->from);
    pe->far->take[UNO_FAR_PART] = take;
    return parts->from;
}

void uno_node_parts_close(struct uno_node_parts *parts, struct uno_pe *pe) {
    for (int k = 0; k < pe->n; k++)
        for (struct uno_part *part; (part = parts->from[k].first);) {
            parts->from[k].first = part->next;
            free(part);
        }
    free(parts->from);
}
