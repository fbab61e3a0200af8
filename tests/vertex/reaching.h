/* The kernel's copies from one process to another, as the tests in which a library meets them want them: the
 * calls of the library come here first, and are passed on, refused, or done in part. */

#ifndef TEST_REACHING_H
#define TEST_REACHING_H

#include <stdbool.h>
#include <stddef.h>

extern int me, n;

extern struct kernel {
    bool refuses, parts;
    /* Calls from now on that go well, of which the last copies only half; then all are refused. Negative: all
     * go well. With `kills` the other PE dies in the last one, with `dies` this one. */
    long reads_left, writes_left;
    bool kills, dies;
    long tries, reads, writes; /* tries: reads of a word, to find out whether a PE is reached */
} kernel;

enum { PATIENCE = 30 }; /* seconds */

/* End the test if this is not message `number` of node `from`, with one byte of 0xaa behind it. */
void check(const unsigned char *data, size_t bytes, int from, long number);

/* Have `how`, nextend or nstandard, for both neighbours. Called by all PEs. */
void switch_to(void (*how)(int));

/* Return true if the kernel itself lets this PE read from the next one. Called by all PEs. */
bool reaches_next(void);

/* A test: what a PE does if the word on the command line is this one. */
struct reaching {
    const char *word;
    int (*run)(void);
};
int reaching_main(int argc, char **argv, const struct reaching *cases);

#endif
