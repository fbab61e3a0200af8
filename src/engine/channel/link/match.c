#include "match.h"

#include <stdlib.h>

/* A message is in four chains, one for each way to ask for it, and a receive in the chain of its own way. In
 * each chain things stand in the order in which they came. Whatever can be asked for has one chain to look
 * in, which other keys share only by chance. */

enum {
    CHAINS = 64, /* at first */
    FIRST = 4,   /* receives at which a look for one is made before they are spread */
};

static int way_of(const struct uno_envelope *asked) {
    return (asked->source == UNO_WILD ? 1 : 0) | (asked->tag == UNO_WILD ? 2 : 0);
}

static struct uno_envelope asked_in_way(const struct uno_envelope *message, int way) {
    return (struct uno_envelope){message->context, way & 1 ? UNO_WILD : message->source,
                                 way & 2 ? UNO_WILD : message->tag};
}

static bool same(const struct uno_envelope *a, const struct uno_envelope *b) {
    return a->context == b->context && a->source == b->source && a->tag == b->tag;
}

static size_t hash(const struct uno_envelope *e, size_t chains) {
    /* two multiplications of splitmix64's finalizer */
    uint64_t h =
        ((uint64_t)(uint32_t)e->source << 32 | (uint32_t)e->tag) + e->context * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return (h ^ h >> 31) & (chains - 1);
}

/* ---- messages ---------------------------------------------------------------------------------------- */

static void append_message(struct uno_message_chain *chain, struct uno_message *message, int way) {
    message->before[way] = chain->last;
    message->next[way] = NULL;
    *(chain->last ? &chain->last->next[way] : &chain->first) = message;
    chain->last = message;
}

/* Put one way's messages into a new table. In the chains of the new one they stand in the same order, since
 * those with the same key come from one chain. */
static bool spread_messages(struct uno_messages *messages, int way, size_t chains) {
    struct uno_message_chain *chain = calloc(chains, sizeof *chain);
    if (!chain)
        return false;
    for (size_t i = 0; i < messages->chains; i++)
        for (struct uno_message *m = messages->chain[way][i].first, *next; m; m = next) {
            struct uno_envelope key = asked_in_way(&m->envelope, way);
            next = m->next[way];
            append_message(&chain[hash(&key, chains)], m, way);
        }
    free(messages->chain[way]);
    messages->chain[way] = chain;
    return true;
}

/* A failure leaves them unusable: the caller ends the job. */
static bool grow_messages(struct uno_messages *messages) {
    size_t chains = messages->chains ? 2 * messages->chains : CHAINS;
    for (int way = 0; way < UNO_WAYS; way++)
        if (!spread_messages(messages, way, chains))
            return false;
    messages->chains = chains;
    return true;
}

bool uno_messages_add(struct uno_messages *messages, struct uno_message *message) {
    if (messages->count >= messages->chains && !grow_messages(messages))
        return false;
    for (int way = 0; way < UNO_WAYS; way++) {
        struct uno_envelope key = asked_in_way(&message->envelope, way);
        append_message(&messages->chain[way][hash(&key, messages->chains)], message, way);
    }
    messages->count++;
    return true;
}

void uno_messages_remove(struct uno_messages *messages, struct uno_message *message) {
    for (int way = 0; way < UNO_WAYS; way++) {
        struct uno_envelope key = asked_in_way(&message->envelope, way);
        struct uno_message_chain *chain = &messages->chain[way][hash(&key, messages->chains)];
        struct uno_message *next = message->next[way], *before = message->before[way];
        *(before ? &before->next[way] : &chain->first) = next;
        *(next ? &next->before[way] : &chain->last) = before;
    }
    messages->count--;
}

struct uno_message *uno_messages_find(const struct uno_messages *messages, const struct uno_envelope *asked) {
    if (!messages->count)
        return NULL;
    int way = way_of(asked);
    struct uno_message *m = messages->chain[way][hash(asked, messages->chains)].first;
    while (m && !uno_envelope_matches(asked, &m->envelope))
        m = m->next[way];
    return m;
}

void uno_messages_free(struct uno_messages *messages) {
    for (size_t i = 0; i < messages->chains; i++)
        for (struct uno_message *m = messages->chain[0][i].first, *next; m; m = next) {
            next = m->next[0];
            free(m->pulled);
            free(m);
        }
    for (int way = 0; way < UNO_WAYS; way++)
        free(messages->chain[way]);
    *messages = (struct uno_messages){0};
}

/* ---- receives ---------------------------------------------------------------------------------------- */

static void append_receive(struct uno_receive_chain *chain, struct uno_receive *receive) {
    receive->before = chain->last;
    receive->next = NULL;
    *(chain->last ? &chain->last->next : &chain->first) = receive;
    chain->last = receive;
}

/* Where a receive of such an envelope stands. */
static struct uno_receive_chain *chain_of(const struct uno_receives *receives,
                                          const struct uno_envelope *asked) {
    return &receives->chain[receives->chains == 1 ? 0 : hash(asked, receives->chains)];
}

/* Deal the receives out to so many chains. Whether there was memory. */
static bool spread_receives(struct uno_receives *receives, size_t chains) {
    struct uno_receive_chain *chain = calloc(chains, sizeof *chain);
    if (!chain)
        return false;
    for (size_t i = 0; i < receives->chains; i++)
        for (struct uno_receive *r = receives->chain[i].first, *next; r; r = next) {
            next = r->next;
            append_receive(&chain[hash(&r->envelope, chains)], r);
        }
    free(receives->chain);
    receives->chain = chain;
    receives->chains = receives->room = chains;
    return true;
}

/* Deal those of the one chain out to all chains that there is memory for, or to more. */
static bool spread_first(struct uno_receives *receives) {
    size_t chains = receives->room > CHAINS ? receives->room : CHAINS;
    while (chains < receives->count)
        chains *= 2;
    if (chains > receives->room)
        return spread_receives(receives, chains);
    struct uno_receive *r = receives->chain[0].first, *next;
    receives->chain[0] = (struct uno_receive_chain){NULL, NULL};
    receives->chains = chains;
    for (; r; r = next) {
        next = r->next;
        append_receive(chain_of(receives, &r->envelope), r);
    }
    return true;
}

bool uno_receives_add(struct uno_receives *receives, struct uno_receive *receive) {
    bool one = receives->chains == 1;
    if (!one && receives->count >= receives->chains &&
        !spread_receives(receives, receives->chains ? 2 * receives->chains : 1))
        return false;
    append_receive(chain_of(receives, &receive->envelope), receive);
    receive->order = receives->posted++;
    receive->posted = true;
    receives->of_way[way_of(&receive->envelope)]++;
    receives->count++;
    return true;
}

void uno_receives_remove(struct uno_receives *receives, struct uno_receive *receive) {
    struct uno_receive_chain *chain = chain_of(receives, &receive->envelope);
    *(receive->before ? &receive->before->next : &chain->first) = receive->next;
    *(receive->next ? &receive->next->before : &chain->last) = receive->before;
    receive->posted = false;
    receives->of_way[way_of(&receive->envelope)]--;
    if (--receives->count == 0)
        receives->chains = 1;
}

/* The earliest in the one chain in which all stand, of so many at most; *ended: those are all. */
static struct uno_receive *find_first(const struct uno_receives *receives, const struct uno_envelope *message,
                                      size_t most, bool *ended) {
    struct uno_receive *r = receives->chain[0].first;
    *ended = false;
    for (; r && most; r = r->next, most--)
        if (uno_envelope_matches(&r->envelope, message))
            return r;
    *ended = !r;
    return NULL;
}

struct uno_receive *uno_receives_find(struct uno_receives *receives, const struct uno_envelope *message) {
    struct uno_receive *earliest = NULL;
    bool ended;
    if (!receives->count)
        return NULL;
    if (receives->chains == 1) {
        earliest = find_first(receives, message, FIRST, &ended);
        if (earliest || ended)
            return earliest;
        if (!spread_first(receives))
            return find_first(receives, message, SIZE_MAX, &ended);
    }
    for (int way = 0; way < UNO_WAYS; way++) {
        if (!receives->of_way[way])
            continue;
        struct uno_envelope key = asked_in_way(message, way);
        struct uno_receive *r = chain_of(receives, &key)->first;
        while (r && !same(&r->envelope, &key))
            r = r->next;
        if (r && (!earliest || r->order < earliest->order))
            earliest = r;
    }
    return earliest;
}

void uno_receives_free(struct uno_receives *receives) {
    free(receives->chain);
    *receives = (struct uno_receives){0};
}
