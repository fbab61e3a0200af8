#include <stdio.h>

#include "mesh_part.h"

/* A number with so many digits behind the point, or "-". */
static void print_cell(const json_t *value, int digits) {
    if (json_is_number(value))
        printf("%14.*f", digits, json_number_value(value));
    else
        printf("%14s", "-");
}

void mesh_report(const struct mesh_part *part, const json_t *rows) {
    size_t i;
    json_t *row;
    printf("%10s%6s%14s%14s%14s%14s%14s%14s\n", part->unit, "PEs", "by hand", "MPI", "MPI more, %",
           "rMPI more, %", "speed-up hand", "speed-up MPI");
    json_array_foreach(rows, i, row) {
        const json_t *clocks = json_object_get(row, "clocks"), *speedup = json_object_get(row, "speedup");
        if (!mesh_is_of(row, part))
            continue;
        printf("%10lld%6lld", (long long)json_integer_value(json_object_get(row, "size")),
               (long long)json_integer_value(json_object_get(row, "pes")));
        for (int side = 0; side < MESH_SIDES; side++)
            print_cell(json_object_get(clocks, mesh_side[side]), 0);
        print_cell(json_object_get(row, "percent"), 1);
        print_cell(json_object_get(row, "paper"), 0);
        for (int side = 0; side < MESH_SIDES; side++)
            print_cell(json_object_get(speedup, mesh_side[side]), 2);
        putchar('\n');
    }
}
