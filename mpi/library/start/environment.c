/* Info objects that describe the program's environment: how it was started, the machine, and the ABI. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine/environment.h"
#include "engine/pe.h"
#include "library/calls.h"
#include "library/start/environment.h"
#include "library/type/predefined.h"

static int give(struct uno_mpi_info *made, MPI_Info *info) {
    *info = (MPI_Info)made->object.handle;
    return MPI_SUCCESS;
}

static void set_number(struct uno_mpi_info *info, const char *key, int number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    uno_mpi_info_set(info, key, text);
}

static void set_flag(struct uno_mpi_info *info, const char *key, bool flag) {
    uno_mpi_info_set(info, key, flag ? "true" : "false");
}

/* ---- the start --------------------------------------------------------------------------------------- */

/* Write the command, and its arguments separated by blanks. */
static void tell_command(struct uno_mpi_info *info) {
    char line[MPI_MAX_INFO_VAL] = "";
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? 0 : read(file, line, sizeof line - 1);
    if (file >= 0)
        close(file);
    size_t command = strlen(line) + 1;
    for (ssize_t i = (ssize_t)command; i < bytes - 1; i++)
        if (!line[i])
            line[i] = ' ';
    uno_mpi_info_set(info, "command", line);
    uno_mpi_info_set(info, "argv", (ssize_t)command < bytes ? line + command : "");
}

/* Return MPI_INFO_ENV. Its level of threads is the one requested before the program was started: none. */
struct uno_mpi_info *uno_info_env(void) {
    struct uno_mpi_info *env = uno_info_copy(NULL);
    char text[MPI_MAX_INFO_VAL] = "";
    struct utsname machine;
    tell_command(env);
    /* a child of a rank is a job of its own, in spite of the inherited environment */
    set_number(env, "maxprocs", uno_self->job ? uno_self->n : uno_environment_pes());
    if (getcwd(text, sizeof text))
        uno_mpi_info_set(env, "wdir", text);
    if (uname(&machine) == 0) {
        uno_mpi_info_set(env, "host", machine.nodename);
        uno_mpi_info_set(env, "arch", machine.machine);
    }
    return env;
}

int uno_mpi_info_create_env(int argc, char *argv[], MPI_Info *info) {
    (void)argc, (void)argv; /* the program may have changed them */
    return give(uno_rank ? uno_info_copy(uno_rank->env) : uno_info_env(), info);
}

/* ---- the machine ------------------------------------------------------------------------------------- */

/* Read a list of processors as Linux writes it, "0-3,8"; it is empty if the file cannot be read. */
static void read_list(int processor, const char *name, cpu_set_t *set) {
    char path[128], text[1024] = "", *at = text;
    int from, to, used;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", processor, name);
    CPU_ZERO(set);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (!fgets(text, sizeof text, file))
        *text = 0;
    fclose(file);
    while (sscanf(at, "%d%n", &from, &used) == 1) {
        at += used;
        to = from;
        if (sscanf(at, "-%d%n", &to, &used) == 1)
            at += used;
        for (int i = from; i <= to && i < CPU_SETSIZE; i++)
            CPU_SET(i, set);
        at += *at == ',';
    }
}

/* Describe the hardware: for a core and a package, whether it contains all processors that this rank may run
 * on. */
int uno_mpi_get_hw_resource_info(MPI_Info *hw_info) {
    static const char *const lists[] = {"core_cpus_list", "package_cpus_list"};
    static const char *const keys[] = {"hwloc://Core", "hwloc://Package"};
    struct uno_mpi_info *info = uno_info_copy(NULL);
    cpu_set_t own, all, both;
    int first = 0;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &own))
        first++;
    set_flag(info, "hwloc://Machine", true);
    set_flag(info, "hwloc://PU", CPU_COUNT(&own) == 1);
    for (int i = 0; i < 2; i++) {
        read_list(first, lists[i], &all);
        CPU_AND(&both, &all, &own);
        set_flag(info, keys[i], CPU_COUNT(&own) > 0 && CPU_EQUAL(&both, &own));
    }
    return give(info, hw_info);
}

/* ---- the ABI ----------------------------------------------------------------------------------------- */

int uno_mpi_abi_get_info(MPI_Info *info) {
    struct uno_mpi_info *made = uno_info_copy(NULL);
    set_number(made, "mpi_aint_size", sizeof(MPI_Aint));
    set_number(made, "mpi_count_size", sizeof(MPI_Count));
    set_number(made, "mpi_offset_size", sizeof(MPI_Offset));
    return give(made, info);
}

static bool is_there(MPI_Datatype type) {
    return uno_find_type(type) != NULL;
}

/* Describe Fortran's types: those of gfortran without options that change them. */
int uno_mpi_abi_get_fortran_info(MPI_Info *info) {
    struct uno_mpi_info *made = uno_info_copy(NULL);
    set_number(made, "mpi_logical_size", 4);
    set_number(made, "mpi_integer_size", sizeof(int));
    set_number(made, "mpi_real_size", sizeof(float));
    set_number(made, "mpi_double_precision_size", sizeof(double));
    set_flag(made, "mpi_logical1_supported", is_there(MPI_LOGICAL1));
    set_flag(made, "mpi_logical2_supported", is_there(MPI_LOGICAL2));
    set_flag(made, "mpi_logical4_supported", is_there(MPI_LOGICAL4));
    set_flag(made, "mpi_logical8_supported", is_there(MPI_LOGICAL8));
    set_flag(made, "mpi_logical16_supported", is_there(MPI_LOGICAL16));
    set_flag(made, "mpi_integer1_supported", is_there(MPI_INTEGER1));
    set_flag(made, "mpi_integer2_supported", is_there(MPI_INTEGER2));
    set_flag(made, "mpi_integer4_supported", is_there(MPI_INTEGER4));
    set_flag(made, "mpi_integer8_supported", is_there(MPI_INTEGER8));
    set_flag(made, "mpi_integer16_supported", is_there(MPI_INTEGER16));
    set_flag(made, "mpi_real2_supported", is_there(MPI_REAL2));
    set_flag(made, "mpi_real4_supported", is_there(MPI_REAL4));
    set_flag(made, "mpi_real8_supported", is_there(MPI_REAL8));
    set_flag(made, "mpi_real16_supported", is_there(MPI_REAL16));
    set_flag(made, "mpi_complex4_supported", is_there(MPI_COMPLEX4));
    set_flag(made, "mpi_complex8_supported", is_there(MPI_COMPLEX8));
    set_flag(made, "mpi_complex16_supported", is_there(MPI_COMPLEX16));
    set_flag(made, "mpi_complex32_supported", is_there(MPI_COMPLEX32));
    set_flag(made, "mpi_double_complex_supported", is_there(MPI_DOUBLE_COMPLEX));
    return give(made, info);
}

int uno_mpi_abi_set_fortran_info(struct uno_mpi_info *info) {
    (void)info;
    return uno_error(MPI_ERR_ABI, "the sizes of Fortran's types are known, and stay");
}

/* Return Fortran's booleans: true is 1, as in gfortran. */
int uno_mpi_abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set) {
    if (logical_size != 1 && logical_size != 2 && logical_size != 4 && logical_size != 8 &&
        logical_size != 16)
        return uno_rank ? uno_error(MPI_ERR_ARG, "there is no logical of %d bytes", logical_size)
                        : MPI_ERR_ARG;
    memset(logical_true, 0, (size_t)logical_size);
    memset(logical_false, 0, (size_t)logical_size);
    *(char *)logical_true = 1;
    *is_set = 1;
    return MPI_SUCCESS;
}

int uno_mpi_abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false) {
    (void)logical_size, (void)logical_true, (void)logical_false;
    return uno_rank ? uno_error(MPI_ERR_ABI, "Fortran's logicals are known, and stay") : MPI_ERR_ABI;
}
