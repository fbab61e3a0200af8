#include "library/schedule/blocks.h"

#include "library/blocking/collectives.h"
#include "library/object/address.h"
#include "library/type/address.h"
#include "library/type/predefined.h"

static struct uno_mpi_type *type_of(const struct uno_mpi_blocks *b, int i) {
    return b->typed ? uno_find_type(b->types[i]) : b->type;
}

static MPI_Count count_of(const struct uno_mpi_blocks *b, int i) {
    return b->varied ? uno_number(b->counts, i) : b->count;
}

int uno_blocks_check(struct uno_schedule *s, const char *name, const struct uno_mpi_blocks *b, int n) {
    int error =
        b->varied && n > 0 ? uno_lists_check(name, b->counts, b->places, b->displacements) : MPI_SUCCESS;
    if (!error && b->typed && n > 0 && !b->types)
        error = uno_error(MPI_ERR_ARG, "%stypes is a null pointer", name);
    for (int i = 0; i < n && !error; i++) {
        error = uno_elements_check(name, count_of(b, i), type_of(b, i));
        if (!error && UNO_UNLIKELY(!uno_is_address(b->at)))
            error = uno_side_check(name, b->at == MPI_IN_PLACE ? b->at : uno_block(b, i).at, count_of(b, i),
                                   type_of(b, i));
        if (!error && (b->typed || i == 0))
            uno_schedule_hold(s, type_of(b, i));
        if (!b->varied)
            break;
    }
    return error;
}

struct uno_data uno_block(const struct uno_mpi_blocks *b, int i) {
    const struct uno_layout *layout = &type_of(b, i)->layout;
    MPI_Count at = b->varied ? uno_number(b->displacements, i) : i * b->count;
    return (struct uno_data){(char *)b->at + (b->typed ? at : at * layout->extent), (size_t)count_of(b, i),
                             layout};
}

int uno_block_check(const struct uno_data *one, const struct uno_mpi_blocks *b, int i) {
    struct uno_data other = uno_block(b, i);
    return uno_places_check(one->at, other.at, b->at != MPI_BOTTOM && one->count > 0 && other.count > 0);
}
