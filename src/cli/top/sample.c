#include "sample.h"

#include <stdlib.h>
#include <string.h>

#include "engine/mask.h"

bool top_open(struct top *top, const struct found *found) {
    *top = (struct top){.found = found, .n = uno_shown_pes(&found->mail)};
    size_t n = (size_t)top->n;
    top->now.pe = calloc(3 * n, sizeof *top->now.pe);
    if (!top->now.pe)
        return false;
    top->last.pe = top->now.pe + n;
    top->all.pe = top->now.pe + 2 * n;
    top->places = top_places_open(found->job->launcher, top->n);
    return true;
}

void top_close(struct top *top) {
    top_places_close(top->places);
    free(top->place);
    free(top->now.pe);
}

bool top_look(struct top *top) {
    struct uno_place *place = uno_places(top->found->job, &top->found->mail, NULL);
    if (!place)
        return false;
    free(top->place);
    top->place = place;
    top->now.looks++;
    for (int k = 0; k < top->n; k++) {
        if (!place[k].waits)
            continue;
        top->now.pe[k].waiting++;
        UNO_FOR_EACH_PE (other, place[k].missing_mask, uno_shown_words(&top->found->mail))
            if (other < top->n)
                top->now.pe[other].awaited++;
    }
    return true;
}

void top_end(struct top *top) {
    top->last.looks = top->now.looks;
    top->all.looks += top->now.looks;
    top->now.looks = 0;
    for (int k = 0; k < top->n; k++) {
        top->last.pe[k] = top->now.pe[k];
        top->all.pe[k].waiting += top->now.pe[k].waiting;
        top->all.pe[k].awaited += top->now.pe[k].awaited;
        top->now.pe[k] = (struct top_counts){0};
    }
}

static double average(uint64_t count, uint64_t looks) {
    return looks ? (double)count / (double)looks : 0;
}

double top_waiting(const struct top_interval *interval, int k) {
    return average(interval->pe[k].waiting, interval->looks);
}

double top_awaited(const struct top_interval *interval, int k) {
    return average(interval->pe[k].awaited, interval->looks);
}
