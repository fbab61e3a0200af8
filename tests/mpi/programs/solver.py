"""A program of mpi4py: buffers, pickled objects, derived types, nonblocking calls, and communicators of all kinds. What
it prints depends on the number of ranks only."""

from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
after, before = (rank + 1) % size, (rank - 1) % size


def report(name, value):
    """Print the values of all ranks, in rank order."""
    everything = world.gather(value)
    if rank == 0:
        print(name, everything, flush=True)


def jacobi(points, steps):
    """A rod of this rank's points and two more, whose ends are 0 and 1, in a row of ranks."""
    line = world.Create_cart([size])
    left, right = line.Shift(0, 1)
    x = array("d", [0.0] * (points + 2))
    if right == MPI.PROC_NULL:
        x[-1] = 1.0
    for _ in range(steps):
        view = memoryview(x)
        requests = [line.Irecv([view[0:1], MPI.DOUBLE], left), line.Irecv([view[-1:], MPI.DOUBLE], right),
                    line.Isend([view[1:2], MPI.DOUBLE], left), line.Isend([view[-2:-1], MPI.DOUBLE], right)]
        MPI.Request.Waitall(requests)
        x = array("d", [x[0], *((x[i - 1] + x[i + 1]) / 2 for i in range(1, points + 1)), x[-1]])
    line.Free()
    return x


def column(rows, columns):
    """The second column of a matrix, sent by a derived type and received as a row."""
    matrix = array("i", range(rank * 100, rank * 100 + rows * columns))
    kind = MPI.INT.Create_vector(rows, 1, columns).Commit()
    got = array("i", [0] * rows)
    world.Sendrecv([memoryview(matrix)[1:], 1, kind], after, 3, [got, MPI.INT], before, 3)
    kind.Free()
    return got.tolist()


def longest(a, b, _):
    """Keep, of two parts of memory, the one with the greater first number."""
    if array("i", a)[0] > array("i", b)[0]:
        b[:] = a


report("ranks", (rank, size))
report("object", world.sendrecv({"from": rank, "data": [rank] * 3}, after, source=before))
report("column", column(4, 3))
rod = jacobi(8, 50)
report("heat", [round(t, 12) for t in rod[1:-1]])
total = array("d", [0.0])
world.Allreduce([array("d", [sum(rod[1:-1])]), MPI.DOUBLE], [total, MPI.DOUBLE])
report("sum", round(total[0], 10))
before_me = world.exscan(rank + 1, MPI.SUM)
report("scan", (world.scan(rank + 1), before_me if rank else None))
operation = MPI.Op.Create(longest, commute=True)
pair = array("i", [rank * 7 % 5, rank])
most = array("i", [0, 0])
world.Allreduce([pair, 1, MPI.TWOINT], [most, 1, MPI.TWOINT], operation)
report("most", most[0])
operation.Free()
half = world.Split(rank % 2, -rank)
report("half", half.allgather(rank))
request = half.Ibarrier()
request.Wait()
counts = [i + 1 for i in range(size)]
parts = array("i", [0] * sum(counts))
world.Allgatherv([array("i", [rank] * counts[rank]), MPI.INT], [parts, counts, None, MPI.INT])
report("parts", parts.tolist())
message = world.irecv(1 << 16, before, 9)
world.issend("x" * (1 << 14), after, 9).wait()
report("text", len(message.wait()))
half.Free()
