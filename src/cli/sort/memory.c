#define _GNU_SOURCE
#include "memory.h"

#include <stdio.h>
#include <sys/mman.h>

#include "engine/available.h"
#include "engine/sparse.h"

enum { STACK = 9 << 20 /* bytes of a thread's stack, and of the rest that it needs */ };

/* Return the bytes of memory that one array takes. */
static uint64_t array_bytes(uint64_t bytes) {
    return (bytes + 2 * UNO_HUGE_PAGE - 1) / UNO_HUGE_PAGE * UNO_HUGE_PAGE;
}

/* Return memory that begins at a huge page, of huge pages where the system has them, or NULL if there is
 * none. */
static void *array(size_t bytes) {
    char *p = mmap(NULL, array_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    p += -(uintptr_t)p % UNO_HUGE_PAGE;
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

/* Prepare the sort of n records. The memory that each PE has for itself begins at a huge page. */
static struct uno_sort prepare(const struct sort_request *r, uint64_t n) {
    struct uno_sort sort = uno_sort_prepare(n, r->record, &r->key, r->n);
    sort.own_bytes = (sort.own_bytes + UNO_HUGE_PAGE - 1) / UNO_HUGE_PAGE * UNO_HUGE_PAGE;
    return sort;
}

/* Bytes of memory in which n records can be sorted, with all that the PEs need. */
static uint64_t need(const struct sort_request *r, uint64_t n) {
    struct uno_sort sort = prepare(r, n);
    return 2 * array_bytes(n * r->record) + array_bytes(sort.work_bytes) +
           array_bytes((uint64_t)r->n * sort.own_bytes) + (uint64_t)r->n * STACK;
}

/* Take the memory for the sort of n records. Returns false if there is none. */
static bool take(struct sort_team *team, uint64_t n) {
    const struct sort_request *r = team->request;
    struct uno_sort *sort = &team->sort;
    *sort = prepare(r, n);
    sort->from = array(n * r->record);
    sort->to = array(n * r->record);
    sort->work = array(sort->work_bytes);
    team->own = array((size_t)r->n * sort->own_bytes);
    return sort->from && sort->to && sort->work && team->own;
}

/* Write a number of bytes as text, such as "8.2 GB". */
static void show_bytes(char text[32], uint64_t bytes) {
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    int i = 0;
    for (; value >= 999.5 && i < 6; i++)
        value /= 1000;
    snprintf(text, 32, "%.3g %s", value, unit[i]);
}

/* The most records, up to n, that so much memory suffices for. */
static uint64_t that_fit(const struct sort_request *request, uint64_t n, uint64_t bytes) {
    uint64_t fit = 0;
    for (uint64_t more = n; more; more /= 2)
        while (fit + more <= n && need(request, fit + more) <= bytes)
            fit += more;
    return fit;
}

char *sort_memory_part(const struct sort_request *r, uint64_t n, int pes, char wrong[SORT_SHORT]) {
    struct uno_available memory = uno_memory_available(pes);
    struct uno_sort sort = uno_sort_prepare(n, r->record, &r->key, 1);
    /* the part itself, p_sort's two copies of it, and what else that takes */
    uint64_t needed = 3 * array_bytes(n * r->record) + sort.work_bytes + sort.own_bytes;
    char *records = needed <= memory.bytes ? array(n * r->record) : NULL;
    if (records)
        return records;
    char takes[32], left[32];
    show_bytes(takes, needed);
    show_bytes(left, memory.bytes);
    snprintf(wrong, SORT_SHORT, "%s: each of %d PEs of a machine takes %s of memory, and %s leaves %s for it",
             r->in, pes, takes, memory.limit, left);
    return NULL;
}

bool sort_memory_take(struct sort_team *team) {
    const struct sort_request *r = team->request;
    struct uno_available memory = uno_memory_available(1);
    uint64_t all = team->records.n, n = all, needed = need(r, n);
    if (needed > memory.bytes)
        n = r->spill ? that_fit(r, n, memory.bytes / 8 * 7) : 0; /* the page cache needs some too */
    if ((n || !all) && take(team, n))
        return true;
    char size[32], takes[32], left[32];
    show_bytes(size, all * r->record);
    show_bytes(takes, needed);
    show_bytes(left, memory.bytes);
    if (r->spill)
        fprintf(stderr, "unisono sort: %s: too little memory for any part of it: %s leaves %s\n", r->in,
                memory.limit, left);
    else
        fprintf(stderr,
                "unisono sort: %s: to sort %s takes %s of memory, and %s leaves %s; --spill DIR sorts it in "
                "parts, with as much room in DIR\n",
                r->in, size, takes, memory.limit, left);
    return false;
}
