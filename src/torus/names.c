#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char uno_torus_letters[] = "xyzw";

const char *const uno_torus_ties_names[] = {"up", "parity", "quarters", NULL};
const char *const uno_torus_distance_names[] = {"compute", "absolute", NULL};
const char *const uno_torus_corner_names[] = {"correct", "reversed", NULL};
const char *const uno_torus_others_names[] = {"kept", "changing", NULL};

void uno_torus_sides_text(const struct uno_torus *t, char *text) {
    int at = 0;
    for (int d = 0; d < t->dimensions; d++)
        at += snprintf(text + at, (size_t)(UNO_TORUS_TEXT - at), "%s%d", d ? "x" : "", t->side[d]);
}

void uno_torus_order_text(const struct uno_torus *t, char *text) {
    for (int d = 0; d < t->dimensions; d++)
        text[d] = uno_torus_letters[t->order[d]];
    text[t->dimensions] = 0;
}

void uno_torus_service_text(const struct uno_torus *t, char *text) {
    if (t->service_nodes)
        snprintf(text, UNO_TORUS_TEXT, "%c:%d:%d", uno_torus_letters[t->service_dimension], t->service_nodes,
                 t->service_rings);
    else
        strcpy(text, "none");
}

/* Parse a number from 1 to most, up to the character `end`. Returns the text after it, or NULL. */
static const char *number(const char *text, int most, char end, int *value) {
    char *after;
    if (*text < '0' || *text > '9')
        return NULL;
    long n = strtol(text, &after, 10);
    if (n < 1 || n > most || *after != end)
        return NULL;
    *value = (int)n;
    return end ? after + 1 : after;
}

bool uno_torus_read_sides(struct uno_torus *t, const char *text) {
    int sides[UNO_TORUS_DIMENSIONS], count = 0;
    while (count < UNO_TORUS_DIMENSIONS) {
        const char *next = number(text, UNO_TORUS_SIDE, 'x', &sides[count]);
        if (!next) {
            if (!number(text, UNO_TORUS_SIDE, 0, &sides[count]))
                return false;
            t->dimensions = count + 1;
            for (int d = 0; d <= count; d++) {
                t->side[d] = sides[d];
                t->order[d] = d;
            }
            return true;
        }
        text = next;
        count++;
    }
    return false;
}

bool uno_torus_read_order(struct uno_torus *t, const char *text) {
    bool used[UNO_TORUS_DIMENSIONS] = {false};
    if (strlen(text) != (size_t)t->dimensions)
        return false;
    for (int i = 0; i < t->dimensions; i++) {
        const char *letter = strchr(uno_torus_letters, text[i]);
        int d = (int)(letter - uno_torus_letters);
        if (!letter || d >= t->dimensions || used[d])
            return false;
        used[d] = true;
        t->order[i] = d;
    }
    return true;
}

bool uno_torus_read_service(struct uno_torus *t, const char *text) {
    if (strcmp(text, "none") == 0) {
        t->service_nodes = 0;
        return true;
    }
    const char *letter = *text ? strchr(uno_torus_letters, *text) : NULL;
    int dimension = letter ? (int)(letter - uno_torus_letters) : UNO_TORUS_DIMENSIONS;
    if (dimension >= t->dimensions || text[1] != ':')
        return false;
    int nodes, rings;
    const char *rest = number(text + 2, UNO_TORUS_SIDE, ':', &nodes);
    if (!rest || !number(rest, UNO_TORUS_PES, 0, &rings))
        return false;
    t->service_dimension = dimension;
    t->service_nodes = nodes;
    t->service_rings = rings;
    return true;
}

int uno_torus_word(const char *const *words, const char *word) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}
