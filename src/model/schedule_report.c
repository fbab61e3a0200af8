#include "schedule_report.h"

#include <stdio.h>

/* Call a function for each operation of each number of PEs. */
static void each(const struct uno_schedule_sweep *sweep, enum uno_schedule_ops op,
                 void (*call)(const struct uno_schedule_sweep *, const struct uno_schedule_case *, void *),
                 void *argument) {
    for (int m = 0; m < sweep->per_node_count; m++)
        for (int p = 0; p < sweep->pes_count; p++) {
            struct uno_schedule_case c = {&uno_schedule_ops[op], sweep->pes[p], sweep->per_node[m],
                                          sweep->type, sweep->header};
            call(sweep, &c, argument);
        }
}

/* ---- text --------------------------------------------------------------------------------------------- */

/* A number of 9 characters. */
static void print_count(int64_t count) {
    if (count < 10000000)
        printf(" %9lld", (long long)count);
    else
        printf(" %9.3g", (double)count);
}

static void print_row(const struct uno_schedule_sweep *sweep, const struct uno_schedule_case *c,
                      void *unused) {
    (void)unused;
    int nodes = uno_schedule_nodes(c);
    printf("%8d %7d %8d", c->pes, c->per_node, nodes);
    for (int w = 0; w < UNO_SCHEDULE_WAYS; w++) {
        enum uno_schedule_way way = (enum uno_schedule_way)w;
        if (!uno_schedule_is_for(c, way))
            continue;
        struct uno_schedule_cost cost = uno_schedule_cost(c, way, &sweep->net);
        print_count(cost.messages);
        print_count(cost.bytes);
        printf(" %5d %10.1f%c", cost.steps, cost.us,
               nodes > 1 && way == uno_schedule_choose(nodes, c->op->values) ? '*' : ' ');
    }
    printf("\n");
}

void uno_model_schedule_print(const struct uno_schedule_sweep *sweep) {
    const struct uno_loggp *net = &sweep->net;
    printf("LogGP: L %g us, o %g us, g %g us, G %g ns a byte. A value has %d bytes, a message %d more.\n"
           "*: the schedule that the rule chooses\n",
           net->latency, net->overhead, net->gap, net->per_byte * 1e3, sweep->type, sweep->header);
    for (int op = 0; op < UNO_SCHEDULE_OPS; op++) {
        if (!sweep->op[op])
            continue;
        struct uno_schedule_case any = {.op = &uno_schedule_ops[op]};
        printf("\n%s: %s\n%25s", any.op->name, any.op->text, "");
        for (int way = 0; way < UNO_SCHEDULE_WAYS; way++)
            if (uno_schedule_is_for(&any, (enum uno_schedule_way)way))
                printf("   %-35s", uno_schedule_names[way]);
        printf("\n%8s %7s %8s", "PEs", "a node", "nodes");
        for (int way = 0; way < UNO_SCHEDULE_WAYS; way++)
            if (uno_schedule_is_for(&any, (enum uno_schedule_way)way))
                printf(" %9s %9s %5s %10s ", "messages", "bytes", "steps", "us");
        printf("\n");
        each(sweep, (enum uno_schedule_ops)op, print_row, NULL);
    }
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static void add_row(const struct uno_schedule_sweep *sweep, const struct uno_schedule_case *c, void *rows) {
    json_t *ways = json_object();
    int nodes = uno_schedule_nodes(c);
    for (int w = 0; w < UNO_SCHEDULE_WAYS; w++) {
        enum uno_schedule_way way = (enum uno_schedule_way)w;
        if (!uno_schedule_is_for(c, way))
            continue;
        struct uno_schedule_cost cost = uno_schedule_cost(c, way, &sweep->net);
        json_object_set_new(ways, uno_schedule_names[way],
                            json_pack("{sI sI si sf}", "messages", (json_int_t)cost.messages, "bytes",
                                      (json_int_t)cost.bytes, "steps", cost.steps, "us", cost.us));
    }
    json_array_append_new(rows, json_pack("{ss si si si ss so}", "op", c->op->name, "pes", c->pes, "per_node",
                                          c->per_node, "nodes", nodes, "chosen",
                                          uno_schedule_names[uno_schedule_choose(nodes, c->op->values)],
                                          "schedules", ways));
}

json_t *uno_model_schedule_json(const struct uno_schedule_sweep *sweep) {
    const struct uno_loggp *net = &sweep->net;
    json_t *rows = json_array();
    for (int op = 0; op < UNO_SCHEDULE_OPS; op++)
        if (sweep->op[op])
            each(sweep, (enum uno_schedule_ops)op, add_row, rows);
    return json_pack("{sf sf sf sf si si so}", "latency", net->latency, "overhead", net->overhead, "gap",
                     net->gap, "per_byte", net->per_byte * 1e3, "type", sweep->type, "header", sweep->header,
                     "rows", rows);
}
