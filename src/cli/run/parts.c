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

/* Make the environment of a part. This process has a copy of its environment meanwhile, since the functions
 * that change an environment know only that of the process. They may free the list that they changed last, so
 * the part gets a copy of it. Returns the folder of the library, as library_show does. */
static char *make_environment(struct uno_part *part) {
    char **here = copy(environ), **said = part->environment;
    environ = copy(here);
    for (size_t i = 0; said[i]; i++)
        putenv(said[i]);
    char *mpi = library_show(part->argv[0], part->folder);
    part->environment = copy(environ);
    environ = here;
    free(said);
    return mpi;
}

long parts_pes(const struct uno_launch *launch) {
    long n = 0;
    for (int i = 0; i < launch->parts; i++)
        n += launch->part[i].n;
    return n;
}

void parts_finish(struct uno_launch *launch) {
    for (int i = 0; i < launch->parts; i++) {
        char *mpi = make_environment(&launch->part[i]);
        if (!launch->mpi)
            launch->mpi = mpi;
        else
            free(mpi);
    }
}
