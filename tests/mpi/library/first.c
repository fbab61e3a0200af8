/* Functions of MPI-1 that MPI has removed since: old programs for MPICH's and Open MPI's libraries still call
 * them. */

#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#define OMPI_REMOVED_USE_STATIC_ASSERT 0
#include "mpi_check.h"

#include <string.h>

#ifdef MPICH_VERSION /* its mpi.h no longer has them, and its library does */
int MPI_Address(void *location, MPI_Aint *address);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent);
int MPI_Type_hindexed(int count, int lengths[], MPI_Aint places[], MPI_Datatype of, MPI_Datatype *made);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype of, MPI_Datatype *made);
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *place);
int MPI_Type_struct(int count, int lengths[], MPI_Aint places[], MPI_Datatype of[], MPI_Datatype *made);
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *place);
#endif

enum { MOST = 4 };

/* A structure of members of one element each, and its expected properties. */
struct row {
    int members;
    MPI_Datatype type[MOST];
    MPI_Aint place[MOST];
    MPI_Aint low, high;
};

static void bounds(MPI_Datatype type, MPI_Aint low, MPI_Aint high) {
    MPI_Aint lower, upper, extent, lb;
    GOOD(MPI_Type_lb(type, &lower));
    GOOD(MPI_Type_ub(type, &upper));
    GOOD(MPI_Type_extent(type, &extent));
    CHECK(lower == low && upper == high && extent == high - low);
    GOOD(MPI_Type_get_extent(type, &lb, &extent));
    CHECK(lb == low && extent == high - low);
}

static void nowhere(void) {
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Type_lb(MPI_INT, NULL) == MPI_ERR_ARG && MPI_Type_ub(MPI_INT, NULL) == MPI_ERR_ARG &&
          MPI_Type_extent(MPI_INT, NULL) == MPI_ERR_ARG);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* Check two of them side by side, the second where the first ends. */
static void twice(MPI_Datatype one, const struct row *row) {
    MPI_Datatype two;
    MPI_Aint step = row->high - row->low;
    GOOD(MPI_Type_contiguous(2, one, &two));
    bounds(two, row->low + (step < 0 ? step : 0), row->high + (step > 0 ? step : 0));
    GOOD(MPI_Type_free(&two));
}

static void structures(void) {
    const struct row rows[] = {
        {2, {MPI_INT, MPI_CHAR}, {0, 4}, 0, 8},
        {3, {MPI_LB, MPI_INT, MPI_UB}, {-3, 0, 6}, -3, 6},
        {3, {MPI_INT, MPI_CHAR, MPI_UB}, {0, 4, 5}, 0, 5},
        {2, {MPI_INT, MPI_UB}, {0, 2}, 0, 2},
        {2, {MPI_INT, MPI_UB}, {0, -8}, 0, -8},
        {2, {MPI_DOUBLE, MPI_LB}, {8, 12}, 12, 16},
        {4, {MPI_LB, MPI_LB, MPI_INT, MPI_UB}, {4, -4, 0, 100}, -4, 100},
        {1, {MPI_LB}, {10}, 10, 0},
        {1, {MPI_UB}, {10}, 0, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct row row = rows[i];
        int ones[MOST] = {1, 1, 1, 1}, size, all = 0;
        MPI_Datatype made, outer;
        GOOD(MPI_Type_struct(row.members, ones, row.place, row.type, &made));
        GOOD(MPI_Type_commit(&made));
        bounds(made, row.low, row.high);
        for (int k = 0; k < row.members; k++) {
            GOOD(MPI_Type_size(row.type[k], &size));
            all += size;
        }
        GOOD(MPI_Type_size(made, &size));
        CHECK(size == all);
        if (i < 7)
            twice(made, &row);
        /* explicit bounds continue in types made of the type */
        MPI_Aint places[] = {0, 1000};
        GOOD(MPI_Type_struct(2, ones, places, (MPI_Datatype[]){made, MPI_UB}, &outer));
        bounds(outer, row.low, 1000 > row.high ? 1000 : row.high);
        GOOD(MPI_Type_free(&outer));
        GOOD(MPI_Type_free(&made));
    }
}

/* Send ints with gaps, given by the bound alone, to the next rank. */
static void message(void) {
    int out[6] = {1, 0, 2, 0, 3, 0}, in[6] = {0}, rank, size, ones[] = {1, 1};
    MPI_Aint places[] = {0, 2 * sizeof(int)}, here, there;
    MPI_Datatype gap, types[] = {MPI_INT, MPI_UB};
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    GOOD(MPI_Address(&out[0], &here));
    GOOD(MPI_Address(&out[2], &there));
    CHECK(there - here == places[1]);
    GOOD(MPI_Type_struct(2, ones, places, types, &gap));
    GOOD(MPI_Type_commit(&gap));
    GOOD(MPI_Sendrecv(out, 3, gap, (rank + 1) % size, 0, in, 3, gap, (rank + size - 1) % size, 0,
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(memcmp(in, out, sizeof in) == 0);
    GOOD(MPI_Type_free(&gap));
}

static void others(void) {
    char name[MPI_MAX_OBJECT_NAME];
    int length, lengths[] = {2, 1};
    MPI_Aint places[] = {8, 0};
    MPI_Datatype made;
    MPI_Errhandler handler;
    GOOD(MPI_Type_hvector(3, 1, 12, MPI_INT, &made));
    bounds(made, 0, 28);
    GOOD(MPI_Type_free(&made));
    GOOD(MPI_Type_hindexed(2, lengths, places, MPI_INT, &made));
    bounds(made, 0, 16);
    GOOD(MPI_Type_free(&made));
    GOOD(MPI_Type_get_name(MPI_LB, name, &length));
    CHECK(strcmp(name, "MPI_LB") == 0);
    GOOD(MPI_Type_get_name(MPI_UB, name, &length));
    CHECK(strcmp(name, "MPI_UB") == 0);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_UB)) == MPI_UB && MPI_UB != MPI_LB);
    GOOD(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    GOOD(MPI_Errhandler_get(MPI_COMM_WORLD, &handler));
    CHECK(handler == MPI_ERRORS_RETURN);
    CHECK(MPI_Send(NULL, 1, MPI_INT, -9, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    structures();
    nowhere();
    message();
    others();
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
