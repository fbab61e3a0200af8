#define _GNU_SOURCE
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

static void *needed(void *memory) {
    if (memory)
        return memory;
    fprintf(stderr, "unisono run: no memory for the command line\n");
    exit(EXIT_FAILURE);
}

struct uno_part *parts_add(struct uno_launch *launch) {
    launch->part = needed(realloc(launch->part, ((size_t)launch->parts + 1) * sizeof *launch->part));
    struct uno_part *part = &launch->part[launch->parts++];
    *part = (struct uno_part){.environment = needed(calloc(1, sizeof(char *)))};
    return part;
}

static size_t count(char *const *list) {
    size_t n = 0;
    while (list[n])
        n++;
    return n;
}

void parts_set(struct uno_part *part, const char *text) {
    size_t n = count(part->environment);
    if (!strchr(text, '='))
        return; /* the part's processes have all variables of this one anyway */
    part->environment = needed(realloc(part->environment, (n + 2) * sizeof *part->environment));
    part->environment[n] = (char *)text;
    part->environment[n + 1] = NULL;
}

static char **copy(char *const *list) {
    size_t size = (count(list) + 1) * sizeof *list;
    return memcpy(needed(malloc(size)), list, size);
}

/* Make the environment of a part of `here`, the environment of this process, of which this process has a copy
 * meanwhile, since the functions that change an environment know only that of the process. They make and free
 * lists of their own, so the part gets a copy of theirs. Returns the folder of the library, as library_show
 * does. */
static char *make_environment(struct uno_part *part, char *const *here) {
    char **changed = copy(here), **said = part->environment;
    environ = changed;
    for (size_t i = 0; said[i]; i++)
        putenv(said[i]);
    char *mpi = library_show(part->argv[0], part->folder);
    part->environment = copy(environ);
    free(said);
    free(changed);
    return mpi;
}

long parts_pes(const struct uno_launch *launch) {
    long n = 0;
    for (int i = 0; i < launch->parts; i++)
        n += launch->part[i].n;
    return n;
}

void parts_finish(struct uno_launch *launch) {
    char **here = copy(environ);
    for (int i = 0; i < launch->parts; i++) {
        char *mpi = make_environment(&launch->part[i], here);
        if (!launch->mpi)
            launch->mpi = mpi;
        else
            free(mpi);
    }
    environ = here;
}

static size_t count_words(char *const *list) {
    size_t words = 0;
    while (list[words])
        words++;
    return words;
}

char **parts_front(struct uno_launch *launch, char *const *front) {
    size_t size = 0, before = count_words(front);
    for (int i = 0; i < launch->parts; i++)
        size += before + count_words(launch->part[i].argv) + 1;
    char **lists = calloc(size, sizeof *lists), **at = lists;
    for (int i = 0; lists && i < launch->parts; i++) {
        struct uno_part *part = &launch->part[i];
        size_t words = count_words(part->argv);
        memcpy(at, front, before * sizeof *at);
        memcpy(at + before, part->argv, words * sizeof *at);
        part->argv = at;
        at += before + words + 1;
    }
    return lists;
}

void parts_free(struct uno_launch *launch) {
    for (int i = 0; i < launch->parts; i++)
        free(launch->part[i].environment);
    free(launch->part);
    free((char *)launch->mpi);
}
