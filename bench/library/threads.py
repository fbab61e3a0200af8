"""The cost of threads on the MPI library of unisono run: calls of ranks that ask for each level of threads, beside Open
MPI and MPICH with MPI_THREAD_MULTIPLE; and messages of two threads of each rank at once."""

from functools import partial

import fill
import runner
import sides

TURNS = 30
LEVELS = ["funneled", "serialized", "multiple"]
# A row has its text, the number of ranks, the operation, bytes, repetitions in a turn, threads of each rank.
ROWS = [("8 bytes, one way", 2, "latency", 8, 2000, 1), ("64 at a time, of 8 bytes", 2, "rate", 8, 300, 1),
        ("64 at a time, two threads", 2, "rate", 8, 300, 2), ("barrier", 2, "barrier", 8, 2000, 1),
        ("allreduce of 8 bytes", 2, "allreduce", 8, 2000, 1), ("barrier", 4, "barrier", 8, 300, 1),
        ("allreduce of 8 bytes", 4, "allreduce", 8, 300, 1), ("broadcast of 8 KB", 4, "broadcast", 1 << 13, 300, 1),
        ("allreduce of 1 MB", 4, "allreduce", 1 << 20, 10, 1)]


def seconds(side, program, level, ranks, operation, bytes, repetitions, threads):
    if threads > 1 and level != "multiple":
        return None
    return float(side.launch(ranks, [program, operation, bytes, repetitions, TURNS, level, threads]))


def cases(options):
    columns = {}
    for side in sides.sides():
        program = side.build("operation", "operation.c", flags=["-pthread"])
        for level in LEVELS if side.name == "unisono" else LEVELS[-1:]:
            columns[f"{side.name}, {level}"] = partial(seconds, side, program, level)
    for name, ranks, *what, threads in ROWS:
        yield ({"name": f"{ranks} ranks, {name}", "ranks": ranks, "operation": what[0], "bytes": what[1], "threads": threads},
               {column: partial(of, ranks, *what, threads) for column, of in columns.items()})


def table(rows):
    names = list(rows[0]["seconds"])
    return names, [(row["name"], {name: runner.cell(row["seconds"][name]) for name in names if name in row["seconds"]})
                   for row in rows]


def show(rows):
    yield ("us for one, the median of all rounds (their least to their most)", *table(rows))


def docs(rows):
    names, lines = table(rows)
    return {"threads": fill.markdown(["", *names], [[name, *(cells.get(n, "") for n in names)] for name, cells in lines])}


BENCHMARK = runner.Benchmark(__doc__, cases, show, docs=docs)
