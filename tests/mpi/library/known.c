/* Everything that the library provides of itself: predefined types with names and attributes, types that are
 * found by their sizes, the environment, and errors and keys that are made and freed. */

#include "mpi_check.h"

#include <string.h>

/* ---- predefined types ---------------------------------------------------------------------------------- */

static void names(void) {
    char name[MPI_MAX_OBJECT_NAME];
    int n;
    GOOD(MPI_Type_get_name(MPI_DOUBLE, name, &n));
    CHECK(strcmp(name, "MPI_DOUBLE") == 0 && n == 10);
    GOOD(MPI_Type_set_name(MPI_DOUBLE, "a number"));
    GOOD(MPI_Type_get_name(MPI_DOUBLE, name, &n));
    CHECK(strcmp(name, "a number") == 0);
    GOOD(MPI_Type_get_name(MPI_FLOAT, name, &n));
    CHECK(strcmp(name, "MPI_FLOAT") == 0);
    GOOD(MPI_Type_get_name(MPI_LONG_LONG, name, &n)); /* by the name of which this is a synonym */
    CHECK(strcmp(name, "MPI_LONG_LONG_INT") == 0);
    GOOD(MPI_Type_get_name(MPI_C_FLOAT_COMPLEX, name, &n));
    CHECK(strcmp(name, "MPI_C_COMPLEX") == 0);
    GOOD(MPI_Type_get_name(MPI_DATATYPE_NULL, name, &n));
    CHECK(strcmp(name, "MPI_DATATYPE_NULL") == 0);
}

static int copies, deletes;

static int copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag) {
    (void)type, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static int delete (MPI_Datatype type, int key, void *value, void *extra) {
    (void)type, (void)key, (void)value, (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

/* A freed key exists as long as an object has an attribute with it. */
static void attributes(void) {
    MPI_Datatype type;
    int key, kept, value, *got, flag;
    GOOD(MPI_Type_create_keyval(copy, delete, &key, NULL));
    kept = key;
    GOOD(MPI_Type_set_attr(MPI_INT, key, &value));
    GOOD(MPI_Type_get_attr(MPI_INT, key, &got, &flag));
    CHECK(flag && got == &value);
    GOOD(MPI_Type_get_attr(MPI_FLOAT, key, &got, &flag));
    CHECK(!flag);
    GOOD(MPI_Type_dup(MPI_INT, &type));
    CHECK(copies == 1);
    GOOD(MPI_Type_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID);
    GOOD(MPI_Type_get_attr(type, kept, &got, &flag));
    CHECK(flag && got == &value);
    GOOD(MPI_Type_delete_attr(type, kept));
    GOOD(MPI_Type_delete_attr(MPI_INT, kept));
    CHECK(deletes == 2);
    CHECK(MPI_Type_delete_attr(MPI_INT, kept) == MPI_ERR_KEYVAL);
    GOOD(MPI_Type_free(&type));
}

/* ---- types found by their values
 * ------------------------------------------------------------------------ */

static void sizes(void) {
    MPI_Datatype type, same;
    MPI_Count integers, addresses, counts, types;
    int combiner, n[2];
    GOOD(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type));
    CHECK(type == MPI_REAL8);
    GOOD(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type));
    CHECK(type == MPI_INTEGER2);
    CHECK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 5, &type) == MPI_ERR_ARG);
    GOOD(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type));
    CHECK(type == MPI_DOUBLE_INT);
    GOOD(MPI_Type_get_value_index(MPI_CHAR, MPI_LONG, &type));
    CHECK(type == MPI_DATATYPE_NULL);
    GOOD(MPI_Type_create_f90_real(7, MPI_UNDEFINED, &type));
    GOOD(MPI_Type_create_f90_real(7, MPI_UNDEFINED, &same));
    CHECK(type == same);
    GOOD(MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner));
    CHECK(combiner == MPI_COMBINER_F90_REAL && integers == 2 && addresses + counts + types == 0);
    GOOD(MPI_Type_get_contents(type, 2, 0, 0, n, NULL, NULL));
    CHECK(n[0] == 7 && n[1] == MPI_UNDEFINED);
    CHECK(MPI_Type_free(&same) == MPI_ERR_TYPE);
    double in = 1.5, out = 0;
    int rank, size;
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    GOOD(MPI_Allreduce(&in, &out, 1, type, MPI_SUM, MPI_COMM_WORLD));
    CHECK(out == 1.5 * size);
    CHECK(MPI_Type_create_f90_integer(40, &type) == MPI_ERR_ARG);
}

/* ---- bounds -------------------------------------------------------------------------------------------- */

/* Explicit bounds hide those of other parts; a large type has exactly its own. */
static void bounds(void) {
    MPI_Datatype wide, both, vector;
    MPI_Aint lb, extent, at[] = {0, 200};
    MPI_Count size;
    GOOD(MPI_Type_create_resized(MPI_CHAR, -4, 100, &wide));
    GOOD(MPI_Type_create_struct(2, (int[]){1, 1}, at, (MPI_Datatype[]){wide, MPI_INT}, &both));
    GOOD(MPI_Type_get_extent(both, &lb, &extent));
    CHECK(lb == -4 && extent == 100);
    GOOD(MPI_Type_vector(1000000000, 1, 2, MPI_DOUBLE, &vector));
    GOOD(MPI_Type_size_c(vector, &size));
    CHECK(size == 8000000000);
    GOOD(MPI_Type_free(&wide));
    GOOD(MPI_Type_free(&both));
    GOOD(MPI_Type_free(&vector));
}

/* The representation for all machines has its own sizes and order. */
static void external(void) {
    static const unsigned char must[] = {0xff, 0xff, 0xff, 0xfe, 0x3f, 0xff, 0x80, 0, 0, 0,
                                         0,    0,    0,    0,    0,    0,    0,    0, 0, 0};
    struct {
        long a;
        long double b;
    } in = {-2, 1.5L}, out = {0, 0};
    unsigned char bytes[sizeof must] = {0};
    MPI_Datatype type;
    MPI_Aint size, position = 0, at[] = {0, (char *)&in.b - (char *)&in};
    GOOD(MPI_Type_create_struct(2, (int[]){1, 1}, at, (MPI_Datatype[]){MPI_LONG, MPI_LONG_DOUBLE}, &type));
    GOOD(MPI_Pack_external_size("external32", 1, type, &size));
    CHECK(size == sizeof must);
    GOOD(MPI_Pack_external("external32", &in, 1, type, bytes, size, &position));
    CHECK(position == size && memcmp(bytes, must, sizeof must) == 0);
    position = 0;
    GOOD(MPI_Unpack_external("external32", bytes, size, &position, &out, 1, type));
    CHECK(out.a == in.a && out.b == in.b);
    CHECK(MPI_Pack_external_size("native", 1, type, &size) == MPI_ERR_UNSUPPORTED_DATAREP);
    GOOD(MPI_Type_free(&type));
}

/* ---- the environment ----------------------------------------------------------------------------------- */

static int has(MPI_Info info, const char *key, const char *value) {
    char text[MPI_MAX_INFO_VAL];
    int bytes = sizeof text, flag;
    GOOD(MPI_Info_get_string(info, key, &bytes, text, &flag));
    return flag && (!value || strcmp(text, value) == 0);
}

static void environment(void) {
    MPI_Info info, kept = MPI_INFO_ENV;
    unsigned char yes[8], no[8];
    char ranks[16];
    int size, set;
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    snprintf(ranks, sizeof ranks, "%d", size);
    CHECK(has(MPI_INFO_ENV, "maxprocs", ranks) && has(MPI_INFO_ENV, "command", NULL));
    GOOD(MPI_Info_free(&kept));
    GOOD(MPI_Info_create_env(0, NULL, &info));
    CHECK(!has(info, "thread_level", NULL) && has(MPI_INFO_ENV, "wdir", NULL));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_Get_hw_resource_info(&info));
    CHECK(has(info, "hwloc://Machine", "true") && has(info, "hwloc://PU", NULL));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_Abi_get_info(&info));
    CHECK(has(info, "mpi_aint_size", "8"));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_Abi_get_fortran_info(&info));
    CHECK(has(info, "mpi_integer_size", "4") && has(info, "mpi_real2_supported", "false"));
    CHECK(MPI_Abi_set_fortran_info(info) == MPI_ERR_ABI);
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_Abi_get_fortran_booleans(8, yes, no, &set));
    CHECK(set && yes[0] == 1 && no[0] == 0 && yes[7] == 0);
}

/* ---- errors of the program's ----------------------------------------------------------------------------
 */

static void errors(void) {
    int class, code, again, length;
    char text[MPI_MAX_ERROR_STRING];
    GOOD(MPI_Add_error_class(&class));
    GOOD(MPI_Add_error_code(class, &code));
    GOOD(MPI_Add_error_string(code, "it is late"));
    CHECK(MPI_Remove_error_class(class) == MPI_ERR_ARG);
    CHECK(MPI_Remove_error_code(code) == MPI_ERR_ARG);
    GOOD(MPI_Remove_error_string(code));
    GOOD(MPI_Error_string(code, text, &length));
    CHECK(length == 0);
    CHECK(MPI_Remove_error_string(code) == MPI_ERR_ARG);
    GOOD(MPI_Remove_error_code(code));
    CHECK(MPI_Error_class(code, &again) == MPI_ERR_ARG);
    GOOD(MPI_Add_error_string(class, "lateness"));
    CHECK(MPI_Remove_error_class(class) == MPI_ERR_ARG);
    GOOD(MPI_Remove_error_string(class));
    GOOD(MPI_Remove_error_class(class));
    GOOD(MPI_Add_error_class(&again));
    CHECK(again == class);
    GOOD(MPI_Remove_error_class(again));
    CHECK(MPI_Remove_error_class(MPI_ERR_RANK) == MPI_ERR_ARG);
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                                 MPI_ERRORS_RETURN)); /* also of calls without a communicator */
    names();
    attributes();
    sizes();
    bounds();
    external();
    environment();
    errors();
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
