/* An operation of a group on a simulated unit. The boards show each PE's operation, so that a wrong program
 * is reported as on shared memory; the waiting, and the data that members learn from each other, go through
 * the unit. */

#include "engine/function.h"
#include "engine/group.h"
#include "engine/rendezvous.h"
#include "rtl.h"

#include <string.h>

/* ---- the NAND of words, in a few lines at a time ------------------------------------------------------- */

struct nand {
    uint64_t put[UNO_BYTES / 8];
    uint64_t *result;
};

static uint32_t put_part(const struct uno_passage *p, const void *context, int i) {
    const struct nand *nand = context;
    (void)p;
    return UNO_POST_NAND | uno_rtl_part_of(nand->put, i) << UNO_POST_DATUM;
}

static void take_part(struct uno_passage *p, void *context, int i, uint32_t result) {
    struct nand *nand = context;
    (void)p;
    uno_rtl_add_part(nand->result, i, result);
}

static uint64_t nand_of(struct uno_passage *p, uint64_t put, int bits) {
    uint64_t result = 0;
    struct nand nand = {.put = {put}, .result = &result};
    uno_rtl_exchange(p, uno_rtl_posts(bits), put_part, take_part, &nand);
    return result & uno_rtl_low(bits);
}

/* The data of the root, which puts their complement, and the others ones: a broadcast. */
static void from_root(struct uno_passage *p, int bits) {
    struct nand nand = {.result = p->rtl->word[uno_group_rank(&p->pe->group, p->pe->wanted)]};
    for (int i = 0; i * 64 < bits; i++)
        nand.put[i] = p->pe->me == p->pe->wanted ? ~p->in[i] : ~UINT64_C(0);
    uno_rtl_exchange(p, uno_rtl_posts(bits), put_part, take_part, &nand);
}

/* ---- the data that members learn
 * ------------------------------------------------------------------------ */

/* Set every member's word to this one. */
static void set_all(struct uno_passage *p, uint64_t word) {
    for (int i = 0; i < p->pe->group.size; i++)
        p->rtl->word[i][0] = word;
}

static void fold(struct uno_passage *p, const struct uno_ways *ways, const struct uno_function *function) {
    if (!ways->fold) {
        ways->all(p, function->bits);
        return;
    }
    ways->fold(p, function);
    for (int i = 1; i < p->pe->group.size; i++)
        p->rtl->word[i][0] = function->repeats ? p->rtl->word[0][0] : function->neutral;
}

static void learn(struct uno_passage *p, const struct uno_ways *ways, const struct uno_function *function) {
    int bits = function->bits;
    switch (function->learns) {
    case UNO_LEARNS_NOTHING:
        uno_rtl_barrier(p);
        break;
    case UNO_LEARNS_AND:
        set_all(p, ~nand_of(p, p->in[0], bits) & uno_rtl_low(bits));
        break;
    case UNO_LEARNS_OR:
        set_all(p, nand_of(p, ~p->in[0], bits));
        break;
    case UNO_LEARNS_PUT:
        set_all(p, nand_of(p, ~(p->in[1] ? p->in[0] : 0), bits));
        break;
    case UNO_LEARNS_VOTES:
        (ways->votes ? ways->votes : ways->all)(p, bits);
        break;
    case UNO_LEARNS_ONE:
        (ways->one ? ways->one : ways->all)(p, bits);
        break;
    case UNO_LEARNS_ROOT:
        from_root(p, bits);
        break;
    case UNO_LEARNS_FOLD:
        fold(p, ways, function);
        break;
    case UNO_LEARNS_ALL:
        ways->all(p, bits);
        break;
    }
}

/* As of rtl->read, by the boards. */
static void read_boards(struct uno_pe *pe, unsigned signature, const uint64_t *in, uint64_t *put) {
    const void *const *shown = uno_board_read(pe, signature, in);
    for (int i = 0; put && i < pe->group.size; i++)
        put[i] = ((const uint64_t *)shown[i])[1];
}

const void *const *uno_rtl_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words,
                                const struct uno_ways *ways) {
    struct uno_rtl *rtl = pe->rtl;
    struct uno_passage p = {.pe = pe, .rtl = rtl, .signature = signature, .in = in};
    struct uno_function function;
    uno_pe_function(pe, &function, signature, words);
    int size = 0;
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
        rtl->member[size++] = k;
    memset(rtl->word, 0, (size_t)size * sizeof *rtl->word);
    (rtl->show ? rtl->show : uno_board_post)(pe, signature, in, words);
    if (size == 1) {
        uno_rtl_barrier(&p);
        memcpy(rtl->word[0], in, words * sizeof *in);
    } else {
        learn(&p, ways, &function);
    }
    /* whether all were in the same operation, and who of them has put, costs no port operation */
    uint64_t put[UNO_PORT_MAX_PES];
    bool puts = function.learns == UNO_LEARNS_PUT;
    (rtl->read ? rtl->read : read_boards)(pe, signature, in, puts ? put : NULL);
    for (int i = 0; i < size; i++) {
        if (puts)
            rtl->word[i][1] = put[i];
        pe->data[i] = rtl->word[i];
    }
    return pe->data;
}
