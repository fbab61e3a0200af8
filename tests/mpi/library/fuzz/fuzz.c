/* The fuzzer's program: calls functions of MPI with one argument wrong, one call after the other, and writes
 * down what has become of each before it begins the next: so whoever finds it crashed knows by what. main.py
 * starts it again behind that.
 *
 *     fuzz list                 the cases: their number, the ranks that can make them, the function, what is
 * wrong fuzz cases LOG SECONDS FIRST      from that one on; a call that takes longer is ended by a signal
 *     fuzz fatal LOG SECONDS NUMBER     one case, whose error ends the program
 *     fuzz early LOG SECONDS FUNCTION   one function before MPI_Init; late: after MPI_Finalize */

#include "fuzz.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct right right;

static int log_file;
static unsigned limit;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (right.rank == 0 && write(log_file, line, (size_t)length) != length)
        abort();
}

/* ---- what came of a call ---------------------------------------------------------------------------------
 */

static const struct {
    int class;
    const char *name;
} classes[] = {
#define C(name)                                                                                              \
    { MPI_##name, #name }
    C(SUCCESS),
    C(ERR_BUFFER),
    C(ERR_COUNT),
    C(ERR_TYPE),
    C(ERR_TAG),
    C(ERR_COMM),
    C(ERR_RANK),
    C(ERR_ROOT),
    C(ERR_GROUP),
    C(ERR_OP),
    C(ERR_TOPOLOGY),
    C(ERR_DIMS),
    C(ERR_ARG),
    C(ERR_UNKNOWN),
    C(ERR_TRUNCATE),
    C(ERR_OTHER),
    C(ERR_INTERN),
    C(ERR_PENDING),
    C(ERR_IN_STATUS),
    C(ERR_REQUEST),
    C(ERR_KEYVAL),
    C(ERR_NO_MEM),
    C(ERR_INFO),
    C(ERR_INFO_KEY),
    C(ERR_INFO_VALUE),
    C(ERR_INFO_NOKEY),
    C(ERR_DISP),
    C(ERR_NAME),
    C(ERR_WIN),
    C(ERR_BASE),
    C(ERR_LOCKTYPE),
    C(ERR_ASSERT),
    C(ERR_RMA_SYNC),
    C(ERR_RMA_RANGE),
    C(ERR_RMA_ATTACH),
    C(ERR_RMA_FLAVOR),
    C(ERR_SIZE),
    C(ERR_FILE),
    C(ERR_IO),
    C(ERR_AMODE),
    C(ERR_NO_SUCH_FILE),
    C(ERR_BAD_FILE),
    C(ERR_ACCESS),
    C(ERR_DUP_DATAREP),
    C(ERR_NOT_SAME),
    C(ERR_NO_SPACE),
    C(ERR_UNSUPPORTED_OPERATION),
    C(ERR_UNSUPPORTED_DATAREP),
#if defined MPI_ERR_ERRHANDLER || defined MPI_ABI_VERSION
    C(ERR_ERRHANDLER),
#endif
#if defined MPI_ERR_ABI || defined MPI_ABI_VERSION
    C(ERR_ABI),
#endif
#if defined MPI_ERR_VALUE_TOO_LARGE || defined MPI_ABI_VERSION
    C(ERR_VALUE_TOO_LARGE),
#endif
#undef C
};

static const char *class_of(int error) {
    static char number[32];
    int class = error;
    if (right.inside && MPI_Error_class(error, &class) != MPI_SUCCESS)
        class = error;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].class == class)
            return classes[i].name;
    snprintf(number, sizeof number, "error_%d", class);
    return number;
}

/* ---- functions of the program's ------------------------------------------------------------------------ */

void user_function(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)in, (void)inout, (void)n, (void)type;
}

void user_function_c(void *in, void *inout, MPI_Count *n, MPI_Datatype *type) {
    (void)in, (void)inout, (void)n, (void)type;
}

void user_errhandler(MPI_Comm *comm, int *error, ...) {
    (void)comm, (void)error;
}

int user_extent(MPI_Datatype type, MPI_Aint *extent, void *state) {
    (void)type, (void)state;
    *extent = 4;
    return MPI_SUCCESS;
}

int user_query(void *state, MPI_Status *status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

int user_free(void *state) {
    (void)state;
    return MPI_SUCCESS;
}

int user_cancel(void *state, int complete) {
    (void)complete;
    return user_free(state);
}

/* ---- the run ------------------------------------------------------------------------------------------- */

static void outside(void) {
    right = (struct right){.size = 1,
                           .comm = MPI_COMM_WORLD,
                           .cart = MPI_COMM_WORLD,
                           .graph = MPI_COMM_WORLD,
                           .dist = MPI_COMM_WORLD,
                           .inter = MPI_COMM_WORLD,
                           .group = MPI_GROUP_EMPTY,
                           .own = MPI_GROUP_EMPTY,
                           .others = MPI_GROUP_EMPTY,
                           .type = MPI_INT,
                           .info = MPI_INFO_NULL,
                           .file = MPI_FILE_NULL,
                           .comm_keyval = MPI_KEYVAL_INVALID,
                           .type_keyval = MPI_KEYVAL_INVALID,
                           .win_keyval = MPI_KEYVAL_INVALID,
                           .keyval = MPI_KEYVAL_INVALID,
                           .errorclass = MPI_ERR_OTHER,
                           .errorcode = MPI_ERR_OTHER};
}

static void begin(void) {
    int one = 1, zero = 0, indx[] = {1, 2}, edges[] = {0, 0}, all[] = {0, 1};
    MPI_Init(NULL, NULL);
    right.inside = 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &right.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &right.size);
    good(MPI_Comm_dup(MPI_COMM_WORLD, &right.comm));
    good(MPI_Cart_create(right.comm, 1, &right.size, &one, 0, &right.cart));
    good(MPI_Graph_create(right.comm, right.size, indx, edges, 0, &right.graph));
    /* from rank 0 to each */
    good(MPI_Dist_graph_create_adjacent(right.comm, 1, &zero, MPI_UNWEIGHTED, right.rank ? 0 : right.size,
                                        all, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &right.dist));
    good(MPI_Comm_group(right.comm, &right.group));
    good(MPI_Comm_group(MPI_COMM_SELF, &right.own));
    good(MPI_Group_difference(right.group, right.own, &right.others));
    if (right.size > 1)
        good(MPI_Intercomm_create(MPI_COMM_SELF, 0, right.comm, 1 - right.rank, 7, &right.inter));
    good(MPI_Type_vector(2, 1, 2, MPI_INT, &right.type));
    good(MPI_Type_commit(&right.type));
    good(MPI_Info_create(&right.info));
    right.file = new_file();
    good(MPI_File_delete(file_name, MPI_INFO_NULL)); /* nothing of it is left */
    right.comm_keyval = new_comm_keyval();
    right.keyval = new_comm_keyval();
    right.type_keyval = new_type_keyval();
    right.win_keyval = new_win_keyval();
    right.errorclass = new_errorclass();
    right.errorcode = new_errorcode();
}

/* Run one case, in which errors are not returned. */
static void fatal(int wanted) {
    int number = 0;
    begin();
    right.fatal = 1;
    const MPI_Comm all[] = {MPI_COMM_WORLD, MPI_COMM_SELF, right.comm, right.cart, right.graph, right.dist};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        MPI_Comm_set_errhandler(all[i], MPI_ERRORS_ARE_FATAL);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_set_errhandler(right.file, MPI_ERRORS_ARE_FATAL);
    alarm(limit);
    for (int f = 0; f < function_count; f++)
        for (int i = 0; i < functions[f].cases; i++, number++)
            if (number == wanted)
                tell("%s\n", class_of(functions[f].call(i)));
}

static void cases(int first) {
    int number = 0;
    begin();
    for (int f = 0; f < function_count; f++)
        for (int i = 0; i < functions[f].cases; i++, number++) {
            char ranks = functions[f].ranks[i];
            if (number < first || ranks == (right.size > 1 ? '1' : 'i'))
                continue;
            tell("%d ", number);
            alarm(limit);
            int error = functions[f].call(i);
            tell("%s\n", class_of(error));
            tidy();
            if (right.size > 1)
                MPI_Barrier(MPI_COMM_WORLD);
        }
    alarm(0);
    drop_file(&right.file);
    tell("end\n");
    MPI_Finalize();
}

static void list(void) {
    int number = 0;
    for (int f = 0; f < function_count; f++)
        for (int i = 0; i < functions[f].cases; i++)
            printf("%d %c %s %s\n", number++, functions[f].ranks[i], functions[f].name,
                   i ? functions[f].wrong[i - 1] : "right");
}

int main(int argc, char **argv) {
    if (argc == 2) {
        list();
        return EXIT_SUCCESS;
    }
    if (argc != 5 || (log_file = open(argv[2], O_WRONLY | O_APPEND)) < 0)
        return 2;
    limit = (unsigned)atoi(argv[3]);
    snprintf(file_name, sizeof file_name, "%s-file-%d", argv[2], (int)getpid());
    outside();
    if (strcmp(argv[1], "cases") == 0) {
        cases(atoi(argv[4]));
        return EXIT_SUCCESS;
    }
    if (strcmp(argv[1], "fatal") == 0) {
        fatal(atoi(argv[4]));
        return EXIT_SUCCESS;
    }
    if (strcmp(argv[1], "late") == 0) {
        MPI_Init(NULL, NULL);
        MPI_Finalize();
    }
    alarm(limit);
    for (int f = 0; f < function_count; f++)
        if (strcmp(functions[f].name, argv[4]) == 0)
            tell("%s\n", class_of(functions[f].call(0)));
    return EXIT_SUCCESS;
}
