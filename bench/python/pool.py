"""Pools of workers: unisono.Pool beside those of concurrent.futures, joblib (loky) and mpi4py.futures. Every side is
started in turns, on the same processors; those that do not choose the size of their messages themselves have a good one
given."""

import compileall
import sys
import time
from functools import partial
from pathlib import Path

import peers
import runner

COUNTS = {"start": 0, "10 us": 10000, "1 ms": 10000, "1 MB": 1000}
WORDS = {"start": "start and end, s", "10 us": "10,000 tasks of 10 us, s", "1 ms": "10,000 tasks of 1 ms, s",
         "1 MB": "1,000 arrays of 1 MB, s"}


def sides(workers):
    """The command of each side, and what it needs in its environment."""
    tasks = Path(__file__).with_name("tasks.py")
    python = peers.python()
    here = {"PYTHONPATH": str(runner.BUILD / "python")}
    yield "unisono.Pool", "unisono", [sys.executable, "-B", tasks], here
    yield "ProcessPoolExecutor", "processes", [sys.executable, "-B", tasks], {}
    if peers.has(python, "joblib"):
        yield "joblib", "joblib", [python, "-B", tasks], {}
    for name, command, environment in peers.mpi(workers + 1):
        yield f"mpi4py.futures, {name}", "mpi4py", [*command, "-B", "-m", "mpi4py.futures", tasks], environment
    yield "one after the other", "serial", [sys.executable, "-B", tasks], {}


def sample(case, workers, side, command, environment):
    start = time.perf_counter()
    said = runner.launch([*command, side, case, workers, COUNTS[case]], environment)
    return time.perf_counter() - start if case == "start" else float(said)


def cases(options):
    compileall.compile_dir(runner.BUILD / "python/unisono", quiet=2)  # as pip does with what it installs
    all = list(sides(options.workers))
    for case in WORDS:
        yield {"case": case}, {name: partial(sample, case, options.workers, *how) for name, *how in all}


def show(rows):
    columns = list(rows[0]["seconds"])
    yield ("least, median and most of the rounds", columns,
           [(WORDS[row["case"]], {side: runner.cell(seconds, 1, 3) for side, seconds in row["seconds"].items()}) for row in rows])


def options(parser):
    parser.add_argument("-n", dest="workers", type=int, default=2, help="workers (default 2)")


BENCHMARK = runner.Benchmark(__doc__, cases, show, options=options, settings=lambda options: {"workers": options.workers},
                             docs="pool", front="", rounds=5)
