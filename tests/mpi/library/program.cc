// MPI's old C++ bindings, all that calls the program by functions of C++ and what those need: each line that
// it prints is the same under every MPI library. program FILE: a file that it may make.

#include <mpi.h>

#include <cstdio>
#include <cstring>

static int rank, size;

template <class... Values> static void say(const char *format, Values... values) {
    char line[200];
    std::snprintf(line, sizeof line, format, values...);
    std::printf("%d: %s\n", rank, line);
}

// ---- messages

static void messages() {
    int right = (rank + 1) % size, left = (rank + size - 1) % size, in[3] = {0}, out[3] = {rank, 10, 20};
    MPI::Status status;
    if (rank % 2 == 0)
        MPI::COMM_WORLD.Send(out, 3, MPI::INT, right, 7);
    MPI::COMM_WORLD.Recv(in, 3, MPI::INT, MPI::ANY_SOURCE, MPI::ANY_TAG, status);
    if (rank % 2)
        MPI::COMM_WORLD.Send(out, 3, MPI::INT, right, 7);
    say("received %d %d %d from %d with tag %d, %d of them", in[0], in[1], in[2], status.Get_source(),
        status.Get_tag(), status.Get_count(MPI::INT));

    MPI::Request both[2] = {MPI::COMM_WORLD.Irecv(in, 3, MPI::INT, left, 8),
                            MPI::COMM_WORLD.Isend(out, 2, MPI::INT, right, 8)};
    MPI::Status statuses[2];
    MPI::Request::Waitall(2, both, statuses);
    say("received %d, both done: %d", statuses[0].Get_count(MPI::INT),
        both[0] == MPI::REQUEST_NULL && both[1] == MPI::REQUEST_NULL);

    MPI::Prequest often = MPI::COMM_WORLD.Recv_init(in, 1, MPI::INT, left, 9);
    often.Start();
    MPI::COMM_WORLD.Send(out, 1, MPI::INT, right, 9);
    while (!often.Test(status)) {
    }
    often.Free();
    say("received by a persistent request from %d", status.Get_source());

    MPI::Datatype column = MPI::INT.Create_vector(2, 1, 3), pair = MPI::DOUBLE.Create_contiguous(2);
    int square[6] = {0, 1, 2, 3, 4, 5}, got[2] = {0};
    MPI::Aint low, extent;
    column.Commit();
    pair.Get_extent(low, extent);
    MPI::COMM_WORLD.Sendrecv(square, 1, column, right, 1, got, 2, MPI::INT, left, 1);
    say("a column %d %d of %d bytes, a pair of %d", got[0], got[1], column.Get_size(), (int)extent);
    column.Free();
    pair.Free();
}

// ---- reductions

// 2x2 matrices, whose product depends on the order.
static void multiply(const void *in, void *inout, int n, const MPI::Datatype &type) {
    if (type.Get_size() != 4 * (int)sizeof(long))
        say("the type has %d bytes", type.Get_size());
    const long *a = (const long *)in;
    long *b = (long *)inout;
    for (int i = 0; i < n; i++, a += 4, b += 4) {
        long c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                     a[2] * b[1] + a[3] * b[3]};
        std::memcpy(b, c, sizeof c);
    }
}

static void reductions() {
    long in[8] = {1, rank + 1, 0, 1, 2, rank, 1, 1}, out[8];
    MPI::Datatype matrix = MPI::LONG.Create_contiguous(4);
    MPI::Op product;
    matrix.Commit();
    product.Init(multiply, false);
    MPI::COMM_WORLD.Allreduce(in, out, 2, matrix, product);
    say("product %ld %ld %ld %ld, %ld %ld %ld %ld, it commutes: %d", out[0], out[1], out[2], out[3], out[4],
        out[5], out[6], out[7], product.Is_commutative());
    MPI::COMM_WORLD.Scan(in, out, 2, matrix, product);
    say("scan %ld %ld", out[1], out[4]);
    product.Reduce_local(in, out, 1, matrix);
    say("local %ld", out[1]);
    product.Free();
    matrix.Free();
    int most, mine = rank + 5;
    MPI::COMM_WORLD.Reduce(&mine, &most, 1, MPI::INT, MPI::MAX, 0);
    if (rank == 0)
        say("the most is %d", most);
}

// ---- attributes

static const char *class_of(const MPI::Comm &comm) {
    if (dynamic_cast<const MPI::Cartcomm *>(&comm))
        return "Cartcomm";
    if (dynamic_cast<const MPI::Graphcomm *>(&comm))
        return "Graphcomm";
    if (dynamic_cast<const MPI::Intracomm *>(&comm))
        return "Intracomm";
    return dynamic_cast<const MPI::Intercomm *>(&comm) ? "Intercomm" : "Comm";
}

static int copy(const MPI::Comm &comm, int keyval, void *extra, void *in, void *out, bool &flag) {
    int *value = new int(*(int *)in + 1);
    say("copies %d of %s of %d, extra %s", *(int *)in, class_of(comm), comm.Get_size(), (const char *)extra);
    std::memcpy(out, &value, sizeof value);
    flag = *value != 22;
    return MPI::SUCCESS;
}

static int drop(MPI::Comm &comm, int keyval, void *value, void *extra) {
    say("deletes %d of %s of %d, extra %s", *(int *)value, class_of(comm), comm.Get_size(),
        (const char *)extra);
    return MPI::SUCCESS;
}

// These functions the two libraries declare in different ways.
#ifdef OPEN_MPI
typedef const void *type_value;
#else
typedef void *type_value;
#endif

static int copy_of_type(const MPI::Datatype &type, int keyval, void *extra, type_value in, void *out,
                        bool &flag) {
    say("copies of a type of %d bytes", type.Get_size());
    std::memcpy(out, &in, sizeof in);
    flag = true;
    return MPI::SUCCESS;
}

static int remove_of_type(MPI::Datatype &type, int keyval, void *value, void *extra) {
    say("deletes of a type of %d bytes, extra %s", type.Get_size(), (const char *)extra);
    return MPI::SUCCESS;
}

template <class Comm> static void copies_of(Comm comm, int keyval, int value) {
    int *own = new int(value), *got;
    comm.Set_attr(keyval, own);
    Comm dup = comm.Dup();
    if (dup.Get_attr(keyval, &got))
        say("its copy has %d", *got);
    else
        say("its copy has none");
    dup.Free();
    comm.Delete_attr(keyval);
}

static void attributes() {
    static char extra[] = "more";
    int keyval = MPI::Comm::Create_keyval(copy, drop, extra), index[1] = {0}, none[1] = {0}, rows[1] = {size};
    bool rings[1] = {true};
    copies_of(MPI::COMM_WORLD, keyval, 10);
    copies_of(MPI::COMM_SELF, keyval, 21);
    MPI::Cartcomm grid = MPI::COMM_WORLD.Create_cart(1, rows, rings, false);
    MPI::Graphcomm graph = MPI::COMM_SELF.Create_graph(1, index, none, false);
    MPI::Intracomm half = MPI::COMM_WORLD.Split(rank % 2, rank);
    MPI::Intercomm halves = half.Create_intercomm(0, MPI::COMM_WORLD, 1 - rank % 2, 3);
    copies_of(grid, keyval, 30);
    copies_of(graph, keyval, 40);
    copies_of(half, keyval, 50);
    copies_of(halves, keyval, 60);
    int from, to, place[1];
    grid.Shift(0, 1, from, to);
    grid.Get_coords(rank, 1, place);
    say("shifted from %d to %d, at %d; of the others there are %d", from, to, place[0],
        halves.Get_remote_size());
    MPI::Intracomm all = halves.Merge(rank % 2);
    say("merged %d, compares %d", all.Get_size(), MPI::Comm::Compare(all, MPI::COMM_WORLD) == MPI::CONGRUENT);
    all.Free();
    halves.Free();
    half.Free();
    graph.Free();
    grid.Free();
    MPI::Comm::Free_keyval(keyval);

    int of_types = MPI::Datatype::Create_keyval(copy_of_type, remove_of_type, extra);
    MPI::Datatype three = MPI::INT.Create_contiguous(3);
    three.Set_attr(of_types, extra);
    MPI::Datatype dup = three.Dup();
    void *got;
    say("the copy has it: %d", dup.Get_attr(of_types, &got) && got == extra);
    dup.Free();
    three.Free();
    MPI::Datatype::Free_keyval(of_types);
}

// ---- errors

static int told;
static MPI::Comm *mine;

static void tell(MPI::Comm &comm, int *code, ...) {
    told++;
    int error = MPI::Get_error_class(*code);
    say("told of an error: %d, of its own communicator: %d",
        error == MPI::ERR_RANK || error == MPI::ERR_TOPOLOGY, comm == *mine);
}

struct Own {
    int class_of_it;
};
static void throw_own(MPI::Comm &comm, int *code, ...) {
    throw Own{MPI::Get_error_class(*code)};
}

static void send_to_nobody(MPI::Comm &comm) {
    comm.Send(&rank, 1, MPI::INT, size + 3, 0);
}

// Calls that. What it throws, or says in MPI::mpi_errno, as Open MPI does if it was built without exceptions,
// is an error of that class, which is compared here, since the numbers of classes are the library's.
template <class Call> static void throws(const char *what, int expected, Call call) {
#ifdef OPEN_MPI
    MPI::mpi_errno = MPI::SUCCESS;
#endif
    try {
        call();
#ifdef OPEN_MPI
        if (MPI::mpi_errno != MPI::SUCCESS)
            throw MPI::Exception(MPI::mpi_errno);
#endif
        say("%s: no error", what);
    } catch (MPI::Exception e) {
        char text[MPI::MAX_ERROR_STRING];
        int length, code = e.Get_error_code();
        MPI::Get_error_string(code, text, length);
        say("%s: an error of that class: %d, %d; with its text: %d", what, e.Get_error_class() == expected,
            MPI::Get_error_class(code) == expected, *text && !std::strcmp(text, e.Get_error_string()));
    }
}

static void errors() {
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    MPI::COMM_WORLD.Set_errhandler(
        MPI::ERRORS_THROW_EXCEPTIONS); // MPICH's calls without a communicator throw by that alone
    comm.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    say("has that one: %d", comm.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
    for (int i = 0; i < 3; i++)
        throws("sent to nobody", MPI::ERR_RANK, [&] { send_to_nobody(comm); });
    int sum = 0;
    comm.Allreduce(&rank, &sum, 1, MPI::INT, MPI::SUM);
    MPI::Intracomm copied = comm.Dup();
    int two[2] = {1, 2};
    MPI::Request request = copied.Irecv(&sum, 1, MPI::INT, (rank + size - 1) % size, 0);
    copied.Send(two, 2, MPI::INT, (rank + 1) % size, 0);
    throws("received too much", MPI::ERR_TRUNCATE, [&] { request.Wait(); });
    int added = MPI::Add_error_class(), code = MPI::Add_error_code(added), length;
    char text[MPI::MAX_ERROR_STRING];
    MPI::Add_error_string(code, "the lamp is out");
    MPI::Get_error_string(code, text, length);
    throws(text, added, [&] { comm.Call_errhandler(code); });

    MPI::Errhandler tells = MPI::Comm::Create_errhandler(tell),
                    another = MPI::Comm::Create_errhandler(throw_own);
    mine = &comm;
    comm.Set_errhandler(tells);
    say("has its own: %d", comm.Get_errhandler() == tells);
    send_to_nobody(comm);
    comm.Call_errhandler(MPI::ERR_TOPOLOGY);
    say("told %d times", told);
    comm.Set_errhandler(another);
    try {
        send_to_nobody(comm);
        say("nothing was thrown");
    } catch (Own own) {
        say("its own was thrown: %d", own.class_of_it == MPI::ERR_RANK);
    }
    comm.Set_errhandler(MPI::ERRORS_RETURN);
    send_to_nobody(comm);
    tells.Free();
    another.Free();
    copied.Free();
    comm.Free();
}

// ---- requests of the program's own

static int query(void *extra, MPI::Status &status) {
    status.Set_elements(MPI::INT, *(int *)extra);
    status.Set_cancelled(false);
    status.Set_source(2);
    status.Set_tag(3);
    return MPI::SUCCESS;
}
static int end(void *extra) {
    say("a request of its own ends");
    return MPI::SUCCESS;
}
static int cancel(void *extra, bool complete) {
    say("it is cancelled, and complete: %d", complete);
    return MPI::SUCCESS;
}

static void own_requests() {
    int elements = 6;
    MPI::Status status;
    MPI::Grequest of_any, request = of_any.Start(query, end, cancel, &elements);
    request.Cancel();
    request.Complete();
    request.Wait(status);
    say("it had %d of %d, tag %d", status.Get_elements(MPI::INT), status.Get_source(), status.Get_tag());
}

// ---- windows and files

static int copy_of_window(const MPI::Win &window, int keyval, void *extra, void *in, void *out, bool &flag) {
    return MPI::SUCCESS;
}
static int remove_of_window(MPI::Win &window, int keyval, void *value, void *extra) {
    say("a window loses %d", *(int *)value);
    return MPI::SUCCESS;
}
static void error_of_window(MPI::Win &window, int *code, ...) {
    say("an error of a window: %d", MPI::Get_error_class(*code) == MPI::ERR_OTHER);
}
static void error_of_file(MPI::File &file, int *code, ...) {
    say("an error of a file: %d", MPI::Get_error_class(*code) == MPI::ERR_OTHER);
}

static void windows() {
    int memory[2], value = 40 + rank, *kept = NULL;
    MPI::Win window = MPI::Win::Create(memory, sizeof memory, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
    window.Fence(0);
    MPI::COMM_WORLD.Set_errhandler(
        MPI::ERRORS_ARE_FATAL); // whoever takes a window or file for a communicator fails
    int keyval = MPI::Win::Create_keyval(copy_of_window, remove_of_window, NULL);
    window.Set_attr(keyval, &value);
    say("a window has %d", window.Get_attr(keyval, &kept) && kept == &value);
    MPI::Errhandler tells = MPI::Win::Create_errhandler(error_of_window);
    window.Set_errhandler(tells);
    window.Call_errhandler(MPI::ERR_OTHER);
    window.Set_errhandler(MPI::ERRORS_RETURN);
    tells.Free();
    window.Delete_attr(keyval);
    MPI::Win::Free_keyval(keyval);
    window.Free();
}

static void files(const char *path) {
    MPI::File file = MPI::File::Open(
        MPI::COMM_WORLD, path, MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE, MPI::INFO_NULL);
    int value = 50 + rank, got = -1;
    MPI::Status status;
    file.Set_view(0, MPI::INT, MPI::INT, "native", MPI::INFO_NULL);
    file.Write_at_all(rank, &value, 1, MPI::INT);
    file.Sync();
    MPI::COMM_WORLD.Barrier();
    file.Read_at((rank + 1) % size, &got, 1, MPI::INT, status);
    say("read %d, %d of them, of %d bytes", got, status.Get_count(MPI::INT), (int)file.Get_size());
    MPI::Errhandler tells = MPI::File::Create_errhandler(error_of_file);
    file.Set_errhandler(tells);
    file.Call_errhandler(MPI::ERR_OTHER);
    file.Set_errhandler(MPI::ERRORS_RETURN);
    tells.Free();
    file.Close();
}

int main(int argc, char **argv) {
    std::setvbuf(stdout, NULL, _IOLBF, BUFSIZ); // lines of several ranks stay whole
    MPI::Init(argc, argv);
    rank = MPI::COMM_WORLD.Get_rank();
    size = MPI::COMM_WORLD.Get_size();
    messages();
    reductions();
    attributes();
    errors();
    own_requests();
    windows();
    files(argv[1]);
    int keyval = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, drop, (void *)"at the end"),
        *left = new int(70);
    MPI::COMM_SELF.Set_attr(keyval, left);
    MPI::Finalize();
    return 0;
}
