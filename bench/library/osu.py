"""OSU's benchmarks on the MPI library of unisono run, compiled by its mpicc, beside Open MPI and MPICH, each compiled
by its own: every program from 1 byte to 4 MB, a run of each side in turns. A cell is a program and a size; its ratio is
the better peer's time by the library's, or the library's rate by the better peer's: above 1 the library is faster. Of
each side the best round counts. Programs in which a cell seems slower than a peer are run again. In the file of figures
a program's row is replaced when it is measured again."""

import sys
from functools import partial
from pathlib import Path

import runner
from hosts import Host, Missing, on_library, wheels
from programs import prebuilt
from report import size_text

PT2PT = ("latency", "multi_lat", "bw", "bibw", "mbw_mr")
ELEMENT = ("fop_latency", "cas_latency")  # of one element alone
ONE_SIDED = ("put_latency", "get_latency", "acc_latency", "get_acc_latency", *ELEMENT, "put_bw", "get_bw", "put_bibw")
RATES = ("bw", "bibw", "mbw_mr", "put_bw", "get_bw", "put_bibw")
BLOCKING = tuple("allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast gather gatherv reduce reduce_scatter "
                 "reduce_scatter_block scatter scatterv".split())
GROUPS = {"pt2pt": PT2PT, "onesided": ONE_SIDED, "blocking": BLOCKING, "nonblocking": tuple("i" + name for name in BLOCKING),
          "persistent": tuple(name + "_persistent" for name in BLOCKING if name != "reduce_scatter_block")}
LOW, AGAIN = 0.95, 2  # a cell below this is listed; times that a program with such a cell is run again


class Library(Host):
    """Our own, as one more host."""

    def __init__(self):
        mpicc = str(runner.BUILD / "lib/unisono/mpi/bin/mpicc")
        super().__init__("unisono", "this library", "unisono", mpicc, mpicc, "the build")

    def command(self, ranks, program):
        return on_library(ranks, program)


def cells(name, output):
    """(Bytes, microseconds or MB/s) of each line. Nonblocking ones tell the time of the operation alone in their third
    column."""
    for line in output.splitlines():
        words = line.split()
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            continue
        if numbers and "barrier" in name:
            yield 0, numbers[2 if len(numbers) > 2 else 0]
        elif len(numbers) > 1:
            yield int(numbers[0]), numbers[3 if name in GROUPS["nonblocking"] else 1]


def ratios(row):
    """The ratios of the best rounds of each side, by sizes."""
    for ours, *theirs in zip(row["best"]["unisono"], *(best for side, best in row["best"].items() if side != "unisono")):
        yield round(ours / max(theirs) if row["unit"] == "MB/s" else min(theirs) / ours, 3)


def run(options, name, host, ranks):
    """{bytes: microseconds or MB/s}"""
    two = name in (*PT2PT, *ONE_SIDED)
    sizes = [] if "barrier" in name or name in ELEMENT else ["-m", "1:4194304"] if two else ["-m", "1:4194304", "-M", 1 << 30]
    try:
        program = prebuilt(options.osu, host, "osu_" + name, "it takes --osu FOLDER")
        return dict(cells(name, host.launch(ranks, [program, "-i", options.iterations, "-x", 10, *sizes])))
    except (Missing, RuntimeError) as why:
        sys.exit(f"bench-library: {why}")


def cases(options):
    hosts = [Library(), *wheels("bench-library")]
    wanted = [name for key, names in GROUPS.items() for name in names if key in options.programs or name in options.programs]
    for ranks in options.ranks:
        for name in wanted:
            yield {"program": name, "ranks": ranks}, {host.key: partial(run, options, name, host, ranks) for host in hosts}


def rows(what, samples):
    unit, best = ("MB/s", max) if what["program"] in RATES else ("us", min)
    sizes = list(samples["unisono"][0])
    return [{**what, "unit": unit, "bytes": sizes,
             "best": {side: [best(s[bytes] for s in of_side) for bytes in sizes] for side, of_side in samples.items()}}]


def is_low(rows):
    return min(ratios(rows[0])) < LOW


def lines(rows):
    """A line for each program: the cells below the goal, and the least ratio and the middle one."""
    for row in rows:
        low = [f"{size_text(bytes)} {ratio:.2f}" for bytes, ratio in zip(row["bytes"], ratios(row)) if ratio < LOW]
        found = list(ratios(row))
        yield f"osu_{row['program']}", [row["ranks"], len(found), f"{runner.quantile(found, 0.5):.2f}", f"{min(found):.2f}",
                                        ", ".join(low) or "none"]


def show(rows):
    yield ("The ratio of the better peer: above 1 the library is faster", ["ranks", "sizes", "median ratio", "least", f"sizes below {LOW}"],
           lines(rows))


def options(parser):
    def words(text):
        return text.split(",")

    parser.add_argument("--osu", metavar="FOLDER", type=Path, help="the benchmarks, which each library's mpicc has compiled: "
                        "FOLDER/unisono/**/osu_bcast, FOLDER/openmpi, FOLDER/mpich")
    parser.add_argument("--programs", metavar="NAME,...", type=words, default=["pt2pt", "onesided", "blocking"],
                        help=f"{', '.join(GROUPS)}, or bcast, ... (pt2pt,onesided,blocking)")
    parser.add_argument("--ranks", metavar="N,...", type=lambda text: [int(n) for n in text.split(",")], default=[2], help="(2)")
    parser.add_argument("--iterations", metavar="N", type=int, default=200, help="in a run, of one size (200)")


BENCHMARK = runner.Benchmark(__doc__, cases, show, rows, options, lambda options: {"iterations": options.iterations}, "osu", again=AGAIN,
                             is_low=is_low, front="program", keep=lambda before, row: row)
