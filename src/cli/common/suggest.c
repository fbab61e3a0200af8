#include "suggest.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* How many letters are put in, taken out, changed or swapped with their neighbour to make one of the other:
 * the distance of Damerau and Levenshtein, in which no letter is touched twice. */
static size_t distance(const char *a, size_t n, const char *b, size_t m) {
    size_t row[3][SUGGEST_NAME + 1];
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *two = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = least(least(now[j - 1], before[j]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

void suggest_begin(struct suggestion *suggestion, const char *word, size_t length) {
    /* a third of the letters may be wrong, and of short words one */
    *suggestion = (struct suggestion){.word = word, .length = length, .distance = (length + 2) / 3 + 1};
}

void suggest_consider(struct suggestion *suggestion, const char *name, size_t length) {
    if (suggestion->length >= SUGGEST_NAME || length >= SUGGEST_NAME || suggestion->length < 2 || length < 2)
        return;
    size_t d = distance(suggestion->word, suggestion->length, name, length);
    if (d >= suggestion->distance)
        return;
    suggestion->distance = d;
    snprintf(suggestion->best, sizeof suggestion->best, "%.*s", (int)length, name);
}

const char *suggest_best(struct suggestion *suggestion) {
    return *suggestion->best ? suggestion->best : NULL;
}
