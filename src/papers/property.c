/* p_population, p_enumerate, p_selectFirst, p_selectOne: what the mask alone tells. */

#include "meet.h"

/* Return the value; fail outside a job, where the group is empty and the value below `least`. */
static inline int known(int value, int least, const char *name) {
    if (UNO_UNLIKELY(value < least))
        uno_fail_outside(uno_self, name);
    return value;
}

int p_population(void) {
    return known(uno_self->group.size, 1, "p_population");
}

int p_enumerate(void) {
    return known(uno_self->group.rank, 0, "p_enumerate");
}

int p_selectFirst(void) {
    return known(uno_self->group.first, 0, "p_selectFirst");
}

int p_selectOne(void) {
    return known(uno_self->group.first, 0, "p_selectOne");
}
