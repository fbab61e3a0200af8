#include "report.h"

#include <stdio.h>

/* The paper's Table 2, of 512 PEs of a T3D in 1996: MB/s of a PE. */
static const struct {
    const char *name, *symbol;
    double model, measured;
} paper[UNO_PERMUTATIONS] = {[UNO_BLOCK] = {"block", "1Q1", 69, 55.5},
                             [UNO_TRANSPOSE] = {"transpose", "1Qk", 38, 29.5},
                             [UNO_GROUPED] = {"grouped", "1Qw", 34, 27},
                             [UNO_RANDOM] = {"random", "wQw", 32, 22}};

static const char *const pattern_names[UNO_PATTERNS] = {"contiguous (1)", "strided (k)", "indexed (w)",
                                                        "anywhere"};

static bool packing_is_better(const struct uno_measured *m, int n, enum uno_permutation p) {
    return p != UNO_BLOCK && uno_model_packed(&m->basic, n, p) > uno_model_chained(&m->basic, n, p);
}

static void print_basic(const struct uno_basic *basic) {
    printf("%-16s %12s %12s %12s %12s\n", "Basic rates", "load own", "load next", "store own", "store next");
    for (int p = 0; p < UNO_PATTERNS; p++) {
        printf("%-16s %12.0f", pattern_names[p], basic->load[p][UNO_LOCAL]);
        if (p == UNO_ANYWHERE)
            printf(" %12s %12.0f %12s\n", "", basic->store[p][UNO_LOCAL], "");
        else
            printf(" %12.0f %12.0f %12.0f\n", basic->load[p][UNO_REMOTE], basic->store[p][UNO_LOCAL],
                   basic->store[p][UNO_REMOTE]);
    }
    printf("%-16s %12.0f\n", "pack", basic->pack);
}

void uno_model_print(const struct uno_measured *m, int n, size_t words) {
    printf("%d PEs, %zu words of 8 bytes each; MB/s of a PE, least time of the repetitions.\n\n", n, words);
    print_basic(&m->basic);
    printf("\n%-22s %28s   %-40s\n%-16s%6s %9s %9s %8s %9s %9s %8s %9s %9s  %s\n", "Table 2", "T3D, 1996",
           "here: chained, packed", "permutation", "", "model", "measured", "", "model", "measured", "",
           "model", "measured", "the model says");
    for (int p = 0; p < UNO_PERMUTATIONS; p++) {
        double model = uno_model_chained(&m->basic, n, (enum uno_permutation)p);
        printf("%-16s%6s %9.4g %9.4g %7.0f%% %9.0f %9.0f %7.0f%%", paper[p].name, paper[p].symbol,
               paper[p].model, paper[p].measured, 100 * paper[p].measured / paper[p].model, model,
               m->chained[p], 100 * m->chained[p] / model);
        if (p == UNO_BLOCK)
            printf("\n");
        else
            printf(" %9.0f %9.0f  %s\n", uno_model_packed(&m->basic, n, (enum uno_permutation)p),
                   m->packed[p], packing_is_better(m, n, (enum uno_permutation)p) ? "pack" : "chain");
    }
}

static json_t *basic_json(const struct uno_basic *basic) {
    json_t *rates = json_object();
    for (int p = 0; p < UNO_PATTERNS; p++) {
        json_t *row =
            json_pack("{sf sf}", "load", basic->load[p][UNO_LOCAL], "store", basic->store[p][UNO_LOCAL]);
        if (p != UNO_ANYWHERE) {
            json_object_set_new(row, "load_next", json_real(basic->load[p][UNO_REMOTE]));
            json_object_set_new(row, "store_next", json_real(basic->store[p][UNO_REMOTE]));
        }
        json_object_set_new(rates, pattern_names[p], row);
    }
    json_object_set_new(rates, "pack", json_real(basic->pack));
    return rates;
}

json_t *uno_model_json(const struct uno_measured *m, int n, size_t words) {
    json_t *rows = json_array();
    for (int p = 0; p < UNO_PERMUTATIONS; p++) {
        enum uno_permutation permutation = (enum uno_permutation)p;
        json_t *row =
            json_pack("{ss ss s{sf sf} s{sf sf}}", "name", paper[p].name, "symbol", paper[p].symbol, "t3d",
                      "model", paper[p].model, "measured", paper[p].measured, "chained", "model",
                      uno_model_chained(&m->basic, n, permutation), "measured", m->chained[p]);
        if (p != UNO_BLOCK)
            json_object_set_new(row, "packed",
                                json_pack("{sf sf}", "model", uno_model_packed(&m->basic, n, permutation),
                                          "measured", m->packed[p]));
        json_array_append_new(rows, row);
    }
    return json_pack("{si sI ss so so}", "pes", n, "words", (json_int_t)words, "unit", "MB/s of a PE",
                     "basic", basic_json(&m->basic), "permutations", rows);
}
