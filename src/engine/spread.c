#include "spread.h"

#include "kernel.h"
#include "processors.h"
#include "tuning.h"

/* Return the number of PEs before PE k that were last seen on that processor; k = n: of all PEs. */
static int seen_on(const struct uno_pe *pe, uint32_t processor, int k) {
    int count = 0;
    for (int m = 0; m < k; m++)
        count += uno_load32_relaxed(&pe->processor[m]) == processor &&
                 uno_load32_relaxed(&pe->job->board[m].state) != UNO_LEFT;
    return count;
}

/* Return the usable processor with the fewest PEs on it. */
static uint32_t emptiest(const struct uno_pe *pe, uint32_t here) {
    uint32_t processor[UNO_PROCESSORS], best = here;
    int count = uno_processors_usable(processor, UNO_PROCESSORS), least = pe->n;
    for (int i = 0; i < count; i++) {
        int there = seen_on(pe, processor[i], pe->n);
        if (there < least) {
            least = there;
            best = processor[i];
        }
    }
    return best;
}

void uno_spread(struct uno_pe *pe, uint32_t here) {
    struct uno_job *job = pe->job;
    int share = (pe->here + job->processors - 1) / job->processors;
    /* the first PEs on a processor, up to its share, stay */
    if (UNO_LIKELY(seen_on(pe, here, pe->me) < share))
        return;
    uint64_t now = uno_kernel_now();
    if (now < pe->spread)
        return;
    pe->spread = now + UNO_SPREAD_NS;
    /* Beside a busy process of another program a PE would lose the processor for milliseconds at a time. */
    if (uno_kernel_running() <= pe->n) {
        uint32_t there = emptiest(pe, here);
        uno_processor_go(there);
        uno_store32_relaxed(&pe->processor[pe->me], there);
    }
}
