#define _GNU_SOURCE
#include "accelerator/host/host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct uno_host uno_host_table;

static _Noreturn void refuse(const char *what, const char *more) {
    fprintf(stderr, "unisono: %s%s\n", what, more);
    exit(EXIT_FAILURE);
}

/* Return where the host's functions are looked for: in the libraries behind this one, or, when a program has
 * loaded the host privately, in the library of its name. */
static void *library(void) {
    if (dlsym(RTLD_NEXT, "PMPI_Init"))
        return RTLD_NEXT;
    void *handle = dlopen(UNO_MPI_SONAME, RTLD_NOLOAD | RTLD_LAZY);
    if (!handle)
        refuse("an MPI function was called, but " UNO_MPI_SONAME " is not loaded, for which this accelerator "
               "was built: ",
               "preload the one that fits the program's MPI library");
    return handle;
}

static void *find(void *handle, const char *name) {
    void *address = dlsym(handle, name);
    if (!address)
        refuse("the MPI library has not what this accelerator needs (was it built for another one?): ", name);
    return address;
}

/* The wrong build would take the library's handles for something else. */
static void check_version(void *handle) {
    /* longer than any library's limit */
    static char text[1 << 15];
    int length = 0;
    __typeof__(PMPI_Get_library_version) *version;
    *(void **)&version = find(handle, "PMPI_Get_library_version");
    version(text, &length);
    text[strcspn(text, "\n")] = 0;
    if ((strstr(text, "Open MPI") != NULL) != UNO_MPI_OPENMPI)
        refuse("this accelerator was built for " UNO_MPI_SONAME ", and the program uses ", text);
}

#if UNO_MPI_OPENMPI
/* A program may hold the library's variables itself (the linker copies them into it), so it is asked first.
 */
static void *find_variable(void *handle, const char *name) {
    void *address = dlsym(RTLD_DEFAULT, name);
    return address ? address : find(handle, name);
}
#endif

static void fill(void) {
    void *handle = library();
    check_version(handle);
#define X(name) *(void **)&uno_host_table.name = find(handle, "PMPI_" #name);
    UNO_HOST_FUNCTIONS(X)
    UNO_HOST_COUNTING_FUNCTIONS(X)
    UNO_HOST_FORTRAN_FUNCTIONS(X)
#undef X
#ifdef UNO_MPI_LARGE_COUNTS
#define X(name) *(void **)&uno_host_table.name##_c = find(handle, "PMPI_" #name "_c");
    UNO_HOST_COUNTING_FUNCTIONS(X)
#undef X
#endif
#define X(name) uno_host_table.name = find_variable(handle, #name);
    UNO_HOST_VARIABLES(X)
#undef X
    *(void **)&uno_host_table.Comm_revoke = dlsym(handle, "PMPIX_Comm_revoke");
    uno_host_table.tolerant = dlsym(handle, "ompi_ftmpi_enabled");
    /* SYNC HOST: the rest of the table */
    uno_store32_release(&uno_host_table.found, 1);
}

void uno_host_find(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
}
