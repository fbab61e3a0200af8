/* "Did you mean": which of some names is most like a word that is none of them. */

#ifndef UNO_SUGGEST_H
#define UNO_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_NAME = 64 };

struct suggestion {
    const char *word;
    size_t length;
    size_t distance;         /* of the best name so far: letters to put in, take out, change or swap */
    char best[SUGGEST_NAME]; /* empty: none is like it */
};

/* Look for a name like the first letters of a word. */
void suggest_begin(struct suggestion *suggestion, const char *word, size_t length);

/* Compare it with a name. */
void suggest_consider(struct suggestion *suggestion, const char *name, size_t length);

/* The name that is most like it, the first of several; NULL: none is. */
const char *suggest_best(struct suggestion *suggestion);

#endif
