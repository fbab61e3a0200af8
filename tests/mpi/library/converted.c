/* Everything that differs between the ABIs: handles in arrays, statuses, special numbers, and functions of
 * the program that get any of these. It uses MPI 3.1 only, so that it can be compiled for each ABI. With two
 * ranks or more. */

#include "mpi_check.h"

#include <stddef.h>
#include <string.h>

enum { MANY = 100 /* more than are converted without asking for memory */ };

static int rank, size;

static void requests(void) {
    static MPI_Request request[2 * MANY];
    static MPI_Status status[2 * MANY];
    static int in[MANY], out[MANY], index[2 * MANY];
    int next = (rank + 1) % size, before = (rank + size - 1) % size, done, all = 0, n, flag;
    for (int i = 0; i < MANY; i++) {
        out[i] = 1000 * rank + i;
        GOOD(MPI_Irecv(&in[i], 1, MPI_INT, i % 2 ? before : MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &request[i]));
        GOOD(MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &request[MANY + i]));
    }
    while (all < MANY) {
        GOOD(MPI_Waitsome(MANY, request, &done, index, status));
        for (int i = 0; i < done; i++) {
            CHECK(status[i].MPI_SOURCE == before && status[i].MPI_TAG == index[i]);
            CHECK(request[index[i]] == MPI_REQUEST_NULL && in[index[i]] == 1000 * before + index[i]);
            GOOD(MPI_Get_count(&status[i], MPI_INT, &n));
            GOOD(MPI_Test_cancelled(&status[i], &flag));
            CHECK(n == 1 && !flag);
        }
        all += done;
    }
    GOOD(MPI_Waitsome(MANY, request, &done, index, status));
    CHECK(done == MPI_UNDEFINED);
    GOOD(MPI_Waitall(2 * MANY, request, status));
    CHECK(status[0].MPI_SOURCE == MPI_ANY_SOURCE && status[0].MPI_TAG == MPI_ANY_TAG &&
          status[0].MPI_ERROR == MPI_SUCCESS);
    GOOD(MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, status));
    CHECK(status[0].MPI_SOURCE == MPI_PROC_NULL && status[0].MPI_TAG == MPI_ANY_TAG);
    GOOD(MPI_Status_set_elements(status, MPI_DOUBLE, 1 << 20));
    GOOD(MPI_Get_elements(status, MPI_INT, &n));
    CHECK(n == 2 << 20);
    GOOD(MPI_Irecv(in, 1, MPI_INT, 0, MANY, MPI_COMM_WORLD, request));
    GOOD(MPI_Cancel(request));
    GOOD(MPI_Wait(request, status));
    GOOD(MPI_Test_cancelled(status, &flag));
    CHECK(flag);
}

static void types(void) {
    struct pair {
        double value;
        int place;
    } out = {rank, 1}, in[1];
    int lengths[2] = {1, 1}, sizes[2] = {4, 4}, halves[2] = {2, 2}, starts[2] = {0, 2}, integers[8], n, a, t,
        combiner;
    MPI_Aint at[2] = {0, offsetof(struct pair, place)}, none[1];
    MPI_Datatype parts[2] = {MPI_DOUBLE, MPI_INT}, type, resized, part;
    char name[MPI_MAX_OBJECT_NAME];
    GOOD(MPI_Type_create_struct(2, lengths, at, parts, &type));
    GOOD(MPI_Type_create_resized(type, 0, sizeof out, &resized));
    GOOD(MPI_Type_commit(&resized));
    GOOD(MPI_Type_set_name(resized, "a pair"));
    GOOD(MPI_Type_get_name(resized, name, &n));
    CHECK(n == 6 && strcmp(name, "a pair") == 0);
    int other = rank ^ 1, there = other < size;
    GOOD(MPI_Sendrecv(&out, there, resized, there ? other : MPI_PROC_NULL, 1, in, 1, resized,
                      there ? other : MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(!there || (in[0].value == other && in[0].place == 1));
    GOOD(MPI_Type_get_envelope(resized, &n, &a, &t, &combiner));
    CHECK(combiner == MPI_COMBINER_RESIZED && n == 0 && a == 2 && t == 1);
    GOOD(MPI_Type_free(&resized));
    CHECK(resized == MPI_DATATYPE_NULL);
    GOOD(MPI_Type_free(&type));
    GOOD(MPI_Type_create_subarray(2, sizes, halves, starts, MPI_ORDER_FORTRAN, MPI_FLOAT, &type));
    GOOD(MPI_Type_get_envelope(type, &n, &a, &t, &combiner));
    CHECK(combiner == MPI_COMBINER_SUBARRAY && n == 8 && a == 0 && t == 1);
    GOOD(MPI_Type_get_contents(type, 8, 0, 1, integers, none, &part));
    CHECK(integers[7] == MPI_ORDER_FORTRAN && part == MPI_FLOAT);
    GOOD(MPI_Type_free(&type));
    int psizes[1] = {1}, distributions[1] = {MPI_DISTRIBUTE_CYCLIC},
        arguments[1] = {MPI_DISTRIBUTE_DFLT_DARG};
    GOOD(MPI_Type_create_darray(1, 0, 1, sizes, distributions, arguments, psizes, MPI_ORDER_C, MPI_INT,
                                &type));
    GOOD(MPI_Type_get_contents(type, 8, 0, 1, integers, none, &part));
    CHECK(integers[4] == MPI_DISTRIBUTE_CYCLIC && integers[5] == MPI_DISTRIBUTE_DFLT_DARG);
    CHECK(integers[7] == MPI_ORDER_C);
    GOOD(MPI_Type_free(&type));
}

static MPI_Datatype seen_type;

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    seen_type = *type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void collectives(void) {
    int one = 1, sum, all[64] = {0}, ones[64], places[64], got[64];
    MPI_Datatype types_of[64];
    MPI_Op op;
    GOOD(MPI_Op_create(add, 1, &op));
    GOOD(MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD));
    CHECK(sum == size && seen_type == MPI_INT);
    GOOD(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
    GOOD(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    all[rank] = rank + 1;
    GOOD(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++) {
        CHECK(all[i] == i + 1);
        ones[i] = 1;
        places[i] = (int)sizeof(int) * i;
        types_of[i] = MPI_INT;
        all[i] = 100 * rank + i;
    }
    GOOD(MPI_Alltoallw(all, ones, places, types_of, got, ones, places, types_of, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        CHECK(got[i] == 100 * i + rank);
}

static MPI_Comm seen_comm;
static int seen_code, deleted, changes, changed; /* what a handler makes of an error, if it changes it */

static void handler(MPI_Comm *comm, int *code, ...) {
    seen_comm = *comm;
    seen_code = *code;
    if (changes)
        *code = changed;
}

static void file_handler(MPI_File *file, int *code, ...) {
    CHECK(*file == MPI_FILE_NULL);
    seen_code = *code;
}

/* No file is open, but calls for files have an error handler. */
static void file_errors(void) {
    MPI_Errhandler errhandler, now;
    GOOD(MPI_File_get_errhandler(MPI_FILE_NULL, &now));
    CHECK(now == MPI_ERRORS_RETURN);
    GOOD(MPI_File_create_errhandler(file_handler, &errhandler));
    GOOD(MPI_File_set_errhandler(MPI_FILE_NULL, errhandler));
    GOOD(MPI_File_get_errhandler(MPI_FILE_NULL, &now));
    CHECK(now == errhandler);
    GOOD(MPI_Errhandler_free(&now));
    seen_code = MPI_SUCCESS;
    GOOD(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_AMODE));
    CHECK(seen_code == MPI_ERR_AMODE);
    seen_code = MPI_SUCCESS;
    CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRHANDLER_NULL) != MPI_SUCCESS &&
          seen_code != MPI_SUCCESS);
    GOOD(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    GOOD(MPI_Errhandler_free(&errhandler));
}

static int refuse(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)keyval, (void)value, (void)extra;
    seen_comm = comm;
    return deleted++ ? MPI_SUCCESS : MPI_ERR_INTERN;
}

static int copied(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
    (void)keyval, (void)extra;
    seen_comm = comm;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static void functions(void) {
    MPI_Errhandler errhandler, now;
    MPI_Comm comm, copy;
    int kept, counted, refused, flag, result;
    char *value;
    GOOD(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    GOOD(MPI_Comm_create_errhandler(handler, &errhandler));
    GOOD(MPI_Comm_set_errhandler(comm, errhandler));
    GOOD(MPI_Comm_get_errhandler(comm, &now));
    CHECK(now == errhandler);
    GOOD(MPI_Errhandler_free(&now));
    CHECK(MPI_Send(&flag, 1, MPI_INT, 7, 0, comm) == MPI_ERR_RANK && seen_code == MPI_ERR_RANK &&
          seen_comm == comm);
    changes = 1;
    changed = MPI_ERR_OTHER;
    CHECK(MPI_Send(&flag, 1, MPI_INT, 7, 0, comm) == MPI_ERR_OTHER);
    changed = MPI_SUCCESS;
    GOOD(MPI_Send(&flag, 1, MPI_INT, 7, 0, comm));
    changes = 0;
    GOOD(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL));
    GOOD(MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &counted, NULL));
    GOOD(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &refused, NULL));
    GOOD(MPI_Comm_set_attr(comm, kept, &kept));
    GOOD(MPI_Comm_set_attr(comm, counted, &kept));
    GOOD(MPI_Comm_set_attr(comm, refused, &kept));
    GOOD(MPI_Comm_dup(comm, &copy));
    CHECK(seen_comm == comm);
    GOOD(MPI_Comm_get_attr(copy, kept, &value, &flag));
    CHECK(flag && value == (char *)&kept);
    GOOD(MPI_Comm_get_attr(copy, counted, &value, &flag));
    CHECK(flag && value == (char *)&kept + 1);
    GOOD(MPI_Comm_get_attr(copy, refused, &value, &flag));
    CHECK(!flag);
    seen_code = 0;
    CHECK(MPI_Comm_delete_attr(comm, refused) == MPI_ERR_INTERN && seen_code == MPI_ERR_INTERN);
    GOOD(MPI_Comm_delete_attr(comm, refused));
    GOOD(MPI_Comm_free_keyval(&refused));
    CHECK(refused == MPI_KEYVAL_INVALID);
    GOOD(MPI_Comm_free_keyval(&counted));
    GOOD(MPI_Comm_free_keyval(&kept));
    GOOD(MPI_Comm_compare(comm, copy, &result));
    CHECK(result == MPI_CONGRUENT);
    GOOD(MPI_Comm_compare(comm, comm, &result));
    CHECK(result == MPI_IDENT);
    GOOD(MPI_Errhandler_free(&errhandler));
    GOOD(MPI_Comm_free(&copy));
    GOOD(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
}

static void groups(void) {
    MPI_Group all, one;
    MPI_Comm node, none;
    int ranks[2] = {MPI_PROC_NULL, size - 1}, there[2], first = 0, n;
    char name[MPI_MAX_OBJECT_NAME];
    GOOD(MPI_Comm_group(MPI_COMM_WORLD, &all));
    GOOD(MPI_Group_incl(all, 1, &first, &one));
    GOOD(MPI_Group_translate_ranks(all, 2, ranks, one, there));
    CHECK(there[0] == MPI_PROC_NULL && there[1] == (size == 1 ? 0 : MPI_UNDEFINED));
    GOOD(MPI_Group_free(&one));
    GOOD(MPI_Group_free(&all));
    GOOD(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    GOOD(MPI_Comm_size(node, &n));
    CHECK(n == ranks_here());
    GOOD(MPI_Comm_free(&node));
    GOOD(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none));
    CHECK(none == MPI_COMM_NULL);
#ifdef MPIX_COMM_TYPE_NEIGHBORHOOD /* MPICH's own: parts of the network */
    GOOD(MPI_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_NEIGHBORHOOD, 0, MPI_INFO_NULL, &none));
    CHECK(none == MPI_COMM_NULL);
#endif
    GOOD(MPI_Comm_get_name(none, name, &n));
    CHECK(strcmp(name, "MPI_COMM_NULL") == 0);
}

#ifndef MPI_ABI_VERSION
/* The other ABIs have numbers for Fortran; the standard's has none. */
static void fortran(void) {
    MPI_Comm comm;
    MPI_Status status, same;
    MPI_Fint numbers[16];
    GOOD(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm &&
          MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_REAL8)) == MPI_REAL8 && MPI_Op_f2c(MPI_Op_c2f(MPI_LOR)) == MPI_LOR);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL);
    GOOD(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 5, numbers, 1, MPI_INT, 0, 5, comm, &status));
    GOOD(MPI_Status_c2f(&status, numbers));
    GOOD(MPI_Status_f2c(numbers, &same));
    CHECK(numbers[MPI_F_TAG] == 5 && same.MPI_TAG == 5 && same.MPI_SOURCE == 0);
    GOOD(MPI_Comm_free(&comm));
}
#else
static void fortran(void) {}
#endif

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    requests();
    types();
    collectives();
    functions();
    file_errors();
    groups();
    fortran();
    return MPI_Finalize();
}
