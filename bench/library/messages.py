"""Messages and small collectives of 2 ranks, by the MPI library of unisono run beside Open MPI and MPICH, alone and
accelerated, and beside their floor. Other parts: mesh, solvers of more ranks than processors; ring, ranks that wait or
look; polling, programs of others that look; start, the time from MPI_Init to MPI_Finalize; osu, OSU's benchmarks;
files, MPI's files; threads, ranks that may have several threads."""

import sys
from functools import partial

import fill
import instructions
import runner
import sides

RANKS, TURNS = 2, 40
# A row has its text, the operation, bytes of a message, repetitions in a turn.
ROWS = [("8 bytes, one way", "latency", 8, 2000), ("64 at a time, of 8 bytes", "rate", 8, 100),
        ("4 KB, one way", "latency", 1 << 12, 500), ("64 KB, one way", "latency", 1 << 16, 100),
        ("1 MB, one way", "latency", 1 << 20, 10), ("16 MB, one way", "latency", 1 << 24, 2),
        ("barrier", "barrier", 8, 2000), ("allreduce of 8 bytes", "allreduce", 8, 2000)]
# The time of unisono is compared with the faster of two, round by round, since what a host does to a round it does to
# all sides.
RATIOS = {"the better by unisono": ("openmpi", "mpich"), "accelerated by unisono": ("openmpi accelerated", "mpich accelerated"),
          "mpich by unisono": ("mpich",)}


def seconds(side, program, *what):
    return float(side.launch(RANKS, [program, *what, TURNS]))


def bare(operation, bytes, repetitions):
    """No library: two processes with cache lines between them. The floor for 8 bytes."""
    program = [runner.LIBEXEC / "bench-library-bare", operation, bytes, repetitions, TURNS]
    return float(runner.launch(program)) if bytes == 8 else None


def cases(options):
    if options.instructions:
        instructions.count(sides.own().build("operation", "operation.c"))
        sys.exit()
    first, *others = [(side.name, partial(seconds, side, side.build("operation", "operation.c"))) for side in sides.sides()]
    every = dict([first, ("bare", bare), *others])
    for name, *what in ROWS:
        yield {"name": name, "operation": what[0], "bytes": what[1]}, {side: partial(of, *what) for side, of in every.items()}


def ratios(row):
    return {name: runner.cell(runner.ratios(row["seconds"], "unisono", *peers), 1, 2) for name, peers in RATIOS.items()
            if all(peer in row["seconds"] for peer in peers)}


def show(rows):
    yield (f"us for one, the median of all rounds (their least to their most); {RANKS} ranks", list(rows[0]["seconds"]),
           [(row["name"], {side: runner.cell(s) for side, s in row["seconds"].items()}) for row in rows])
    yield ("The time of others by that of unisono, of each round; the median, and from the least to the most", list(RATIOS),
           [(row["name"], ratios(row)) for row in rows])


def docs(rows):
    names = list(rows[0]["seconds"])
    return {"messages": fill.markdown(["", *names, *RATIOS], [
        [row["name"], *(runner.us(row["seconds"][n]) if n in row["seconds"] else "" for n in names), *ratios(row).values()]
        for row in rows])}


def options(parser):
    parser.add_argument("--instructions", action="store_true", help="count those of an 8-byte MPI_Send instead, by gdb")


BENCHMARK = runner.Benchmark(__doc__, cases, show, options=options, docs=docs)
