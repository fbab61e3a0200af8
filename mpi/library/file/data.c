#include "library/file/data.h"

#include <string.h>

#include "library/type/runs.h"

static bool take_out(void *context, MPI_Count at, MPI_Count bytes) {
    char **packed = context;
    memcpy(*packed, (const char *)(intptr_t)at, (size_t)bytes);
    *packed += bytes;
    return true;
}

static bool bring_in(void *context, MPI_Count at, MPI_Count bytes) {
    char **packed = context;
    memcpy((char *)(intptr_t)at, *packed, (size_t)bytes);
    *packed += bytes;
    return true;
}

void uno_io_pack(const struct uno_io_data *data, MPI_Count from, MPI_Count bytes, char *packed) {
    struct uno_pattern all = uno_pattern_repeat(data->count, data->type->layout.extent, &data->type->pattern);
    uno_pattern_runs(&all, (MPI_Count)(intptr_t)data->at, from, bytes, data->writes ? take_out : bring_in,
                     &packed);
}
