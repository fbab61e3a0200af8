/* A rank sort, one value a PE. p_rank tells each PE the place of its value; it votes for the PE of that
 * place; the one vote that a PE receives tells it from where to get the value that belongs there. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1024 / 64 }; /* of a barrier mask for any number of PEs */

/* The first PE of a mask. */
static int first(const uint64_t *mask) {
    int k = 0;
    while (!(mask[k / 64] >> (k % 64) & 1))
        k++;
    return k;
}

static void show(const char *what, int value) {
    int values[64 * WORDS];
    p_gather32(values, value);
    if (p_iproc() > 0)
        return;
    printf("%-8s", what);
    for (int k = 0; k < p_nproc(); k++)
        printf(" %d", values[k]);
    printf("\n");
}

int main(void) {
    p_init();
    int me = p_iproc(), n = p_nproc();
    srand((unsigned)me + 1995);
    int value = rand() / 7 % 100; /* some will be equal: these keep their order */
    show("unsorted", value);

    int place = p_rank32(value);
    uint64_t votes[WORDS];
    p_voteWide(votes, place);
    int sorted = p_putget32(value, first(votes));
    show("sorted", sorted);

    /* No value is less than its left neighbour's, and none was lost: sums of squares tell. */
    int left = p_putget32(sorted, me > 0 ? me - 1 : me);
    int ordered = p_all(left <= sorted);
    int kept = p_reduceAdd64(value) == p_reduceAdd64(sorted) &&
               p_reduceAdd64(value * value) == p_reduceAdd64(sorted * sorted);
    if (me == 0)
        printf("%d values %s\n", n, ordered && kept ? "sorted" : "NOT sorted");
    return p_exit(!(ordered && kept));
}
