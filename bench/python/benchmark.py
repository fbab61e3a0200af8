"""The cost of a call from Python, beside the same call in C and beside mpi4py's: every side is started in turns, on the
same processors."""

import json
import sys
from functools import partial
from pathlib import Path

import peers
import pool
import runner

OPERATIONS = {"wait": "barrier", "reduce": "sum of 8 bytes", "array": "sum of an array"}


def sides(options):
    """Return the command of each side, and its environment."""
    calls = Path(__file__).with_name("calls.py")
    numbers = [options.samples, options.calls, options.bytes]
    run = [runner.UNISONO, "run", "-n", options.pes]
    yield "C", [*run, runner.LIBEXEC / "bench-python-calls", *numbers[:2]], {}
    yield "unisono", [*run, sys.executable, "-B", calls, "unisono", *numbers], {"PYTHONPATH": str(runner.BUILD / "python")}
    for name, command, environment in peers.mpi(options.pes):
        yield f"mpi4py, {name}", [*command, "-B", calls, "mpi4py", *numbers], environment


def sample(command, environment):
    """{operation: [ns]}"""
    return json.loads(runner.launch(command, environment))


def cases(options):
    yield settings(options), {name: partial(sample, *how) for name, *how in sides(options)}


def rows(_, samples):
    """Return rows with quantiles alone, since all samples would be thousands of numbers."""
    return [{"operation": operation, "ns": {side: [runner.quantile(ns, part) for part in (0, 0.5, 0.99)] for side, ns in of.items()}}
            for operation, of in runner.by_names(samples).items()]


def show(rows):
    yield ("ns of one operation: least, median, 99th percentile", list(rows[0]["ns"]),
           [(OPERATIONS[row["operation"]], {side: " ".join(f"{ns:.0f}" for ns in quantiles) for side, quantiles in row["ns"].items()})
            for row in rows])


def options(parser):
    parser.add_argument("-n", dest="pes", type=int, default=2, help="PEs (default 2)")
    parser.add_argument("--samples", type=int, default=40, help="of a start (default 40)")
    parser.add_argument("--calls", type=int, default=2000, help="in a sample (default 2000)")
    parser.add_argument("--bytes", type=int, default=1 << 20, help="of the array (default 1 MB)")


def settings(options):
    return {key: getattr(options, key) for key in ("pes", "samples", "calls", "bytes")}


PARTS = {"calls": runner.Benchmark(__doc__, cases, show, rows, options, settings, rounds=8), "pool": pool.BENCHMARK}
