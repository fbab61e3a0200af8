#include "groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/job.h"
#include "engine/mask.h"
#include "next.h"
#include "observe/index.h"

enum { GROUPS = 4096 };

struct group {
    uint64_t mask[UNO_WORDS];
};

static struct group *groups[GROUPS]; /* a group's handle is its number, plus 1 */
static int count;
static struct uno_index by_mask;
static int group, cube;          /* numbers, from 1; 0: not known */
static int first;                /* the PE that is node 0 of the cube */
static _Thread_local bool is_pe; /* calls of this thread are recorded */

/* ---- the table --------------------------------------------------------------------------------------- */

static bool same(const void *argument, int number) {
    return memcmp(argument, groups[number], sizeof(struct group)) == 0;
}

/* Return the handle of the group of a mask. */
static int handle_of(const struct group *wanted) {
    uint64_t hash = 0;
    for (int w = 0; w < UNO_WORDS; w++)
        hash = uno_index_hash(hash, wanted->mask[w]);
    int found = uno_index_find(&by_mask, hash, same, wanted);
    if (found >= 0 || count == GROUPS)
        return found + 1;
    groups[count] = malloc(sizeof **groups);
    if (!groups[count] || !uno_index_add(&by_mask, hash, count)) {
        free(groups[count]);
        return 0;
    }
    *groups[count] = *wanted;
    return ++count;
}

static int handle_of_words(const uint64_t *mask, int words) {
    struct group wanted = {{0}};
    memcpy(wanted.mask, mask, (size_t)words * sizeof *mask);
    return handle_of(&wanted);
}

/* Return the handle of so many PEs that follow each other. */
static int handle_of_range(int from, int n) {
    struct group wanted = {{0}};
    for (int k = from; k < from + n; k++)
        wanted.mask[k / 64] |= UINT64_C(1) << k % 64;
    return handle_of(&wanted);
}

uint64_t uno_seen_group(void) {
    return (uint64_t)group;
}

uint64_t uno_seen_cube(void) {
    return (uint64_t)cube;
}

int uno_seen_node(void) {
    return p_iproc() - first;
}

uint64_t uno_seen_sum(const size_t *bytes) {
    uint64_t sum = 0;
    for (int i = 0; bytes && i < p_population(); i++)
        sum += bytes[i];
    return sum;
}

/* ---- what the recording asks ------------------------------------------------------------------------- */

static bool members(uint64_t handle, int *peers, int **peer, int *others, int **other) {
    const struct group *of = groups[handle - 1];
    (void)others;
    (void)other;
    *peers = 0;
    for (int w = 0; w < UNO_WORDS; w++)
        *peers += __builtin_popcountll(of->mask[w]);
    *peer = malloc((size_t)*peers * sizeof **peer);
    for (int k = 0, i = 0; *peer && i < *peers; k++)
        if (of->mask[k / 64] >> k % 64 & 1)
            (*peer)[i++] = k;
    return *peer;
}

static void name(uint64_t handle, char text[UNO_SEEN_NAME]) {
    char all[UNO_MASK_TEXT];
    snprintf(text, UNO_SEEN_NAME, "%s", uno_mask_text(groups[handle - 1]->mask, UNO_WORDS, all));
}

static uint64_t type_size(uint64_t type) {
    (void)type;
    return 0;
}

static bool is_null(uint64_t handle) {
    return handle == 0;
}

static const struct uno_seen_below pes = {
    .names = uno_seen_pes_names,
    .functions = UNO_SEEN_NUMBERS,
    .type_size = type_size,
    .members = members,
    .name = name,
    .any_source = NANY,
    .any_tag = NANY,
    .root = -1,
    .pes = true,
    .python = "/unisono/_core.",
    .is_null_comm = is_null,
    .is_null_request = is_null,
};

/* ---- the run ----------------------------------------------------------------------------------------- */

/* Return true if this PE is one of the job whose calls are recorded: a launcher within that job leaves its
 * PEs no UNISONO_MPI_OBSERVE, and a program that a PE starts has no UNISONO_JOB. */
static bool is_recorded(void) {
    struct uno_handed job;
    int me;
    return getenv(UNO_SEEN_ENVIRONMENT) && uno_environment(&job, &me) == 1;
}

/* Libunisono asks this when a PE joins its job (unit/observed.c). */
__attribute__((visibility("default"))) int p_recorded(void);
int p_recorded(void) {
    return is_recorded();
}

/* Take over the cube that the node is in now, which is its group, too. */
static void enter_cube(void) {
    int node, dimension;
    nwhoami(&node, &dimension);
    first = p_iproc() - node;
    cube = handle_of_range(first, dimension < 0 ? p_nproc() : 1 << dimension);
    group = cube;
}

int p_init(void) {
    int result = uno_seen_next.p_init();
    if (!is_recorded())
        return result;
    is_pe = true;
    group = cube = handle_of_range(0, p_nproc()); /* no function of vertex.h is called, which takes memory */
    uno_seen_start(&pes, p_iproc(), p_nproc(), false);
    return result;
}

int p_exit(int e) {
    if (is_pe) {
        uno_seen_finish();
        is_pe = false;
        for (int i = 0; i < count; i++)
            free(groups[i]);
        uno_index_free(&by_mask);
        count = 0;
    }
    return uno_seen_next.p_exit(e);
}

void p_enqueue(uint64_t mask) {
    uno_seen_next.p_enqueue(mask);
    if (is_pe)
        group = handle_of_words(&mask, 1);
}

void p_enqueueWide(const uint64_t *mask) {
    uno_seen_next.p_enqueueWide(mask);
    if (is_pe)
        group = handle_of_words(mask, (p_nproc() + 63) / 64);
}

void nsubcube(int k) {
    uno_seen_next.nsubcube(k);
    if (is_pe)
        enter_cube();
}

void nsupercube(void) {
    uno_seen_next.nsupercube();
    if (is_pe)
        enter_cube();
}

/* ---- calls ------------------------------------------------------------------------------------------- */

bool uno_seen_begin_entry(struct uno_seen_entry *entry, unsigned function, const void *address,
                          const void *frame, uint64_t handle) {
    entry->on = is_pe && uno_seen_enter(&entry->m, function, address, frame, handle);
    entry->worked = false;
    return entry->on;
}

void uno_seen_worked(struct uno_seen_entry *entry) {
    uno_seen_back(&entry->m);
    entry->worked = true;
}

void uno_seen_end_entry(struct uno_seen_entry *entry) {
    if (!entry->on)
        return;
    if (!entry->worked)
        uno_seen_worked(entry);
    uno_seen_leave(&entry->m);
}
