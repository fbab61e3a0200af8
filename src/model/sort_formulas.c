/* The loads and stores of every phase of a sort. As in formulas.c, the times of all passes of a PE add up. */

#include "exchange/sort/kernel.h"
#include "sort_model.h"

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

struct uno_sort_plan uno_model_sort_plan(enum uno_model_key key, uint64_t records, int pes) {
    struct uno_sort_plan plan = {.records = records, .pes = pes, .buckets = 1, .in_bucket = records};
    uint64_t bytes = records * UNO_MODEL_RECORD;
    unsigned width = key == UNO_MODEL_U16 ? 16 : 64;
    plan.alone = bytes <= UNO_SORT_ALONE_BYTES;
    plan.past = bytes >= UNO_SORT_STREAM_BYTES;
    plan.shift = width;
    if (!plan.alone) {
        unsigned bits = uno_sort_bits(uno_sort_wanted(records, UNO_MODEL_RECORD, pes) - 1);
        bits = key == UNO_MODEL_U16 ? least(bits, UNO_SORT_NARROW) : bits;
        plan.buckets = 1U << bits;
        plan.shift = width - bits;
        plan.in_bucket = records / plan.buckets;
        plan.twice = plan.shift <= UNO_SORT_NARROW && uno_sort_two_digits(records, UNO_MODEL_RECORD);
    }
    plan.digit = least(uno_sort_digit(plan.in_bucket, key == UNO_MODEL_U64), plan.shift);
    return plan;
}

/* Return the time of the sample. Each PE takes its share of the keys and then looks at all of them: for the
 * least and the greatest, and for how many are in each bucket. */
static double sample(const struct uno_sort_plan *plan, const struct uno_sort_rates *rates) {
    double keys = (double)uno_sort_sampled(plan->records);
    return UNO_MODEL_RECORD * keys * (1 / rates->strided / plan->pes + 1 / rates->load + 1 / rates->count);
}

/* Return the time of dealing records out to buckets, through rows in the cache from which lines go to memory.
 * Before that every PE adds up the counters of all PEs: the paper's transpose, reduction and scan. */
static double scatter(const struct uno_sort_plan *plan, const struct uno_sort_rates *rates, double bytes) {
    double counters = (double)sizeof(uint64_t) * plan->buckets * plan->pes;
    return counters / rates->load + bytes / rates->collect + bytes / rates->store;
}

/* Return the time of sorting within buckets, which come from memory and return to it. */
static double within(const struct uno_sort_rates *rates, double bytes) {
    return bytes * (1 / rates->load + 1 / rates->digit_count + 1 / rates->digit_store + 1 / rates->copy);
}

double uno_model_sort_phase(const struct uno_sort_plan *plan, const struct uno_sort_rates *rates,
                            enum uno_sort_phase phase) {
    double all = (double)plan->records * UNO_MODEL_RECORD, bytes = all / plan->pes;
    if (plan->alone)
        return phase == UNO_SORT_LOCAL ? within(rates, all) : 0;
    switch (phase) {
    case UNO_SORT_SAMPLE:
        return sample(plan, rates);
    case UNO_SORT_COUNT:
        return bytes / rates->count;
    case UNO_SORT_SCATTER:
        return scatter(plan, rates, bytes);
    case UNO_SORT_LOCAL:
        return plan->twice ? bytes * (1 / rates->collect + 1 / rates->store) : within(rates, bytes);
    default:
        return 0;
    }
}
