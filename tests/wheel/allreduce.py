"""The sum of 8 bytes over all ranks, again and again: `mpirun -n 4 python allreduce.py COUNT`. Rank 0 prints the
microseconds of one, the least of its ranks. Every result is checked."""

import sys
import time
from array import array

from mpi4py import MPI

comm, count = MPI.COMM_WORLD, int(sys.argv[1])
one, total = array("d", [0]), array("d", [0])
comm.Barrier()
start = time.perf_counter()
for i in range(count):
    one[0] = i
    comm.Allreduce(one, total)
    if total[0] != i * comm.Get_size():
        sys.exit("Allreduce: wrong")
microseconds = comm.reduce((time.perf_counter() - start) / count * 1e6, MPI.MIN)
if comm.Get_rank() == 0:
    print(f"{microseconds:.2f}")
