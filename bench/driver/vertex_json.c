#include "vertex_results.h"

#include "json.h"

static json_t *fits_json(const struct vertex *v) {
    json_t *fits = json_array();
    for (int s = 0; s < v->near.sides; s++)
        for (int p = 0; p < PROTOCOLS; p++)
            if (v->fit[s][p].fitted)
                json_array_append_new(fits, json_pack("{ss ss sf sf sf sf}", "side", v->near.side[s].key,
                                                      "protocol", vertex_protocols[p], "f", v->fit[s][p].f,
                                                      "m", v->fit[s][p].m, "m_large", v->fit[s][p].large,
                                                      "worst_deviation", v->fit[s][p].worst));
    return fits;
}

static void add_detections(json_t *list, const struct vertex *v, const struct bench *b) {
    for (int i = 0; i < b->options.count_count; i++)
        for (int c = 0; c < b->cells; c++) {
            if (b->cell[c].op != BENCH_OP_sobelKnown)
                continue;
            struct detection d = vertex_detection(v, b, i, (int)b->cell[c].bytes);
            if (d.complete)
                json_array_append_new(list, json_pack("{si si sf sf s[ff] s[ff]}", "edge", d.edge, "pes",
                                                      d.pes, "alone", d.alone, "calculating", d.parts,
                                                      "execution", d.exec[STANDARD], d.exec[EXTENDED],
                                                      "gamma", d.gamma[STANDARD], d.gamma[EXTENDED]));
        }
}

json_t *vertex_json(const struct vertex *v) {
    const struct bench *const benches[] = {&v->near, &v->over, &v->pair, &v->pictures, NULL};
    json_t *json = bench_json_all(benches, &v->limits), *detections = json_array();
    add_detections(detections, v, &v->pair);
    add_detections(detections, v, &v->pictures);
    json_object_del(json, "ratios");
    json_object_del(json, "tables");
    json_object_set_new(json, "fits", fits_json(v));
    json_object_set_new(json, "detector", detections);
    return json;
}
