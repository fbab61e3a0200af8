"""Programs of others whose ranks look for messages again and again instead of waiting for them: LLNL's AMG, and of
HPCC, which Debian has, HPL and MPIRandomAccess. Each runs under the Open MPI that it was compiled for and, the same
file, by unisono run, in turns; with the machine for itself, and beside a busy loop on every processor. Every run's
answer is checked."""

import contextlib
import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import runner
from hosts import HOSTS, PROCESSORS, Missing
from programs import prebuilt

RANKS = 4
BUSY = ["sh", "-c", "while :; do :; done"]
# HPCC's input file has a fixed number of lines, of which it reads the first words.
HPCC_INPUT = """HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out
8 device out
1 number of problem sizes
2000 N
1 number of blocks
80 NB
0 row-major
1 number of grids
2 P
2 Q
16.0 threshold
1
2 panel factorization
1
4 NBMIN
1
2 NDIV
1
1 recursive factorization
1
1 broadcast
1
1 depth
2 swap
64 threshold of it
0 L1
0 U
1 equilibration
8 alignment
##### line 32
0
1200 N of PTRANS
0
40 NB of PTRANS
"""


def found(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    if not match:
        raise RuntimeError(f"no {pattern} in:\n{text[-2000:]}")
    return float(match[1])


def amg(options, host):
    """The time in which AMG has solved its problem 2, a time series of 6 steps."""
    program = prebuilt(options.amg, host, "amg", "LLNL's AMG is in no package registry: compile it with Open MPI's mpicc and name "
                       "its folder with --amg")

    def solve(ranks, grid, library):
        output = host.launch(ranks, [program, "-problem", "2", *grid.split()], library=library)
        if found(r"^Final Relative Residual Norm = (\S+)", output) > 1e-9 or found(r"^Cum. No. of Iterations = (\d+)", output) < 6:
            raise RuntimeError(f"AMG has not solved its problem:\n{output}")
        return found(r"^GMRES Solve:\n  wall clock time = (\S+)", output)

    def run(library):
        return [solve(RANKS, "-n 12 12 12 -P 2 2 1", library)]

    def floor():
        """The lower bound: the time of one rank that solves the whole problem and sends nothing, divided among the
        processors."""
        return [solve(1, "-n 24 24 12 -P 1 1 1", True) / min(RANKS, PROCESSORS)]

    return ["AMG"], run, floor


def hpcc(_, host):
    """HPL of 2,000 unknowns, and MPIRandomAccess."""
    host.check()

    def run(library):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "hpccinf.txt").write_text(HPCC_INPUT)
            host.launch(RANKS, ["hpcc"], folder=folder, seconds=300, library=library)
            output = Path(folder, "hpccoutf.txt").read_text()
        if found(r"^Success=(\d)", output) != 1 or "FAILED" in output:
            raise RuntimeError(f"HPCC has found a wrong result:\n{output}")
        return [found(rf"^{name}=(\S+)", output) for name in ("HPL_time", "MPIRandomAccess_time")]

    return ["HPL", "MPIRandomAccess"], run, None


PROGRAMS = ((amg, "openmpi-5"), (hpcc, "openmpi-4"))


@contextlib.contextmanager
def company(busy):
    """Run beside a busy loop for each processor, if `busy`."""
    loops = [subprocess.Popen(BUSY) for _ in range(PROCESSORS if busy else 0)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def sample(run, busy):
    try:
        with company(busy):
            return run()
    except RuntimeError as why:
        sys.exit(f"bench-library: {why}")


def cases(options):
    for make, key in PROGRAMS:
        host = next(host for host in HOSTS if host.key == key)
        try:
            names, run, floor = make(options, host)
        except Missing as why:
            print(f"bench-library: {why}", file=sys.stderr)
            continue
        for busy in (False, True):
            sides = {side: partial(sample, partial(run, library), busy) for side, library in (("unisono", True), ("openmpi", False))}
            if floor and not busy:
                sides["floor"] = partial(sample, floor, busy)
            yield {"programs": names, "busy": busy}, sides


def rows(what, samples):
    """A run has the seconds of several programs."""
    return [{"program": name, "busy": what["busy"], "seconds": {side: [s[i] for s in of_side] for side, of_side in samples.items()}}
            for i, name in enumerate(what["programs"])]


def show(rows):
    yield ("ms, the median of all rounds (their least to their most), and the ratio in the same round: above 1 unisono is faster",
           ["unisono", "Open MPI", "Open MPI by unisono", "floor"],
           [(f"{row['program']}, {RANKS} ranks" + (", beside busy loops" if row["busy"] else ""),
             [*(runner.cell(row["seconds"][side], 1e3, 0) for side in ("unisono", "openmpi")),
              runner.cell(runner.ratios(row["seconds"], "unisono", "openmpi"), 1, 2),
              runner.cell(row["seconds"]["floor"], 1e3, 0) if "floor" in row["seconds"] else ""]) for row in rows])


def options(parser):
    parser.add_argument("--amg", metavar="FOLDER", type=Path, help="LLNL's AMG, which Open MPI's mpicc has compiled: "
                        "FOLDER/openmpi/**/amg")


BENCHMARK = runner.Benchmark(__doc__, cases, show, rows, options, lambda options: {"ranks": RANKS}, "polling")
