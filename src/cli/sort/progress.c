#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "engine/kernel.h"

enum { COLUMNS = 40 };
static const uint64_t EVERY = 100000000; /* ns from one picture to the next */

static void draw(struct sort_progress *progress) {
    uint64_t done = 0;
    for (int k = 0; k < UNO_MAX_PES; k++)
        done += uno_load64_relaxed(&progress->done[k].bytes);
    double share = progress->all ? (double)done / (double)progress->all : 1;
    share = share > 1 ? 1 : share;
    int columns = (int)(share * COLUMNS);
    fprintf(stderr, "\rsort: %3d%% [%.*s%*s]", (int)(share * 100), columns,
            "########################################", COLUMNS - columns, "");
}

static void *run(void *argument) {
    struct sort_progress *progress = argument;
    while (!uno_load32_relaxed(&progress->end)) {
        draw(progress);
        uno_kernel_pause(EVERY);
    }
    return NULL;
}

void sort_progress_begin(struct sort_progress *progress, uint64_t all) {
    *progress = (struct sort_progress){.all = all};
    if (isatty(STDERR_FILENO))
        progress->shown = pthread_create(&progress->thread, NULL, run, progress) == 0;
}

void sort_progress_end(struct sort_progress *progress) {
    if (!progress->shown)
        return;
    uno_store32_relaxed(&progress->end, 1);
    pthread_join(progress->thread, NULL);
    fprintf(stderr, "\r%*s\r", COLUMNS + 15, "");
    progress->shown = false;
}
