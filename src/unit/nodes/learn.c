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

static const struct uno_split *split_of(const struct uno_learning *learning) {
    return &learning->pe->nodes->split;
}

/* Return the number of the node on which the root is. */
static int root_node(const struct uno_learning *learning) {
    const struct uno_pe *pe = learning->pe;
    return split_of(learning)->number[uno_node_of(pe, pe->wanted)];
}

/* Combine a word with the result, or let it be the result if there is none yet. */
static void combine(struct uno_learning *learning, const void *word) {
    uint64_t *result = (void *)learning->pe->nodes->gathered, value;
    memcpy(&value, word, sizeof value);
    if (!learning->bytes)
        *result = value;
    else if (learning->function.learns == UNO_LEARNS_AND)
        *result &= value;
    else if (learning->function.learns == UNO_LEARNS_OR)
        *result |= value;
    else
        learning->function.combine(result, &value);
    learning->bytes = WORD;
}

/* ---- packing ---------------------------------------------------------------------------------------------
 */

static size_t pack_putters(const struct uno_learning *learning, const void *const *data) {
    const struct uno_split *split = split_of(learning);
    char *to = learning->pe->nodes->packed;
    for (int i = 0; i < split->near.size; i++) {
        uint64_t pair[2];
        memcpy(pair, data[i], sizeof pair);
        if (!pair[1])
            continue;
        pair[1] = (uint64_t)split->rank[split->start[split->here] + i];
        memcpy(to, pair, sizeof pair);
        to += sizeof pair;
    }
    return (size_t)(to - learning->pe->nodes->packed);
}

static size_t pack_root(const struct uno_learning *learning, const void *const *data) {
    if (root_node(learning) != split_of(learning)->here)
        return 0;
    memcpy(learning->pe->nodes->packed, data[uno_group_rank(&split_of(learning)->near, learning->pe->wanted)],
           learning->words * WORD);
    return learning->words * WORD;
}

static size_t pack_whole(const struct uno_learning *learning, const void *const *data) {
    char *to = learning->pe->nodes->packed;
    size_t each = learning->words * WORD;
    for (int i = 0; i < split_of(learning)->near.size; i++, to += each)
        memcpy(to, data[i], each);
    return (size_t)(to - learning->pe->nodes->packed);
}

size_t uno_learn_pack(struct uno_learning *learning, const void *const *data) {
    const struct uno_split *split = split_of(learning);
    char *packed = learning->pe->nodes->packed;
    size_t bytes = 0;
    learning->bytes = 0;
    switch (form_of(learning)) {
    case NOTHING:
        return 0;
    case COMBINED:
        for (int i = 0; i < split->near.size; i++)
            combine(learning, data[i]);
        memcpy(packed, learning->pe->nodes->gathered, WORD);
        return WORD;
    case PUTTERS:
        bytes = pack_putters(learning, data);
        break;
    case ROOTED:
        bytes = pack_root(learning, data);
        break;
    case WHOLE:
        bytes = pack_whole(learning, data);
        break;
    }
    uno_learn_add(learning, split->here, split->here + 1, packed, bytes);
    return bytes;
}

size_t uno_learn_pack_further(struct uno_learning *learning, size_t packed, const void *parts, size_t bytes) {
    char *to = learning->pe->nodes->packed;
    if (form_of(learning) == COMBINED) {
        memcpy(to, learning->pe->nodes->gathered, WORD);
        return WORD;
    }
    memcpy(to + packed, parts, bytes);
    return packed + bytes;
}

/* ---- putting together ------------------------------------------------------------------------------------
 */

size_t uno_learn_bytes(const struct uno_learning *learning, int first, int end) {
    size_t bytes = 0;
    switch (form_of(learning)) {
    case NOTHING:
        break;
    case COMBINED:
        return WORD;
    case PUTTERS:
        return SIZE_MAX;
    case ROOTED:
        return first <= root_node(learning) && root_node(learning) < end ? learning->words * WORD : 0;
    case WHOLE:
        for (int node = first; node < end; node++)
            bytes += (size_t)split_of(learning)->members[node] * learning->words * WORD;
        break;
    }
    return bytes;
}

void uno_learn_add(struct uno_learning *learning, int first, int end, const void *parts, size_t bytes) {
    const struct uno_split *split = split_of(learning);
    char *gathered = learning->pe->nodes->gathered;
    const char *from = parts;
    size_t each = learning->words * WORD;
    switch (form_of(learning)) {
    case NOTHING:
        break;
    case COMBINED:
        combine(learning, parts);
        break;
    case PUTTERS:
    case ROOTED:
        memcpy(gathered + learning->bytes, parts, bytes);
        learning->bytes += bytes;
        break;
    case WHOLE:
        for (int node = first; node < end; node++)
            for (int i = 0; i < split->members[node]; i++, from += each)
                memcpy(gathered + (size_t)split->rank[split->start[node] + i] * each, from, each);
        learning->bytes += bytes;
        break;
    }
}

/* ---- showing ---------------------------------------------------------------------------------------------
 */

static void show_all(const struct uno_learning *learning, const void *word) {
    for (int i = 0; i < split_of(learning)->whole.size; i++)
        learning->pe->data[i] = word;
}

/* A value that is not itself when it is combined with itself counts once. */
static void show_combined(const struct uno_learning *learning, const void *result) {
    const struct uno_function *function = &learning->function;
    bool once = function->learns == UNO_LEARNS_FOLD && !function->repeats;
    show_all(learning, once ? &function->neutral : result);
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
