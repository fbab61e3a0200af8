#include "learn.h"

#include <string.h>

#include "engine/fault.h"
#include "engine/group.h"
#include "engine/nodes.h"

enum { WORD = sizeof(uint64_t), PAIR = 2 * WORD };

/* The forms in which data travel. */
enum form {
    NOTHING,
    COMBINED, /* one word, combined of all */
    PUTTERS,  /* of each member that has put: its value, and its rank in the group */
    ROOTED,   /* all words of one member, from its node */
    WHOLE,    /* all words of all members */
};

static enum form form_of(const struct uno_learning *learning) {
    static const enum form forms[] = {
        [UNO_LEARNS_ALL] = WHOLE,   [UNO_LEARNS_NOTHING] = NOTHING, [UNO_LEARNS_AND] = COMBINED,
        [UNO_LEARNS_OR] = COMBINED, [UNO_LEARNS_PUT] = PUTTERS,     [UNO_LEARNS_ONE] = WHOLE,
        [UNO_LEARNS_ROOT] = ROOTED, [UNO_LEARNS_FOLD] = COMBINED,   [UNO_LEARNS_VOTES] = WHOLE};
    return learning->function.ordered ? WHOLE : forms[learning->function.learns];
}

/* Return true if each value counts once: one that is combined with itself is another. */
static bool counts_once(const struct uno_function *function) {
    return function->learns == UNO_LEARNS_FOLD && !function->repeats;
}

static const struct uno_split *split_of(const struct uno_learning *learning) {
    return &learning->pe->nodes->split;
}

/* Return the number of the node on which the root is. */
static int root_node(const struct uno_learning *learning) {
    const struct uno_pe *pe = learning->pe;
    return split_of(learning)->number[uno_node_of(pe, pe->wanted)];
}

/* Combine a word with another one. */
static void combine(const struct uno_learning *learning, uint64_t *with, const void *word) {
    uint64_t value;
    memcpy(&value, word, sizeof value);
    if (learning->function.learns == UNO_LEARNS_AND)
        *with &= value;
    else if (learning->function.learns == UNO_LEARNS_OR)
        *with |= value;
    else
        learning->function.combine(with, &value);
}

/* ---- putting together ------------------------------------------------------------------------------------
 */

/* Combine a word with those in the result, or let it be the result if there is none yet. */
static void combine_result(struct uno_learning *learning, const void *word) {
    void *gathered = learning->pe->nodes->gathered;
    if (learning->bytes)
        combine(learning, gathered, word);
    else
        memcpy(gathered, word, WORD);
    learning->bytes = WORD;
}

/* Return the number of the i-th node behind `first`, in a circle. */
static int node_behind(const struct uno_split *split, int first, int i) {
    return first + i < split->count ? first + i : first + i - split->count;
}

/* Return true if the root is on one of `count` nodes from `first` on. */
static bool has_root(const struct uno_learning *learning, int first, int count) {
    int nodes = split_of(learning)->count;
    return (root_node(learning) + nodes - first) % nodes < count;
}

size_t uno_learn_bytes(const struct uno_learning *learning, int first, int count) {
    const struct uno_split *split = split_of(learning);
    size_t bytes = 0;
    switch (form_of(learning)) {
    case NOTHING:
        break;
    case COMBINED:
        return WORD;
    case PUTTERS:
        return SIZE_MAX;
    case ROOTED:
        return has_root(learning, first, count) ? learning->words * WORD : 0;
    case WHOLE:
        for (int i = 0; i < count; i++)
            bytes += (size_t)split->members[node_behind(split, first, i)] * learning->words * WORD;
        break;
    }
    return bytes;
}

void uno_learn_add(struct uno_learning *learning, int first, int count, const void *parts, size_t bytes) {
    const struct uno_split *split = split_of(learning);
    char *gathered = learning->pe->nodes->gathered;
    const char *from = parts;
    size_t each = learning->words * WORD;
    switch (form_of(learning)) {
    case NOTHING:
        break;
    case COMBINED:
        combine_result(learning, parts);
        break;
    case PUTTERS:
    case ROOTED:
        memcpy(gathered + learning->bytes, parts, bytes);
        learning->bytes += bytes;
        break;
    case WHOLE:
        for (int i = 0; i < count; i++) {
            int node = node_behind(split, first, i);
            for (int k = 0; k < split->members[node]; k++, from += each)
                memcpy(gathered + (size_t)split->rank[split->start[node] + k] * each, from, each);
        }
        learning->bytes += bytes;
        break;
    }
}

/* ---- this node's members ---------------------------------------------------------------------------------
 */

static void begin_combined(struct uno_learning *learning, const void *const *data) {
    memcpy(&learning->own, data[0], WORD);
    for (int i = 1; i < split_of(learning)->near.size; i++)
        combine(learning, &learning->own, data[i]);
}

static void begin_putters(struct uno_learning *learning, const void *const *data) {
    const struct uno_split *split = split_of(learning);
    for (int i = 0; i < split->near.size; i++) {
        uint64_t pair[2];
        memcpy(pair, data[i], sizeof pair);
        if (!pair[1])
            continue;
        pair[1] = (uint64_t)split->rank[split->start[split->here] + i];
        memcpy(learning->pe->nodes->gathered + learning->bytes, pair, sizeof pair);
        learning->bytes += sizeof pair;
    }
}

static void begin_rooted(struct uno_learning *learning, const void *const *data) {
    const struct uno_split *split = split_of(learning);
    if (root_node(learning) != split->here)
        return;
    learning->bytes = learning->words * WORD;
    memcpy(learning->pe->nodes->gathered, data[uno_group_rank(&split->near, learning->pe->wanted)],
           learning->bytes);
}

static void begin_whole(struct uno_learning *learning, const void *const *data) {
    const struct uno_split *split = split_of(learning);
    size_t each = learning->words * WORD;
    const int *rank = split->rank + split->start[split->here];
    for (int i = 0; i < split->near.size; i++)
        memcpy(learning->pe->nodes->gathered + (size_t)rank[i] * each, data[i], each);
    learning->bytes = (size_t)split->near.size * each;
}

void uno_learn_begin(struct uno_learning *learning, const void *const *data) {
    learning->bytes = 0;
    switch (form_of(learning)) {
    case NOTHING:
        break;
    case COMBINED:
        begin_combined(learning, data);
        break;
    case PUTTERS:
        begin_putters(learning, data);
        break;
    case ROOTED:
        begin_rooted(learning, data);
        break;
    case WHOLE:
        begin_whole(learning, data);
        break;
    }
}

void uno_learn_end(struct uno_learning *learning) {
    if (form_of(learning) == COMBINED)
        combine_result(learning, &learning->own);
}

/* ---- packing ---------------------------------------------------------------------------------------------
 */

static size_t pack_combined(const struct uno_learning *learning, bool own) {
    struct uno_nodes_state *nodes = learning->pe->nodes;
    uint64_t word = learning->own;
    if (learning->bytes && own)
        combine(learning, &word, nodes->gathered);
    else if (learning->bytes)
        memcpy(&word, nodes->gathered, WORD);
    memcpy(nodes->packed, &word, WORD);
    return WORD;
}

static size_t pack_whole(const struct uno_learning *learning, int first, int count) {
    const struct uno_split *split = split_of(learning);
    const struct uno_nodes_state *nodes = learning->pe->nodes;
    char *to = nodes->packed;
    size_t each = learning->words * WORD;
    for (int i = 0; i < count; i++) {
        int node = node_behind(split, first, i);
        for (int k = 0; k < split->members[node]; k++, to += each)
            memcpy(to, nodes->gathered + (size_t)split->rank[split->start[node] + k] * each, each);
    }
    return (size_t)(to - nodes->packed);
}

size_t uno_learn_pack(const struct uno_learning *learning, int first, int count, bool own) {
    struct uno_nodes_state *nodes = learning->pe->nodes;
    size_t bytes = 0;
    switch (form_of(learning)) {
    case NOTHING:
        break;
    case COMBINED:
        return pack_combined(learning, own);
    case PUTTERS:
        bytes = learning->bytes;
        memcpy(nodes->packed, nodes->gathered, bytes);
        break;
    case ROOTED:
        bytes = uno_learn_bytes(learning, first, count);
        memcpy(nodes->packed, nodes->gathered, bytes);
        break;
    case WHOLE:
        return pack_whole(learning, first, count);
    }
    return bytes;
}

enum uno_schedule_values uno_learn_values(const struct uno_learning *learning) {
    enum form form = form_of(learning);
    if (form == COMBINED && counts_once(&learning->function))
        return UNO_SCHEDULE_ONCE;
    return form == COMBINED || form == NOTHING ? UNO_SCHEDULE_AGAIN : UNO_SCHEDULE_WHOLE;
}

/* ---- showing ---------------------------------------------------------------------------------------------
 */

static void show_all(const struct uno_learning *learning, const void *word) {
    for (int i = 0; i < split_of(learning)->whole.size; i++)
        learning->pe->data[i] = word;
}

static void show_combined(const struct uno_learning *learning, const void *result) {
    const struct uno_function *function = &learning->function;
    show_all(learning, counts_once(function) ? &function->neutral : result);
    learning->pe->data[0] = result;
}

static void show_putters(const struct uno_learning *learning, const char *result, size_t bytes) {
    uint64_t(*pair)[2] = learning->pe->nodes->pair;
    int size = split_of(learning)->whole.size;
    memset(pair, 0, (size_t)size * sizeof *pair);
    for (size_t at = 0; at < bytes; at += PAIR) {
        uint64_t put[2];
        memcpy(put, result + at, sizeof put);
        if (put[1] >= (uint64_t)size)
            uno_fail(learning->pe, "a part of a broadcast names member %llu of %d",
                     (unsigned long long)put[1], size);
        pair[put[1]][0] = put[0];
        pair[put[1]][1] = 1;
    }
    for (int i = 0; i < size; i++)
        learning->pe->data[i] = pair[i];
}

void uno_learn_show(const struct uno_learning *learning, const void *result, size_t bytes) {
    static const uint64_t nothing[UNO_BYTES / WORD];
    const char *from = result;
    switch (form_of(learning)) {
    case NOTHING:
        show_all(learning, nothing);
        break;
    case COMBINED:
        show_combined(learning, result);
        break;
    case PUTTERS:
        show_putters(learning, result, bytes);
        break;
    case ROOTED:
        show_all(learning, result);
        break;
    case WHOLE:
        for (int i = 0; i < split_of(learning)->whole.size; i++, from += learning->words * WORD)
            learning->pe->data[i] = from;
        break;
    }
}
