#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

void folder_make(char folder[FOLDER]) {
    const char *base = getenv("TMPDIR");
    uint64_t words[FOLDER / sizeof(uint64_t)] = {0};
    if (p_iproc() == 0) {
        snprintf(folder, FOLDER, "%s/unisono.XXXXXX", base && strlen(base) < 40 ? base : "/tmp");
        CHECK(mkdtemp(folder));
        memcpy(words, folder, FOLDER);
    }
    for (size_t i = 0; i < FOLDER / sizeof(uint64_t); i++)
        words[i] = p_putget64u(words[i], 0);
    memcpy(folder, words, FOLDER);
}

void folder_remove(const char *folder) {
    p_wait();
    if (p_iproc() == 0)
        CHECK(rmdir(folder) == 0);
}
