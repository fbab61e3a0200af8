"""The wall time of a job from its launcher's start to its end, of which the program does MPI_Init and MPI_Finalize
alone; and the floor below it: as many processes of a program that does nothing, and of one that is loaded with the
library."""

import time
from functools import partial

import runner
from sides import compiled, own, sides

RANKS = (2, 4, 8)
EACH = 3  # runs in a round


def least(launch, ranks):
    """The shortest of the runs of a round."""
    times = []
    for _ in range(EACH):
        began = time.perf_counter()
        launch(ranks)
        times.append(time.perf_counter() - began)
    return min(times)


def launches():
    """{name: launch(ranks)}, first of what is not started as MPI programs are."""
    spawn, empty = compiled("spawn", "spawn.c"), compiled("nothing", "nothing.c")
    loaded = own().build("nothing", "nothing.c", flags=["-DWITH_MPI"])
    result = {name: lambda ranks, program=program: runner.launch([spawn, ranks, program])
              for name, program in (("empty processes", empty), ("with the library loaded", loaded))}
    for side in sides():
        result[side.name] = lambda ranks, side=side, program=side.build("start", "start.c"): side.launch(ranks, [program, ranks])
    return result


def cases(options):
    each = launches()
    for ranks in RANKS:
        yield {"ranks": ranks}, {name: partial(least, launch, ranks) for name, launch in each.items()}


def show(rows):
    yield ("ms of wall time, the median of all rounds (their least to their most)", list(rows[0]["seconds"]),
           [(f"{row['ranks']} ranks", {name: runner.cell(s, 1e3, 1) for name, s in row["seconds"].items()}) for row in rows])


BENCHMARK = runner.Benchmark(__doc__, cases, show, docs="start", settings=lambda options: {"each": EACH})
