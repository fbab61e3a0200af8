/* The arrays that the members of a group bring to an operation must fit: they find out before anything moves,
 * and each gets an exception that says who brings what. */

#include "buffer.h"

#include <stdio.h>
#include <string.h>

/* A description of the array that one member brings, which is gathered as words. */
union share {
    struct {
        uint64_t count;
        int64_t root;
        uint64_t memory; /* there is enough */
        char name[16], op[8], kind[24];
    };
    uint64_t word[9];
};

static uint64_t mixed(const union share *share) {
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a, by words */
    for (size_t i = 0; i < sizeof share->word / sizeof *share->word; i++)
        hash = (hash ^ share->word[i]) * 0x100000001b3 ^ hash >> 29;
    return hash;
}

/* "4 elements of int32 to reduce(op='min')" */
static void write_share(const union share *share, char text[200]) {
    int length = snprintf(text, 200, "%llu element%s of %.24s to %.16s(", (unsigned long long)share->count,
                          share->count == 1 ? "" : "s", share->kind, share->name);
    const char *comma = "";
    if (*share->op) {
        length += snprintf(text + length, 200 - (size_t)length, "op='%.8s'", share->op);
        comma = ", ";
    }
    if (share->root >= 0)
        length += snprintf(text + length, 200 - (size_t)length, "%sroot=%lld", comma, (long long)share->root);
    snprintf(text + length, 200 - (size_t)length, ")");
}

/* Tell each member of one that differs from it; all call. */
static void differ(const char *name, const union share *mine) {
    static uint64_t all[sizeof mine->word / sizeof *mine->word][64 * CORE_WORDS];
    if (CORE_FAILS(0, {
            for (size_t i = 0; i < sizeof mine->word / sizeof *mine->word; i++)
                p_gather64u(all[i], mine->word[i]);
        }))
        return;
    for (int pe = 0; pe < p_nproc(); pe++) {
        union share other;
        char here[200], there[200];
        if (!core_in_group(pe))
            continue;
        for (size_t i = 0; i < sizeof mine->word / sizeof *mine->word; i++)
            other.word[i] = all[i][pe];
        if (memcmp(&other, mine, sizeof other) == 0)
            continue;
        write_share(mine, here);
        write_share(&other, there);
        if (!other.memory)
            PyErr_Format(PyExc_MemoryError, "%s: PE %d has no memory for it", name, pe);
        else
            PyErr_Format(PyExc_ValueError,
                         "%s: the members bring what does not fit: PE %d brings %s, and PE %d brings %s",
                         name, p_iproc(), here, pe, there);
        return;
    }
}

bool core_agreed(const char *name, const struct core_array *a, const char *op, int root, bool memory) {
    union share share = {.count = a->count, .root = root, .memory = memory};
    int same;
    snprintf(share.name, sizeof share.name, "%s", name);
    snprintf(share.op, sizeof share.op, "%s", op ? op : "");
    snprintf(share.kind, sizeof share.kind, "%s", a->kind);
    uint64_t mark = mixed(&share);
    for (const char *c = a->kind; *c; c++)
        mark = (mark ^ (unsigned char)*c) * 0x100000001b3;
    if (CORE_FAILS(0, same = p_matchCount64u(mark)))
        return false;
    if (same == p_population() && memory)
        return true;
    differ(name, &share);
    if (!memory && !PyErr_Occurred())
        PyErr_NoMemory();
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s: the members' arrays differ in their types; here it is %s", name,
                     a->kind);
    return false;
}
