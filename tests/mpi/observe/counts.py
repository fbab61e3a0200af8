"""A program of mpi4py that writes what it has called: by function its calls and bytes, and the messages and bytes to
each rank. It counts them itself, as counts.c does for programs in C."""

import array
import collections
import os

from mpi4py import MPI

comm = MPI.COMM_WORLD
me, n = comm.rank, comm.size
right, left = (me + 1) % n, (me - 1) % n
calls, to = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])


def add(numbers, size):
    numbers[0] += 1
    numbers[1] += size


def count(function, size=0, rank=None):
    add(calls[function], size)
    if rank is not None:
        add(to[rank], size)


for i in range(10):
    data, room = array.array("d", [me] * (i + me)), array.array("d", [0] * 99)
    comm.Sendrecv(data, right, 0, room, left, 0)
    count("MPI_Sendrecv", 8 * len(data), right)
    request = comm.Isend(data, left, 1)
    count("MPI_Isend", 8 * len(data), left)
    comm.Recv(room, MPI.ANY_SOURCE, 1)
    count("MPI_Recv")
    request.Wait()
    count("MPI_Wait")
    comm.Bcast(room, root=i % n)
    count("MPI_Bcast", 8 * 99 if me == i % n else 0)
    comm.Allreduce(MPI.IN_PLACE, room)
    count("MPI_Allreduce", 8 * 99)
    blocks = array.array("i", [0] * 2 * n)
    comm.Alltoall(blocks, array.array("i", blocks))
    count("MPI_Alltoall", 8 * n)
    comm.Barrier()
    count("MPI_Barrier")
    thing = {"a rank": me, "a text": "x" * i}
    if me % 2 == 0 and me + 1 < n:
        comm.send(thing, me + 1)
        count("MPI_Send", len(MPI.pickle.dumps(thing)), me + 1)
    if me % 2:
        assert comm.recv(source=me - 1) == {**thing, "a rank": me - 1}

with open(f"{os.environ['COUNTS']}.{me}", "w") as f:
    f.writelines(f"call {name} {numbers[0]} {numbers[1]}\n" for name, numbers in calls.items())
    f.writelines(f"to {rank} {numbers[0]} {numbers[1]}\n" for rank, numbers in to.items())
