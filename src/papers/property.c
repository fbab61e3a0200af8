/* p_population, p_enumerate, p_selectFirst, p_selectOne: what the mask alone tells. */

#include "local.h"

int p_population(void) {
    uno_check_inside(uno_self, "p_population");
    return uno_self->group.size;
}

int p_enumerate(void) {
    uno_check_inside(uno_self, "p_enumerate");
    return uno_self->group.rank;
}

int p_selectFirst(void) {
    uno_check_inside(uno_self, "p_selectFirst");
    return uno_self->group.first;
}

int p_selectOne(void) {
    uno_check_inside(uno_self, "p_selectOne");
    return uno_self->group.first;
}
