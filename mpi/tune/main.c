/* mpi-tune MODULE FILE MODE LIBRARY...: measure an MPI library with and without the accelerator that has been
 * preloaded. This program itself knows no MPI: it loads the first LIBRARY that there is, as the launcher's
 * own comes first, and then the MODULE, which was compiled for that kind of library. So one module serves all
 * versions. */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "tune.h"

enum { MODULE = 1, FILE_NAME, MODE, LIBRARIES };

int main(int argc, char **argv) {
    int (*tune)(const char *file, bool once);
    void *library = NULL, *module;
    if (argc <= LIBRARIES) {
        fprintf(stderr, "mpi-tune: this is for `unisono mpi --tune` to start\n");
        return 2;
    }
    for (int i = LIBRARIES; i < argc && !library; i++)
        library = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
    module = library ? dlopen(argv[MODULE], RTLD_NOW) : NULL;
    if (!module) {
        fprintf(stderr, "unisono mpi: cannot load the MPI library to measure: %s\n", dlerror());
        return 1;
    }
    *(void **)&tune = dlsym(module, "uno_tune");
    return tune ? tune(argv[FILE_NAME], strcmp(argv[MODE], "once") == 0) : 1;
}
