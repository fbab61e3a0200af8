"""The wall time of a job from its launcher's start to its end, of which the program does MPI_Init and MPI_Finalize alone; and the
floor below it: as many processes of a program that does nothing, and of one that is loaded with the library."""

import subprocess
import time

from sides import BUILT, ROOT, cell, own, show, sides

RANKS = (2, 4, 8)
EACH = 3  # runs in a round
EMPTY, LOADED = "empty processes", "with the library loaded"


def floors(library):
    """{name: launch} of what is not started as MPI programs are."""
    spawn, empty = BUILT / "spawn", BUILT / "nothing"
    loaded = library.build("nothing", "nothing.c", flags=["-DWITH_MPI"])
    for program, source in ((spawn, "spawn.c"), (empty, "nothing.c")):
        subprocess.run(["cc", "-O3", "-o", program, ROOT / "bench/library" / source], check=True)

    def launch(program):
        return lambda ranks: subprocess.run([spawn, str(ranks), program], check=True)

    return {EMPTY: launch(empty), LOADED: launch(loaded)}


def launches():
    result = floors(own())
    for side in sides():
        program = side.build("start", "start.c")
        result[side.name] = lambda ranks, side=side, program=program: side.launch(ranks, [program, ranks])
    return result


def timed(launch, ranks):
    began = time.perf_counter()
    launch(ranks)
    return time.perf_counter() - began


def measure(rounds):
    each = launches()
    rows = []
    for ranks in RANKS:
        seconds = {name: [] for name in each}
        for _ in range(rounds):
            for name, launch in each.items():
                seconds[name].append(min(timed(launch, ranks) for _ in range(EACH)))
        rows.append({"ranks": ranks, "seconds": seconds})
    print("ms of wall time, the median of all rounds (their least to their most)\n")
    show(list(each), [(f"{row['ranks']} ranks", {name: cell(s, 1e3, 1) for name, s in row["seconds"].items()}) for row in rows])
    return {"each": EACH, "rows": rows}
