/* An index of the elements of an array by a hash, for sums over many ranks: elements are added, and found
 * again. */

#ifndef UNO_INDEX_H
#define UNO_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros: nothing is in it. */
struct uno_index {
    size_t room, used; /* places, a power of two */
    struct uno_indexed {
        uint64_t hash;
        int number; /* of the element, plus 1; 0: a free place */
    } * place;
};

/* Return a hash of two values. */
uint64_t uno_index_hash(uint64_t a, uint64_t b);

/* Return the number of the first element with this hash for which `same` is true; -1: there is none. */
int uno_index_find(const struct uno_index *index, uint64_t hash,
                   bool (*same)(const void *argument, int number), const void *argument);

/* Add an element. Returns false if memory is short. */
bool uno_index_add(struct uno_index *index, uint64_t hash, int number);

void uno_index_free(struct uno_index *index);

#endif
