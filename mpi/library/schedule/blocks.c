#include "library/schedule/blocks.h"

#include "library/blocking/collectives.h"
#include "library/object/predefined.h"

static struct uno_mpi_type *type_of(const struct uno_blocks *b, int i) {
    return b->types ? uno_find_type(b->types[i]) : b->type;
}

static MPI_Count count_of(const struct uno_blocks *b, int i) {
    return b->counts.at ? uno_number(b->counts, i) : b->count;
}

int uno_blocks_check(struct uno_schedule *s, const char *name, const struct uno_blocks *b, int n) {
    struct uno_data ignored;
    int error = MPI_SUCCESS;
    for (int i = 0; i < n && !error; i++) {
        error = uno_data_of(&ignored, name, b->at, count_of(b, i), type_of(b, i));
        if (!error && (b->types || i == 0))
            uno_schedule_hold(s, type_of(b, i));
        if (!b->counts.at)
            break;
    }
    return error;
}

struct uno_data uno_block(const struct uno_blocks *b, int i) {
    const struct uno_layout *layout = &type_of(b, i)->layout;
    MPI_Count at = b->displacements.at ? uno_number(b->displacements, i) : i * b->count;
    return (struct uno_data){(char *)b->at + (b->types ? at : at * layout->extent), (size_t)count_of(b, i),
                             layout};
}
