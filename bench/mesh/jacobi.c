#include <stdio.h>
#include <stdlib.h>

#include "programs/programs.h"
#include "talk.h"
#include "trials.h"

/* Exchange the rows at the edges of this PE's, which are 1 to `rows`; rows 0 and rows + 1 are its
 * neighbours'. Even PEs send first. */
static void exchange(const struct field *f, int which, int me, int n) {
    for (int step = 0; step < 2; step++) {
        bool down = (me + step) % 2 == 0; /* with the PE behind it, or with the one before */
        int other = down ? me + 1 : me - 1;
        if (other < 0 || other >= n)
            continue;
        if (me % 2 == 0)
            talk_send(other, field_row(f, which, down ? f->rows : 1), f->edge);
        talk_receive(other, field_row(f, which, down ? f->rows + 1 : 0), f->edge);
        if (me % 2)
            talk_send(other, field_row(f, which, down ? f->rows : 1), f->edge);
    }
}

/* Go on with a sum over the bits of all rows, in their order. */
static uint32_t add_bits(const struct field *f, int which, uint32_t sum) {
    for (int r = 1; r <= f->rows; r++) {
        const uint32_t *word = (const uint32_t *)(const void *)field_row(f, which, r);
        for (int c = 0; c < f->edge; c++)
            sum = sum * 31 + word[c];
    }
    return sum;
}

bool trial_jacobi(int edge, int times) {
    int me = talk_me(), n = talk_pes();
    struct field f = {.edge = edge, .first = field_first(edge, me, n)};
    f.rows = field_first(edge, me + 1, n) - f.first;
    size_t size = (size_t)(f.rows + 2) * field_stride(&f);
    f.cells[0] = malloc(size * sizeof(float));
    f.cells[1] = malloc(size * sizeof(float));
    if (!f.cells[0] || !f.cells[1] || edge < n)
        return false;
    field_fill(&f, 1);
    for (int i = 0; i < times; i++) {
        exchange(&f, i % 2, me, n);
        field_sweep(&f, i % 2);
    }
    uint32_t sum = 0;
    if (me)
        talk_receive(me - 1, &sum, 1);
    sum = add_bits(&f, times % 2, sum);
    if (me < n - 1)
        talk_send(me + 1, &sum, 1);
    else
        printf("jacobi: %d sweeps over %d rows: bits %08x\n", times, edge, (unsigned)sum);
    free(f.cells[0]);
    free(f.cells[1]);
    return true;
}
