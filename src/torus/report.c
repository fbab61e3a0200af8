#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "names.h"

static const char title[] = "Table 1 of Stricker and Hardwick (1996), a RECONSTRUCTION";
static const char caution[] =
    "One page of the paper is lost. This follows from a model, with the assumptions listed; what is marked "
    "\"table\" was chosen because the table then comes out, and is no evidence for it.";

static double percent(const struct uno_torus *t, double rate) {
    double nominal = uno_torus_nominal(t);
    return nominal > 0 ? 100 * rate / nominal : 0;
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *bins_json(const double *bins) {
    json_t *list = json_array();
    for (int i = 0; i < UNO_TORUS_BINS; i++)
        json_array_append_new(list, json_real(bins[i]));
    return list;
}

static json_t *torus_json(const struct uno_torus *t) {
    char sides[UNO_TORUS_TEXT], order[UNO_TORUS_TEXT], service[UNO_TORUS_TEXT];
    uno_torus_sides_text(t, sides);
    uno_torus_order_text(t, order);
    uno_torus_service_text(t, service);
    return json_pack("{ss si si sf sf sf sf sf ss ss ss ss ss ss}", "sides", sides, "pes", uno_torus_pes(t),
                     "pes_per_node", t->pes, "link", t->link, "payload", t->payload, "response", t->response,
                     "cap", t->cap, "nominal", uno_torus_nominal(t), "order", order, "ties",
                     uno_torus_ties_names[t->ties], "distance", uno_torus_distance_names[t->distance],
                     "corner", uno_torus_corner_names[t->corner], "service", service, "others",
                     uno_torus_others_names[t->others]);
}

/* The numbers of the histograms' bins are shares; a bin is as wide as "bin", in MB/s. */
static json_t *rates_json(const struct uno_torus *t, const char *schedule, const struct uno_rates *rates) {
    json_t *result = json_pack("{ss sf sf sf sf so}", "schedule", schedule, "rate", rates->rate, "percent",
                               percent(t, rates->rate), "mean", rates->mean, "bin", t->cap / UNO_TORUS_BINS,
                               "transfers", bins_json(rates->transfers));
    if (!rates->phases) {
        json_object_set_new(result, "load", json_real(rates->load));
        return result;
    }
    json_t *phases = json_array();
    for (int i = 0; i < rates->phases; i++)
        json_array_append_new(phases, json_pack("{sf si sf}", "load", rates->phase[i].load, "link",
                                                rates->phase[i].link, "rate", rates->phase[i].rate));
    json_object_set_new(result, "ends", bins_json(rates->ends));
    json_object_set_new(result, "phases", phases);
    return result;
}

json_t *uno_torus_json(const struct uno_torus *t, const struct uno_torus_schedule *s,
                       const struct uno_rates *rates) {
    json_t *result = rates_json(t, s ? s->name : "unphased", rates);
    json_object_set_new(result, "torus", torus_json(t));
    return result;
}

/* The value of an assumption's parameter, if it is one of the torus, else "". */
static void value(const struct uno_torus *t, const char *parameter, char *text) {
    static const struct {
        const char *name;
        size_t at;
        const char *form;
    } numbers[] = {
        {"link", offsetof(struct uno_torus, link), "%g MB/s"},
        {"payload", offsetof(struct uno_torus, payload), "%g"},
        {"response", offsetof(struct uno_torus, response), "%g"},
        {"cap", offsetof(struct uno_torus, cap), "%g MB/s"},
    };
    *text = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(parameter, numbers[i].name) == 0)
            snprintf(text, UNO_TORUS_TEXT, numbers[i].form,
                     *(const double *)(const void *)((const char *)t + numbers[i].at));
    if (strcmp(parameter, "sides") == 0)
        uno_torus_sides_text(t, text);
    else if (strcmp(parameter, "order") == 0)
        uno_torus_order_text(t, text);
    else if (strcmp(parameter, "service") == 0)
        uno_torus_service_text(t, text);
    else if (strcmp(parameter, "ties") == 0)
        strcpy(text, uno_torus_ties_names[t->ties]);
    else if (strcmp(parameter, "others") == 0)
        strcpy(text, uno_torus_others_names[t->others]);
    else if (strcmp(parameter, "pes") == 0)
        snprintf(text, UNO_TORUS_TEXT, "%d", t->pes);
}

json_t *uno_table1_json(const struct uno_torus *t, const struct uno_rates *rates) {
    json_t *rows = json_array(), *assumptions = json_array();
    for (int i = 0; i < UNO_TABLE1_ROWS; i++) {
        const struct uno_table1_row *row = &uno_table1[i];
        json_t *result = rates_json(t, row->schedule ? row->schedule : "unphased", &rates[i]);
        json_object_set_new(result, "description", json_string(row->description));
        json_object_set_new(result, "distance", json_string(uno_torus_distance_names[row->distance]));
        json_object_set_new(result, "corner", json_string(uno_torus_corner_names[row->corner]));
        json_object_set_new(
            result, "paper",
            json_pack("{sf sf sf}", "rate", row->rate, "aggregate", row->aggregate, "percent", row->percent));
        json_array_append_new(rows, result);
    }
    for (int i = 0; i < uno_table1_assumption_count; i++) {
        const struct uno_table1_assumption *a = &uno_table1_assumptions[i];
        char text[UNO_TORUS_TEXT];
        value(t, a->parameter, text);
        json_array_append_new(assumptions,
                              json_pack("{ss ss ss ss}", "parameter", a->parameter, "value",
                                        *text ? text : "by row", "origin", a->origin, "why", a->why));
    }
    return json_pack("{ss sb ss so so so}", "title", title, "reconstruction", 1, "caution", caution, "torus",
                     torus_json(t), "rows", rows, "assumptions", assumptions);
}

/* ---- text --------------------------------------------------------------------------------------------- */

static void print_torus(const struct uno_torus *t) {
    char sides[UNO_TORUS_TEXT];
    uno_torus_sides_text(t, sides);
    printf("a torus of %s nodes, %d PEs, %g MB/s a link; nominal: %.1f MB/s a PE\n", sides, uno_torus_pes(t),
           t->link, uno_torus_nominal(t));
}

/* A line for each load that the busiest link has in some phase, in ascending order. */
static void print_loads(const struct uno_rates *rates) {
    printf("  %-24s%8s%10s\n", "on the busiest link", "phases", "MB/s");
    double done = -1;
    for (;;) {
        double least = INFINITY, rate = 0;
        int count = 0;
        for (int i = 0; i < rates->phases; i++)
            if (rates->phase[i].load > done + 1e-9)
                least = fmin(least, rates->phase[i].load);
        if (isinf(least))
            return;
        for (int i = 0; i < rates->phases; i++)
            if (fabs(rates->phase[i].load - least) <= 1e-9) {
                count++;
                rate = rates->phase[i].rate;
            }
        printf("  %-24.4g%8d%10.1f\n", least, count, rate);
        done = least;
    }
}

void uno_torus_print(const struct uno_torus *t, const struct uno_torus_schedule *s,
                     const struct uno_rates *rates) {
    print_torus(t);
    printf("%s: %s\n", s ? s->name : "unphased", s ? s->what : "every PE sends in an order of its own");
    printf("  %-24s%8.1f MB/s", "rate of a PE", rates->rate);
    if (uno_torus_nominal(t) > 0)
        printf(", %.0f%%", percent(t, rates->rate));
    printf("\n  %-24s%8.1f MB/s\n", "mean of the transfers", rates->mean);
    if (s)
        print_loads(rates);
    else
        printf("  %-24s%8.1f on average\n", "on the busiest link", rates->load);
}

/* Text in lines of less than `width` characters, of which the first begins at `at`, the others behind as many
 * spaces. */
static void print_wrapped(const char *text, int at, int width) {
    int used = at;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (used > at && used + 1 + length >= width) {
            printf("\n%*s", at, "");
            used = at;
        }
        used += printf("%s%.*s", used > at ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

void uno_table1_print(const struct uno_torus *t, const struct uno_rates *rates) {
    printf("%s\n", title);
    print_wrapped(caution, 0, 100);
    print_torus(t);
    printf("\n%-12s  %-9s %-9s %-9s  %16s  %16s  %6s\n", "", "schedule", "distance", "corner",
           "paper MB/s    %", "here MB/s    %", "points");
    for (int i = 0; i < UNO_TABLE1_ROWS; i++) {
        const struct uno_table1_row *row = &uno_table1[i];
        double here = percent(t, rates[i].rate);
        printf("%-12s  %-9s %-9s %-9s  %10.1f %4.0f%%  %10.1f %4.0f%%  %+6.0f\n", row->description,
               row->schedule ? row->schedule : "unphased", uno_torus_distance_names[row->distance],
               uno_torus_corner_names[row->corner], row->rate, row->percent, rates[i].rate, here,
               here - row->percent);
    }
    printf("\nassumptions, and where they are from\n");
    for (int i = 0; i < uno_table1_assumption_count; i++) {
        const struct uno_table1_assumption *a = &uno_table1_assumptions[i];
        char text[UNO_TORUS_TEXT];
        value(t, a->parameter, text);
        int at = printf("  %-9s %-9s %-9s ", a->parameter, text, a->origin);
        print_wrapped(a->why, at, 100);
    }
}
