#include "partition.h"
#include "sort.h"

/* A place for so many bytes behind what is there already. */
static size_t place(struct uno_sort *sort, size_t bytes) {
    size_t at = sort->work_bytes;
    sort->work_bytes += bytes;
    return at;
}

struct uno_sort uno_sort_prepare(uint64_t n, size_t record, const struct uno_sort_key *key, int pes) {
    struct uno_sort sort = {.n = n, .record = record, .key = *key, .by = *key};
    sort.own_bytes = sizeof(struct uno_sort_own);
    sort.work_bytes = sizeof(struct uno_sort_shared);
    sort.told = place(&sort, (size_t)pes * sizeof(struct uno_sort_told));
    sort.kernel = uno_sort_kernel(record, key);
    bool by_pairs = !sort.kernel;
    if (by_pairs) {
        uno_sort_key(&sort.by, "u64", offsetof(struct uno_sort_pair, value));
        sort.kernel = uno_sort_kernel(sizeof(struct uno_sort_pair), &sort.by);
    }
    if (uno_sort_two_digits(n, sort.kernel->record))
        sort.keys = place(&sort, (size_t)pes * sizeof(struct uno_sort_keys));
    if (by_pairs)
        sort.pairs = place(&sort, 2 * n * sizeof(struct uno_sort_pair));
    return sort;
}
