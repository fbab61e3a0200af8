"""Tasks for the workers of a pool: `tasks.py SIDE CASE WORKERS COUNT`, SIDE being unisono, processes, joblib, mpi4py or
serial. Prints the seconds from the first task to the last result, of workers that are there already; for the case start
nothing: there the whole program counts. Every result is checked."""

import sys
import time

ARRAY = 131072  # doubles: 1 MB


def first(x):
    return x + 1


def loop(sum, count):
    for i in range(count):
        sum += i & 3
    return sum


def short(x):
    return loop(x, 250)


def long(x):
    return loop(x, 25000)


def look(array):
    return float(array[0] + array[-1]), array.nbytes


def unisono_map(workers):
    import unisono
    return unisono.Pool(workers).map


def processes_map(workers):
    from concurrent.futures import ProcessPoolExecutor
    pool = ProcessPoolExecutor(workers)
    return lambda f, all: pool.map(f, all, chunksize=chunk(len(all), workers))


def joblib_map(workers):
    import joblib
    parallel = joblib.Parallel(n_jobs=workers)
    return lambda f, all: parallel(joblib.delayed(f)(x) for x in all)


def mpi4py_map(workers):
    from mpi4py.futures import MPIPoolExecutor
    pool = MPIPoolExecutor(workers)
    return lambda f, all: pool.map(f, all, chunksize=chunk(len(all), workers))


def chunk(count, workers):
    """By hand, as their manuals advise, where they do not choose: arrays one by one."""
    return 1 if sys.argv[2] == "1 MB" else max(count // (workers * 16), 1)


def main():
    side, case, workers, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    map_of = {"unisono": unisono_map, "processes": processes_map, "joblib": joblib_map, "mpi4py": mpi4py_map,
              "serial": lambda workers: map}[side](workers)
    if list(map_of(first, range(4 * workers))) != list(range(1, 4 * workers + 1)):
        sys.exit("first: wrong")
    if case == "start":
        return
    if case == "1 MB":
        import numpy
        arrays = [numpy.full(ARRAY, float(k)) for k in range(16)]
        values = [arrays[k % 16] for k in range(count)]
        right = [(2.0 * (k % 16), ARRAY * 8) for k in range(count)]
        function = look
        list(map_of(look, values[:16]))
    else:
        function, values = {"10 us": short, "1 ms": long}[case], range(count)
        right = [*range(function(0), function(0) + count)]
        list(map_of(function, range(16)))
    start = time.perf_counter()
    results = list(map_of(function, values))
    seconds = time.perf_counter() - start
    if results != right:
        sys.exit(f"{case}: wrong")
    print(seconds)


if __name__ == "__main__":
    main()
