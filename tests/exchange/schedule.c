/* In every order each member has every other as its partner once, no two have the same partner in one phase,
 * and in a phase of pairs both partners agree. */

#include "exchange/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 130 };

static void wrong(const char *what, int order, int size, int rank, int phase) {
    printf("order %d of %d members, member %d in phase %d: %s\n", order, size, rank, phase, what);
    exit(1);
}

static void check(enum uno_order order, int size) {
    static bool met[MOST][MOST];
    int phases = uno_schedule_phases(order, size), meetings = 0;
    memset(met, 0, sizeof met);
    for (int i = 0; i < phases; i++) {
        bool taken[MOST] = {false};
        for (int rank = 0; rank < size; rank++) {
            int partner = uno_schedule_partner(order, size, rank, i);
            if (partner < 0)
                continue;
            if (partner >= size || partner == rank)
                wrong("no member, or itself", order, size, rank, i);
            if (taken[partner] || met[rank][partner])
                wrong("a partner that another has, or that it had before", order, size, rank, i);
            if (order != UNO_SHIFT && uno_schedule_partner(order, size, partner, i) != rank)
                wrong("a partner that has another", order, size, rank, i);
            taken[partner] = met[rank][partner] = true;
            meetings++;
        }
    }
    if (meetings != size * (size - 1))
        wrong("not all have met all", order, size, 0, phases);
}

int main(void) {
    for (int order = 0; order < UNO_ORDERS; order++)
        for (int size = 1; size <= MOST; size++)
            check((enum uno_order)order, size);
    return 0;
}
