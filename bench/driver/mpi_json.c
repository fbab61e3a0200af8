#include "mpi_results.h"

#include "json.h"

static void add_overheads(json_t *list, const struct bench *b) {
    for (int i = 0; i < b->options.count_count; i++)
        for (int c = 0; c < b->cells; c++)
            for (int k = 0; k < LAYERS; k++) {
                const struct layer *layer = &mpi_layers[k];
                struct vertex_spread percent;
                int op = b->cell[c].op;
                uint64_t bytes = b->cell[c].bytes;
                if (!mpi_overhead(b, i, op, bytes, layer, &percent))
                    continue;
                bool whole = layer->over == MPI_SIDE && layer->under == BARE_SIDE;
                double paper = whole ? mpi_paper_overhead(op, bytes) : -1;
                json_array_append_new(list, json_pack("{ss sI si ss ss sf s[ff] so}", "operation",
                                                      bench_kinds[op].name, "bytes", (json_int_t)bytes, "pes",
                                                      b->options.counts[i], "above", layer->above, "below",
                                                      layer->below, "percent", percent.median, "rounds",
                                                      percent.least, percent.greatest, "paper",
                                                      paper < 0 ? json_null() : json_real(paper)));
            }
}

static void add_speedups(json_t *list, const struct bench *b, int count, const struct program *program) {
    for (const uint64_t *size = program->size; *size; size++)
        for (int s = 0; s < b->sides; s++) {
            struct vertex_spread times = mpi_speedup(b, count, program, *size, s);
            if (times.median > 0)
                json_array_append_new(list, json_pack("{ss sI si ss sf s[ff]}", "program",
                                                      bench_kinds[program->op].name, "size",
                                                      (json_int_t)*size, "pes", b->options.counts[count],
                                                      "side", b->side[s].key, "speedup", times.median,
                                                      "rounds", times.least, times.greatest));
        }
}

json_t *mpi_json(const struct mpi_bench *m) {
    const struct bench *const benches[] = {&m->messages, &m->programs, NULL};
    json_t *json = bench_json_all(benches, &m->limits);
    json_t *overheads = json_array(), *speedups = json_array();
    add_overheads(overheads, &m->messages);
    add_overheads(overheads, &m->programs);
    for (int p = 0; p < PROGRAMS; p++)
        for (int i = 0; i < m->programs.options.count_count; i++)
            add_speedups(speedups, &m->programs, i, &m->program[p]);
    json_object_set_new(json, "seconds",
                        json_real(m->messages.options.seconds + m->programs.options.seconds));
    json_object_del(json, "ratios");
    json_object_del(json, "tables");
    json_object_set_new(json, "overheads", overheads);
    json_object_set_new(json, "speedups", speedups);
    return json;
}
