#include "sort_report.h"

#include <stddef.h>
#include <stdio.h>

static const char *const key_names[UNO_MODEL_KEYS] = {"u16", "u64"};
static const char *const key_texts[UNO_MODEL_KEYS] = {"16-bit key, 48 beside", "64-bit key"};

/* The paper's Table 3, of 512 PEs of a T3D in 1996, MB/s of a PE; and what does the same here: a phase, or
 * words for what no phase does alone. The last row is the whole sort. */
enum { NO_PHASE = -1, WHOLE = -2 };
static const struct row {
    const char *here;
    int phase;
    const char *primitive, *work, *symbol;
    double model, measured;
} rows[] = {{"sample", UNO_SORT_SAMPLE, "", "", "", 0, 0},
            {"count", UNO_SORT_COUNT, "Bucket Counting", "key", "wCk", 21, 14},
            {"none", NO_PHASE, "Local Permutation", "key", "wCk", 21, 8},
            {"scatter", UNO_SORT_SCATTER, "Global Permutation", "key", "1Qw", 34, 20},
            {"in scatter", NO_PHASE, "Bucket Transpose", "bucket", "pQ1", 38, 20},
            {"in scatter", NO_PHASE, "Bucket Reduction", "bucket", "1C0", 220, 125},
            {"in scatter", NO_PHASE, "Bucket Scan", "bucket", "1C1", 90, 60},
            {"none", NO_PHASE, "Bucket Untranspose", "bucket", "1Qp", 38, 20},
            {"local", UNO_SORT_LOCAL, "", "", "", 0, 0},
            {"sort", WHOLE, "Counting Sort", "", "", 7.88, 3.99}};

enum { ROWS = sizeof rows / sizeof *rows };

/* us of a row of this table, by the model and measured. */
static double model_us(const struct uno_sort_measured *m, int phase) {
    double us = 0;
    for (int p = 0; p < UNO_SORT_PHASES; p++)
        if (p == phase || phase == WHOLE)
            us += uno_model_sort_phase(&m->plan, &m->rates, (enum uno_sort_phase)p);
    return us;
}

static double measured_us(const struct uno_sort_measured *m, int phase) {
    return phase == WHOLE ? m->sort : m->phase[phase];
}

/* MB/s of a PE. */
static double rate(const struct uno_sort_measured *m, double us) {
    return (double)m->plan.records * UNO_MODEL_RECORD / m->plan.pes / us;
}

static void print_t3d(const struct row *row) {
    printf("%-12s", row->here);
    if (row->model > 0)
        printf("%-20s%-7s%-4s %7.4g %8.4g %5.0f%%", row->primitive, row->work, row->symbol, row->model,
               row->measured, 100 * row->measured / row->model);
    else if (row->phase != NO_PHASE)
        printf("%54s", "");
}

/* The basic rates, by their names in JSON and in the table. */
static const struct {
    const char *name, *text;
    size_t at; /* in struct uno_sort_rates */
} basic[] = {{"load", "load", offsetof(struct uno_sort_rates, load)},
             {"store", "store", offsetof(struct uno_sort_rates, store)},
             {"strided", "load strided", offsetof(struct uno_sort_rates, strided)},
             {"count", "count", offsetof(struct uno_sort_rates, count)},
             {"collect", "collect", offsetof(struct uno_sort_rates, collect)},
             {"digit_count", "count a digit", offsetof(struct uno_sort_rates, digit_count)},
             {"digit_store", "store by it", offsetof(struct uno_sort_rates, digit_store)},
             {"copy", "copy", offsetof(struct uno_sort_rates, copy)}};

enum { BASIC = sizeof basic / sizeof *basic };

static double basic_rate(const struct uno_sort_measured *m, int k) {
    return *(const double *)(const void *)((const char *)&m->rates + basic[k].at);
}

static void print_basic(const struct uno_sort_measured measured[UNO_MODEL_KEYS]) {
    printf("\n%-22s", "Basic rates of a sort");
    for (int k = 0; k < BASIC; k++)
        printf(" %13s", basic[k].text);
    for (int key = 0; key < UNO_MODEL_KEYS; key++) {
        printf("\n%-22s", key_texts[key]);
        for (int k = 0; k < BASIC; k++)
            printf(" %13.0f", basic_rate(&measured[key], k));
    }
    printf("\n");
}

void uno_model_sort_print(const struct uno_sort_measured measured[UNO_MODEL_KEYS]) {
    print_basic(measured);
    printf("\n%-12s%-54s", "Table 3", "T3D, 1996");
    for (int key = 0; key < UNO_MODEL_KEYS; key++)
        printf("  here: %-22s", key_texts[key]);
    printf("\n%-12s%-31s %7s %8s %6s", "phase", "primitive", "model", "measured", "");
    for (int key = 0; key < UNO_MODEL_KEYS; key++)
        printf("  %9s %9s %7s", "model", "measured", "");
    printf("\n");
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        print_t3d(row);
        for (int key = 0; key < UNO_MODEL_KEYS && row->phase != NO_PHASE; key++) {
            const struct uno_sort_measured *m = &measured[key];
            double model = model_us(m, row->phase), us = measured_us(m, row->phase);
            if (model > 0)
                printf("  %9.0f %9.0f %6.0f%%", rate(m, model), rate(m, us), 100 * model / us);
        }
        printf("\n");
    }
    printf("%llu records of 8 bytes", (unsigned long long)measured[0].plan.records);
    for (int key = 0; key < UNO_MODEL_KEYS; key++)
        printf("; %s: %u buckets, %.4g ms", key_texts[key], measured[key].plan.buckets,
               measured[key].sort / 1e3);
    printf("\n");
}

static json_t *rates_json(const struct uno_sort_measured *m) {
    json_t *rates = json_object();
    for (int k = 0; k < BASIC; k++)
        json_object_set_new(rates, basic[k].name, json_real(basic_rate(m, k)));
    return rates;
}

static json_t *sort_json(int key, const struct uno_sort_measured *m) {
    json_t *phases = json_object();
    for (const struct row *row = rows; row < rows + ROWS; row++)
        if (row->phase != NO_PHASE && model_us(m, row->phase) > 0)
            json_object_set_new(phases, row->here,
                                json_pack("{sf sf}", "model", rate(m, model_us(m, row->phase)), "measured",
                                          rate(m, measured_us(m, row->phase))));
    return json_pack("{ss sb si sb sI si so so}", "key", key_names[key], "alone", m->plan.alone, "buckets",
                     (int)m->plan.buckets, "twice", m->plan.twice, "in_bucket", (json_int_t)m->plan.in_bucket,
                     "digit", (int)m->plan.digit, "rates", rates_json(m), "phases", phases);
}

json_t *uno_model_sort_json(const struct uno_sort_measured measured[UNO_MODEL_KEYS]) {
    json_t *paper = json_array(), *sorts = json_array();
    for (const struct row *row = rows; row < rows + ROWS; row++)
        if (row->model > 0)
            json_array_append_new(paper, json_pack("{ss ss ss sf sf}", "primitive", row->primitive, "work",
                                                   row->work, "symbol", row->symbol, "model", row->model,
                                                   "measured", row->measured));
    for (int key = 0; key < UNO_MODEL_KEYS; key++)
        json_array_append_new(sorts, sort_json(key, &measured[key]));
    return json_pack("{sI so so}", "records", (json_int_t)measured[0].plan.records, "t3d", paper, "sorts",
                     sorts);
}
