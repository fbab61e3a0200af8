#define _GNU_SOURCE
#include "foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The names of MPI libraries begin so: Open MPI's, MPICH's, and that of the standard ABI. */
static bool is_mpi(const char *path) {
    static const char *const names[] = {"libmpi.so", "libmpich.so", "libmpi_abi.so"};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; slash && i < sizeof names / sizeof *names; i++)
        if (strncmp(slash + 1, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Call each(argument, text) for each part of a file in /proc/PROCESS that ends with `end`, as long as it says
 * so. */
static void read_parts(pid_t process, const char *name, int end, bool (*each)(void *argument, char *text),
                       void *argument) {
    char path[64], *part = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    FILE *file = fopen(path, "re");
    for (bool more = true; file && more && getdelim(&part, &room, end, file) >= 0;)
        more = each(argument, part);
    free(part);
    if (file)
        fclose(file);
}

struct look {
    const char *own;
    struct uno_foreign *found;
    bool foreign, launched;
};

/* A line of "maps" ends with the file. */
static bool look_at_map(void *argument, char *line) {
    struct look *look = argument;
    char *path = strchr(line, '/');
    if (!path)
        return true;
    path[strcspn(path, "\n")] = 0;
    look->foreign = is_mpi(path) && strncmp(path, look->own, strlen(look->own)) != 0;
    if (look->foreign)
        snprintf(look->found->library, sizeof look->found->library, "%s", path);
    return !look->foreign;
}

/* Open MPI's mpirun and MPICH's mpiexec tell a rank these. */
static bool look_at_variable(void *argument, char *text) {
    static const char *const names[] = {"PMIX_NAMESPACE=", "PMI_FD=", "PMI_PORT="};
    struct look *look = argument;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        look->launched = look->launched || strncmp(text, names[i], strlen(names[i])) == 0;
    return !look->launched;
}

static bool look_at_children(void *argument, char *text) {
    struct look *look = argument;
    pid_t child = atoi(text);
    return child <= 0 || !uno_foreign_look(child, look->own, look->found);
}

bool uno_foreign_look(pid_t process, const char *own, struct uno_foreign *found) {
    struct look look = {.own = own, .found = found};
    char children[40];
    read_parts(process, "maps", '\n', look_at_map, &look);
    if (look.foreign) {
        read_parts(process, "environ", 0, look_at_variable, &look);
        if (!look.launched)
            found->process = process;
        return !look.launched;
    }
    snprintf(children, sizeof children, "task/%d/children", (int)process);
    read_parts(process, children, ' ', look_at_children, &look);
    return found->process != 0;
}

const char *uno_foreign_own(const struct uno_foreign *found, const char *own, char path[PATH_MAX]) {
    static const char *const folders[] = {"", "others/"};
    char name[UNO_FOREIGN_PATH];
    snprintf(name, sizeof name, "%s", strrchr(found->library, '/') + 1);
    /* libmpi.so.40.30.4 is libmpi.so.40 */
    for (char *dot = name; dot; dot = strrchr(name, '.')) {
        if (dot > name)
            *dot = 0;
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            snprintf(path, PATH_MAX, "%s/%s%s", own, folders[i], name);
            if (access(path, R_OK) == 0)
                return path;
        }
    }
    return NULL;
}
