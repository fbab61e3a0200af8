"""The cost of a call from Python: `calls.py SIDE SAMPLES CALLS BYTES` under the side's launcher, SIDE being unisono or
mpi4py. PE 0 prints JSON, the nanoseconds of one operation in each sample: a barrier; a sum of 8 bytes, a number here
and a NumPy array of one element there; and a sum of arrays of so many bytes. Every result is checked, and every call
has new data."""

import json
import sys
import time

import numpy


def samples_of(samples, calls, wait, loop):
    each = []
    for _ in range(samples):
        wait()
        start = time.perf_counter_ns()
        loop(calls)
        each.append((time.perf_counter_ns() - start) / calls)
    return each


def unisono_loops():
    import unisono
    wait, reduce, n = unisono.wait, unisono.reduce, unisono.size()

    def waits(calls):
        for _ in range(calls):
            wait()

    def reductions(calls):
        for i in range(calls):
            if reduce(i) != i * n:
                sys.exit("reduce: wrong")

    return unisono.rank(), n, wait, lambda a, b: reduce(a, out=b), {"wait": waits, "reduce": reductions}


def mpi4py_loops():
    from mpi4py import MPI
    comm = MPI.COMM_WORLD
    wait, reduce, n = comm.Barrier, comm.Allreduce, comm.Get_size()
    one, sum = numpy.zeros(1, "int64"), numpy.zeros(1, "int64")

    def waits(calls):
        for _ in range(calls):
            wait()

    def reductions(calls):
        for i in range(calls):
            one[0] = i
            reduce(one, sum)
            if sum[0] != i * n:
                sys.exit("Allreduce: wrong")

    return comm.Get_rank(), n, wait, reduce, {"wait": waits, "reduce": reductions}


def main():
    side, samples, calls, size = sys.argv[1], *map(int, sys.argv[2:])
    rank, n, wait, reduce, loops = {"unisono": unisono_loops, "mpi4py": mpi4py_loops}[side]()
    result = {name: samples_of(samples, calls, wait, loop) for name, loop in loops.items()}
    own, sum = numpy.full(size // 8, rank, "float64"), numpy.zeros(size // 8)
    result["array"] = []
    for i in range(samples):
        own += 1
        wait()
        start = time.perf_counter_ns()
        reduce(own, sum)
        result["array"].append(time.perf_counter_ns() - start)
        if not (sum == (i + 1) * n + n * (n - 1) / 2).all():
            sys.exit("array: wrong")
    if rank == 0:
        print(json.dumps(result))


main()
