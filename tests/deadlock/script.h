/* The command line of the programs that hang: the k-th argument has the calls of PE k, separated by commas,
 * each with its numbers behind colons: "group:3,wait,leave". */

#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_NUMBERS = 3 };

struct script_call {
    const char *name;
    void (*run)(const long *number);
};

/* Run one call with its numbers; a missing number is 0. */
static inline void script_run_one(const struct script_call *calls, char *text) {
    long number[SCRIPT_NUMBERS] = {0};
    char *rest, *name = strtok_r(text, ":", &rest), *word;
    for (int i = 0; i < SCRIPT_NUMBERS && (word = strtok_r(NULL, ":", &rest)); i++)
        number[i] = strtol(word, NULL, 0);
    for (; calls->name; calls++)
        if (name && !strcmp(name, calls->name)) {
            calls->run(number);
            return;
        }
    fprintf(stderr, "%s: no such call\n", name);
    exit(2);
}

static inline void script_run(const struct script_call *calls, char *text) {
    char *rest;
    for (char *call = strtok_r(text, ",", &rest); call; call = strtok_r(NULL, ",", &rest))
        script_run_one(calls, call);
}

#endif
