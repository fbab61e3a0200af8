#define _GNU_SOURCE
#include "places.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "launch/memories.h"
#include "launch/places.h"
#include "observe/memory.h"

struct top_places {
    pid_t launcher;
    int n;
    const struct uno_seen_memory *memory;
    size_t size;
    struct uno_places *lines;
    char **text; /* of each site of each PE, once it has been asked for */
};

/* Map the memory in which the job records, if this is it. The PEs may write over it, so that its header does
 * not count later. */
static bool look_at(void *argument, pid_t process, int fd) {
    struct top_places *places = argument;
    size_t size = uno_seen_size(places->n);
    struct stat st;
    if (process != places->launcher || fstat(fd, &st) || (size_t)st.st_size < size)
        return false;
    void *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return false;
    places->memory = memory;
    places->size = size;
    return places->memory->magic == UNO_SEEN_MAGIC && uno_seen_ranks(places->memory) == places->n;
}

struct top_places *top_places_open(pid_t launcher, int n) {
    struct top_places *places = calloc(1, sizeof *places);
    if (!places)
        return NULL;
    places->launcher = launcher;
    places->n = n;
    places->text = calloc((size_t)n * UNO_SEEN_SITES, sizeof *places->text);
    if (!places->text || !uno_memories("unisono-observe", O_RDONLY, look_at, places)) {
        top_places_close(places);
        return NULL;
    }
    places->lines = uno_places_open();
    return places;
}

void top_places_close(struct top_places *places) {
    if (!places)
        return;
    if (places->memory)
        munmap((void *)places->memory, places->size);
    for (size_t i = 0; places->text && i < (size_t)places->n * UNO_SEEN_SITES; i++)
        free(places->text[i]);
    free(places->text);
    uno_places_close(places->lines);
    free(places);
}

/* Copy a name of a PE's, which has an end within its text. */
static void copy(const struct uno_seen_rank *rank, uint32_t at, char *text, size_t bytes) {
    at = at < UNO_SEEN_TEXT ? at : UNO_SEEN_TEXT - 1;
    snprintf(text, bytes, "%.*s", (int)(UNO_SEEN_TEXT - at), rank->text + at);
}

/* Return the text of a site. */
static char *write_site(struct top_places *places, const struct uno_seen_rank *rank, uint64_t site) {
    enum { TEXT = 512 };
    char function[TEXT], file[TEXT], line[TEXT], *text;
    struct uno_seen_site at = rank->table[site];
    copy(rank, at.function, function, sizeof function);
    copy(rank, at.file, file, sizeof file);
    if (at.address)
        uno_places_find(places->lines, file, at.address, line, sizeof line);
    const char *whole = at.address ? line : file, *slash = strrchr(whole, '/');
    if (asprintf(&text, "%s at %s", function, slash ? slash + 1 : whole) < 0)
        return NULL;
    return text;
}

const char *top_place(struct top_places *places, int k) {
    const struct uno_seen_rank *rank =
        (const struct uno_seen_rank *)((const char *)places->memory + 4096 +
                                       (size_t)k * uno_seen_rank_size(places->n));
    uint64_t site = uno_load64_relaxed(&rank->site);
    if (!site || site > UNO_SEEN_SITES || site == 1) /* the first is that of all that found no room */
        return NULL;
    char **text = &places->text[(size_t)k * UNO_SEEN_SITES + site - 1];
    if (!*text)
        *text = write_site(places, rank, site - 1);
    return *text;
}
