/* Objects of the MPI library: communicators, groups, types, operations, attributes, error handlers, info;
 * each made, used and freed. With any number of ranks. */

#include "mpi_check.h"

#include <stddef.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MANY = 3000 };
#else
enum { MANY = 100000 };
#endif

static int rank, size;

static void groups(void) {
    MPI_Group all, some, rest, both, none = MPI_GROUP_EMPTY;
    int n, last = size - 1, result, translated, range[1][3] = {{size - 1, 0, -1}};
    GOOD(MPI_Group_free(&none)); /* it is freed by name, and stays */
    GOOD(MPI_Comm_group(MPI_COMM_WORLD, &all));
    GOOD(MPI_Group_incl(all, 1, &last, &some));
    GOOD(MPI_Group_size(MPI_GROUP_EMPTY, &n));
    CHECK(n == 0);
    GOOD(MPI_Group_difference(all, some, &rest));
    GOOD(MPI_Group_size(rest, &n));
    CHECK(n == size - 1);
    GOOD(MPI_Group_union(some, rest, &both));
    GOOD(MPI_Group_compare(all, both, &result));
    CHECK(result == (size == 1 ? MPI_IDENT : MPI_SIMILAR));
    GOOD(MPI_Group_translate_ranks(both, 1, (int[]){0}, all, &translated));
    CHECK(translated == last);
    GOOD(MPI_Group_free(&both));
    GOOD(MPI_Group_intersection(some, rest, &both));
    CHECK(both == MPI_GROUP_EMPTY);
    GOOD(MPI_Group_free(&both));
    GOOD(MPI_Group_range_incl(all, 1, range, &both));
    GOOD(MPI_Group_rank(both, &n));
    CHECK(n == size - 1 - rank);
    GOOD(MPI_Group_free(&both));
    GOOD(MPI_Group_range_excl(all, 1, range, &both));
    CHECK(both == MPI_GROUP_EMPTY);
    GOOD(MPI_Group_free(&rest));
    GOOD(MPI_Group_free(&some));
    GOOD(MPI_Group_free(&all));
    CHECK(all == MPI_GROUP_NULL);
}

/* The part of a communicator that a kind of resource makes, which has so many ranks; 0: there is none. */
static void part(MPI_Comm comm, int type, const char *key, const char *value, int expected) {
    MPI_Info info;
    MPI_Comm made;
    int n = 0;
    GOOD(MPI_Info_create(&info));
    if (key)
        GOOD(MPI_Info_set(info, key, value));
    GOOD(MPI_Comm_split_type(comm, type, 0, info, &made));
    if (made != MPI_COMM_NULL) {
        GOOD(MPI_Comm_size(made, &n));
        GOOD(MPI_Comm_free(&made));
    }
    CHECK(n == expected);
    GOOD(MPI_Info_free(&info));
}

static void kinds(MPI_Comm comm) {
    part(comm, MPI_COMM_TYPE_SHARED, NULL, NULL, ranks_here());
    part(comm, MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory", ranks_here());
    part(comm, MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "a screw", 0);
    part(comm, MPI_COMM_TYPE_HW_GUIDED, NULL, NULL, 0);
    part(comm, MPI_COMM_TYPE_HW_UNGUIDED, NULL, NULL, 0);
    part(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD", size);
    part(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF", 1);
}

/* Copies beside which the program goes on: several at a time, begun by one rank long before the others. */
static void beside(void) {
    enum { COPIES = 5 };
    MPI_Comm copy[COPIES], again;
    MPI_Request request[COPIES];
    int sum, result, one = 1;
    char token = 0;
    if (rank == 0 && size > 1)
        GOOD(MPI_Recv(&token, 1, MPI_CHAR, size - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < COPIES; i++)
        GOOD(MPI_Comm_idup(i % 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, &copy[i], &request[i]));
    if (rank == size - 1 && size > 1) /* rank 0 waits for it, so nothing can have waited for rank 0 */
        GOOD(MPI_Send(&token, 1, MPI_CHAR, 0, 4, MPI_COMM_WORLD));
    GOOD(MPI_Waitall(COPIES, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < COPIES; i++) {
        GOOD(MPI_Comm_compare(copy[i], i % 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, &result));
        CHECK(result == MPI_CONGRUENT);
        if (i)
            GOOD(MPI_Irecv(&token, 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, copy[i], &request[i]));
    }
    GOOD(MPI_Comm_idup_with_info(copy[0], MPI_INFO_NULL, &again, &request[0]));
    GOOD(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    GOOD(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, again));
    CHECK(sum == size);
    for (int i = 1; i < COPIES; i++) { /* each gets the message of its own communicator */
        int own = i % 2 ? 0 : rank;
        char sent = (char)i;
        GOOD(MPI_Send(&sent, 1, MPI_CHAR, own, i, copy[i]));
        GOOD(MPI_Wait(&request[i], MPI_STATUS_IGNORE));
        CHECK(token == i);
    }
    GOOD(MPI_Comm_free(&again));
    for (int i = 0; i < COPIES; i++)
        GOOD(MPI_Comm_free(&copy[i]));
}

/* Hints that MPI has are kept, and others ignored; a copy has them, too. */
static void hints(void) {
    MPI_Info info, got;
    MPI_Comm comm, copy;
    char value[8], name[MPI_MAX_OBJECT_NAME];
    int flag, length = sizeof value;
    GOOD(MPI_Info_create(&info));
    GOOD(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    GOOD(MPI_Info_set(info, "colour", "red"));
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    GOOD(MPI_Comm_set_info(comm, info));
    GOOD(MPI_Comm_set_info(comm, MPI_INFO_NULL)); /* which changes none */
    GOOD(MPI_Comm_dup(comm, &copy));
    GOOD(MPI_Comm_get_info(copy, &got));
    GOOD(MPI_Info_get_string(got, "mpi_assert_no_any_tag", &length, value, &flag));
    CHECK(flag && strcmp(value, "true") == 0);
    GOOD(MPI_Info_get_string(got, "colour", &length, value, &flag));
    CHECK(!flag);
    GOOD(MPI_Info_free(&got));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_Comm_free(&copy));
    GOOD(MPI_Comm_free(&comm));
    GOOD(MPI_Comm_get_name(MPI_COMM_NULL, name, &length));
    CHECK(strcmp(name, "MPI_COMM_NULL") == 0);
}

/* Numbers of communicators come round: more of them than there may be at a time. */
static void communicators(void) {
    MPI_Comm comm, half;
    int result, n, sum, one = 1;
    for (int i = 0; i < (size == 2 ? MANY : 3000); i++) {
        GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        GOOD(MPI_Comm_free(&comm));
    }
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    GOOD(MPI_Comm_compare(MPI_COMM_WORLD, comm, &result));
    CHECK(result == MPI_CONGRUENT);
    GOOD(MPI_Comm_split(comm, rank % 2 ? MPI_UNDEFINED : 0, -rank, &half));
    CHECK((half == MPI_COMM_NULL) == (rank % 2));
    if (half != MPI_COMM_NULL) {
        GOOD(MPI_Comm_size(half, &n));
        CHECK(n == (size + 1) / 2);
        GOOD(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half));
        CHECK(sum == n);
        GOOD(MPI_Comm_rank(half, &n));
        CHECK(n == (size - 1) / 2 - rank / 2);
        GOOD(MPI_Comm_free(&half));
    }
    GOOD(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &half));
    GOOD(MPI_Comm_size(half, &n));
    CHECK(n == ranks_here());
    GOOD(MPI_Comm_free(&half));
    kinds(comm);
    MPI_Group all, first;
    GOOD(MPI_Comm_group(comm, &all));
    GOOD(MPI_Group_incl(all, 1, (int[]){0}, &first));
    GOOD(MPI_Comm_create(comm, first, &half));
    CHECK((half != MPI_COMM_NULL) == (rank == 0));
    MPI_Comm again;
    int flag = 0;
    GOOD(MPI_Comm_dup(comm, &again)); /* whose number is not that of rank 0's own */
    if (rank == 0) {
        GOOD(MPI_Send(NULL, 0, MPI_INT, 0, 1, again));
        GOOD(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, half, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag);
        GOOD(MPI_Recv(NULL, 0, MPI_INT, 0, 1, again, MPI_STATUS_IGNORE));
    }
    GOOD(MPI_Comm_free(&again));
    if (rank == 0) {
        GOOD(MPI_Comm_free(&half));
        GOOD(MPI_Comm_create_group(comm, first, 5, &half));
        GOOD(MPI_Barrier(half));
        GOOD(MPI_Comm_create_group(comm, MPI_GROUP_EMPTY, 5, &again));
        CHECK(again == MPI_COMM_NULL);
        CHECK(MPI_Comm_fromint(MPI_Comm_toint(half)) == half);
        GOOD(MPI_Comm_free(&half));
    }
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    GOOD(MPI_Group_free(&first));
    GOOD(MPI_Group_free(&all));
    GOOD(MPI_Comm_free(&comm));
}

struct record {
    char letter;
    double value;
    int number[3];
};

/* The first rank has 65,536 numbers for copies beside the program. A copy for which it has none fails at all
 * ranks, and then there is one again as soon as one is freed. */
static void most_copies(void) {
    enum { MOST = 1 << 16 };
    static MPI_Comm copy[MOST];
    MPI_Comm none;
    MPI_Request request;
    int n = 0, failed;
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    do {
        GOOD(MPI_Comm_idup(MPI_COMM_WORLD, n < MOST ? &copy[n] : &none, &request));
        failed = MPI_Wait(&request, MPI_STATUS_IGNORE);
        n += !failed;
    } while (!failed && n <= MOST);
    CHECK(failed == MPI_ERR_OTHER && n > MOST / 2);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    GOOD(MPI_Comm_free(&copy[--n]));
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    GOOD(MPI_Comm_idup(MPI_COMM_WORLD, &copy[n], &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    GOOD(MPI_Barrier(copy[n]));
    for (; n >= 0; n--)
        GOOD(MPI_Comm_free(&copy[n]));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

static void types(void) {
    struct record in = {'a', 2.5, {1, 2, 3}}, out = {0};
    MPI_Datatype record, part, column, types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
    MPI_Aint lb, extent,
        at[] = {offsetof(struct record, letter), offsetof(struct record, value),
                offsetof(struct record, number)};
    int n, position = 0, lengths[] = {1, 1, 3};
    char packed[64];
    GOOD(MPI_Type_create_struct(3, lengths, at, types, &record));
    GOOD(MPI_Type_commit(&record));
    GOOD(MPI_Type_size(record, &n));
    CHECK(n == 21);
    GOOD(MPI_Type_get_extent(record, &lb, &extent));
    CHECK(lb == 0 && extent == sizeof(struct record));
    GOOD(MPI_Pack(&in, 1, record, packed, sizeof packed, &position, MPI_COMM_SELF));
    CHECK(position == n);
    position = 0;
    GOOD(MPI_Unpack(packed, sizeof packed, &position, &out, 1, record, MPI_COMM_SELF));
    CHECK(out.letter == 'a' && out.value == 2.5 && memcmp(in.number, out.number, sizeof in.number) == 0);

    /* a column of a matrix to a row */
    int matrix[4][5], row[4], whole[] = {4, 5}, sub[] = {4, 1}, start[] = {0, 2};
    MPI_Status status;
    for (int i = 0; i < 20; i++)
        matrix[i / 5][i % 5] = i;
    GOOD(MPI_Type_create_subarray(2, whole, sub, start, MPI_ORDER_C, MPI_INT, &column));
    GOOD(MPI_Type_commit(&column));
    GOOD(MPI_Sendrecv(matrix, 1, column, rank, 3, row, 4, MPI_INT, rank, 3, MPI_COMM_WORLD, &status));
    for (int i = 0; i < 4; i++)
        CHECK(row[i] == i * 5 + 2);
    GOOD(MPI_Get_count(&status, column, &n));
    CHECK(n == 1);
    GOOD(MPI_Get_elements(&status, record, &n));
    CHECK(n == MPI_UNDEFINED); /* a letter, a value, and 7 bytes, which are one number and a part of one */

    GOOD(MPI_Type_create_resized(MPI_INT, 0, 8, &part));
    GOOD(MPI_Type_dup(part, &types[0]));
    GOOD(MPI_Type_get_extent(types[0], &lb, &extent));
    CHECK(extent == 8);
    GOOD(MPI_Type_free(&types[0]));
    GOOD(MPI_Type_free(&part));
    GOOD(MPI_Type_free(&column));
    GOOD(MPI_Type_free(&record));
    CHECK(record == MPI_DATATYPE_NULL);
}

static int copies, deletions;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
    (void)comm, (void)keyval;
    copies++;
    *(int **)out = (int *)in + 1;
    *flag = extra != NULL;
    return MPI_SUCCESS;
}

static int delete_one(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void attributes(void) {
    int key, other, numbers[2] = {5, 6}, *value, flag;
    MPI_Comm comm, again;
    GOOD(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767);
    GOOD(MPI_Comm_create_keyval(copy, delete_one, &key, &key));
    GOOD(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL));
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    GOOD(MPI_Comm_set_attr(comm, key, numbers));
    GOOD(MPI_Comm_set_attr(comm, other, numbers));
    GOOD(MPI_Comm_dup(comm, &again));
    GOOD(MPI_Comm_get_attr(again, key, &value, &flag));
    CHECK(flag && *value == 6 && copies == 1);
    GOOD(MPI_Comm_get_attr(again, other, &value, &flag));
    CHECK(!flag);
    GOOD(MPI_Comm_free(&again));
    GOOD(MPI_Comm_delete_attr(comm, key));
    CHECK(deletions == 2);
    GOOD(MPI_Comm_free(&comm));
    GOOD(MPI_Comm_free_keyval(&key));
    GOOD(MPI_Comm_free_keyval(&other));
}

static int handled;

static void handler(MPI_Comm *comm, int *error, ...) {
    CHECK(*comm == MPI_COMM_SELF && *error == MPI_ERR_TAG);
    handled++;
}

static void errors(void) {
    MPI_Errhandler mine, before;
    MPI_Comm none;
    char text[MPI_MAX_ERROR_STRING];
    int length, class, code;
    GOOD(MPI_Comm_create_errhandler(handler, &mine));
    GOOD(MPI_Comm_get_errhandler(MPI_COMM_SELF, &before));
    CHECK(before == MPI_ERRORS_ARE_FATAL);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, mine));
    GOOD(MPI_Errhandler_free(&mine));
    CHECK(MPI_Send(NULL, 0, MPI_INT, 0, -7, MPI_COMM_SELF) == MPI_ERR_TAG && handled == 1);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_SELF) == MPI_ERR_RANK);
    CHECK(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF) == MPI_ERR_TYPE);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, before));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Comm_accept("port", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &none) == MPI_ERR_UNSUPPORTED_OPERATION);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(MPI_Close_port("port") == MPI_ERR_UNSUPPORTED_OPERATION);
    GOOD(MPI_Error_string(MPI_ERR_TAG, text, &length));
    CHECK(strcmp(text, "MPI_ERR_TAG") == 0 && length == (int)strlen(text));
    GOOD(MPI_Add_error_class(&class));
    GOOD(MPI_Add_error_code(class, &code));
    GOOD(MPI_Add_error_string(code, "it rains"));
    GOOD(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "it rains") == 0);
    GOOD(MPI_Error_class(code, &length));
    CHECK(length == class);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, before));
}

static void subtract(void *in, void *inout, int *n, MPI_Datatype *type) {
    CHECK(*type == MPI_INT);
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] = ((int *)in)[i] - ((int *)inout)[i];
}

static void operations(void) {
    MPI_Op op;
    int result, expected = 0;
    GOOD(MPI_Op_create(subtract, 0, &op));
    GOOD(MPI_Op_commutative(op, &result));
    CHECK(!result);
    GOOD(MPI_Op_commutative(MPI_MAXLOC, &result));
    CHECK(result);
    /* in the order of ranks: ((1 - 2) - 3) - ... */
    for (int r = 0; r < size; r++)
        expected = r ? expected - (r + 1) : 1;
    GOOD(MPI_Allreduce((int[]){rank + 1}, &result, 1, MPI_INT, op, MPI_COMM_WORLD));
    CHECK(result == expected);
    GOOD(MPI_Op_free(&op));
}

static void infos(void) {
    MPI_Info info, copy;
    char value[MPI_MAX_INFO_VAL + 1];
    int n, flag, length = sizeof value;
    GOOD(MPI_Info_create(&info));
    GOOD(MPI_Info_set(info, "colour", "red"));
    GOOD(MPI_Info_set(info, "colour", "blue"));
    GOOD(MPI_Info_set(info, "shape", "round"));
    GOOD(MPI_Info_dup(info, &copy));
    GOOD(MPI_Info_free(&info));
    GOOD(MPI_Info_get_string(copy, "colour", &length, value, &flag));
    CHECK(flag && strcmp(value, "blue") == 0 && length == 5);
    GOOD(MPI_Info_delete(copy, "colour"));
    GOOD(MPI_Info_get_nkeys(copy, &n));
    CHECK(n == 1);
    GOOD(MPI_Info_get_nthkey(copy, 0, value));
    CHECK(strcmp(value, "shape") == 0);
    GOOD(MPI_Info_free(&copy));
}

/* An attribute of MPI_COMM_WORLD whose function uses a communicator that the program leaves to MPI_Finalize.
 */
static MPI_Comm inner;
static int inner_key, outer_key, unlinked;

static int unlink_inner(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)value, (void)extra;
    unlinked = MPI_Comm_delete_attr(inner, inner_key) == MPI_SUCCESS;
    return MPI_SUCCESS;
}

static void link_inner(void) {
    GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &inner));
    GOOD(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &inner_key, NULL));
    GOOD(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, unlink_inner, &outer_key, NULL));
    GOOD(MPI_Comm_set_attr(inner, inner_key, &inner));
    GOOD(MPI_Comm_set_attr(MPI_COMM_WORLD, outer_key, &inner));
}

/* The functions that give a handle to Fortran and take it from there, which programs in C use as numbers for
 * handles. */
static void fortran(void) {
    MPI_Comm half;
    MPI_Datatype pair;
    GOOD(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half));
    GOOD(MPI_Type_contiguous(2, MPI_INT, &pair));
    MPI_Fint number = MPI_Comm_c2f(half);
    CHECK(MPI_Comm_f2c(number) == half && number != MPI_Comm_c2f(MPI_COMM_WORLD));
    CHECK(MPI_Type_f2c(MPI_Type_c2f(pair)) == pair && PMPI_Type_f2c(PMPI_Type_c2f(MPI_INT)) == MPI_INT);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM &&
          MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_ENV)) == MPI_INFO_ENV);
    CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);

    char word[4] = "ape";
    MPI_Request request;
    MPI_Status status, back;
    MPI_Fint fields[MPI_F_STATUS_SIZE];
    int count;
    GOOD(MPI_Irecv(word, 4, MPI_CHAR, rank, 7, MPI_COMM_WORLD, &request));
    GOOD(MPI_Send("elk", 4, MPI_CHAR, rank, 7, MPI_COMM_WORLD));
    GOOD(MPI_Wait(&request, &status));
    GOOD(MPI_Status_c2f(&status, fields));
    CHECK(fields[MPI_F_SOURCE] == rank && fields[MPI_F_TAG] == 7);
    GOOD(MPI_Status_f2c(fields, &back));
    GOOD(MPI_Get_count(&back, MPI_CHAR, &count));
    CHECK(count == 4 && back.MPI_TAG == 7);
    GOOD(MPI_Type_free(&pair));
    GOOD(MPI_Comm_free(&half));
}

int main(int argc, char **argv) {
    int flag;
    GOOD(MPI_Initialized(&flag));
    CHECK(!flag);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &flag) == MPI_ERR_UNSUPPORTED_OPERATION);
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    groups();
    communicators();
    beside();
    hints();
    most_copies();
    types();
    attributes();
    errors();
    operations();
    infos();
    fortran();
    link_inner();
    GOOD(MPI_Finalize());
    CHECK(unlinked);
    GOOD(MPI_Finalized(&flag));
    CHECK(flag);
    return EXIT_SUCCESS;
}
