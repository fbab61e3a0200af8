#include "library/file/representation.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/file/data.h"
#include "library/rank/face.h"
#include "library/type/predefined.h"

enum kind { NATIVE, EXTERNAL, REGISTERED };

/* Data of a registered representation are as in memory where the program has named no function that converts
 * them. */
struct uno_io_representation {
    char name[MPI_MAX_DATAREP_STRING];
    enum kind kind;
    void (*read)(void), (*write)(void); /* with counts of 64 bits, if `large` */
    bool large;
    MPI_Datarep_extent_function *extent;
    void *state;
    struct uno_io_representation *next;
};

static const struct uno_io_representation own[] = {{.name = "native", .kind = NATIVE},
                                                   {.name = "internal", .kind = NATIVE},
                                                   {.name = "external32", .kind = EXTERNAL}};

const struct uno_io_representation *uno_io_representation(const char *name) {
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i].name) == 0)
            return &own[i];
    const struct uno_io_representation *r = uno_rank->representation;
    while (r && strcmp(name, r->name) != 0)
        r = r->next;
    return r;
}

const char *uno_io_representation_name(const struct uno_io_representation *r) {
    return r->name;
}

bool uno_io_is_native(const struct uno_io_representation *r) {
    return r->kind == NATIVE || (r->kind == REGISTERED && !r->read && !r->write);
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

static MPI_Datatype handle_of(struct uno_mpi_type *type) {
    return (MPI_Datatype)uno_face.handle(type->object.handle);
}

int uno_io_extent(const struct uno_io_representation *r, struct uno_mpi_type *type, MPI_Count *extent) {
    *extent = type->layout.extent;
    if (r->kind == EXTERNAL && (MPI_Count)type->layout.size == type->layout.extent)
        return uno_mpi_pack_external_size(r->name, 1, type, extent);
    if (r->kind != REGISTERED)
        return MPI_SUCCESS;
    MPI_Aint there;
    int error = uno_face.error_from(r->extent(handle_of(type), &there, r->state));
    *extent = error ? 0 : there;
    return error;
}

int uno_io_size(const struct uno_io_representation *r, struct uno_mpi_type *type, MPI_Count *size) {
    *size = (MPI_Count)type->layout.size;
    if (uno_io_is_native(r))
        return MPI_SUCCESS;
    return r->kind == EXTERNAL ? uno_mpi_pack_external_size(r->name, 1, type, size)
                               : uno_io_extent(r, type, size);
}

/* ---- conversion ---------------------------------------------------------------------------------------- */

static int convert_external(const struct uno_io_representation *r, const struct uno_io_data *data,
                            void *bytes, MPI_Count elements) {
    MPI_Count position = 0, size;
    int error = uno_io_size(r, data->type, &size);
    if (error)
        return error;
    return data->writes ? uno_mpi_pack_external(r->name, data->at, elements, data->type, bytes,
                                                elements * size, &position)
                        : uno_mpi_unpack_external(r->name, bytes, elements * size, &position, data->at,
                                                  elements, data->type);
}

int uno_io_convert(const struct uno_io_representation *r, const struct uno_io_data *data, void *bytes,
                   MPI_Count elements) {
    if (r->kind == EXTERNAL)
        return convert_external(r, data, bytes, elements);
    void (*function)(void) = data->writes ? r->write : r->read;
    if (!function) {
        struct uno_io_data some = *data;
        some.count = elements;
        uno_io_pack(&some, 0, uno_io_bytes(&some), bytes);
        return MPI_SUCCESS;
    }
    MPI_Datatype type = handle_of(data->type);
    if (!r->large && elements > INT_MAX)
        return uno_error(MPI_ERR_CONVERSION, "the functions of \"%s\" convert at most %d elements at once",
                         r->name, INT_MAX);
    int error = r->large ? ((MPI_Datarep_conversion_function_c *)function)(data->at, type, elements, bytes, 0,
                                                                           r->state)
                         : ((MPI_Datarep_conversion_function *)function)(data->at, type, (int)elements, bytes,
                                                                         0, r->state);
    return uno_face.error_from(error);
}

/* ---- registering --------------------------------------------------------------------------------------- */

int uno_mpi_register_datarep(const char *datarep, void (*read_conversion_fn)(void), bool large,
                             void (*write_conversion_fn)(void),
                             MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state) {
    if (!*datarep || strlen(datarep) >= MPI_MAX_DATAREP_STRING)
        return uno_error(MPI_ERR_ARG, "datarep has %zu characters; the most are %d", strlen(datarep),
                         MPI_MAX_DATAREP_STRING - 1);
    if (uno_io_representation(datarep))
        return uno_error(MPI_ERR_DUP_DATAREP, "there is a representation \"%s\" already", datarep);
    struct uno_io_representation *r = uno_base_allocate(1, sizeof *r);
    *r = (struct uno_io_representation){.kind = REGISTERED,
                                        .read = read_conversion_fn,
                                        .write = write_conversion_fn,
                                        .large = large,
                                        .extent = dtype_file_extent_fn,
                                        .state = extra_state,
                                        .next = uno_rank->representation};
    strcpy(r->name, datarep);
    uno_rank->representation = r;
    return MPI_SUCCESS;
}

void uno_io_representations_end(void) {
    for (struct uno_io_representation *r; (r = uno_rank->representation);) {
        uno_rank->representation = r->next;
        free(r);
    }
}
