"""The cost of a call from Python, beside the same call in C and beside mpi4py's: every side is started in turns, on the same
processors."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import runner

MPI4PY = "4.1.2"
OPERATIONS = {"wait": "barrier", "reduce": "sum of 8 bytes", "array": "sum of an array"}


def mpi4py(work):
    """An environment with mpi4py's wheel, which finds its MPI library when it starts. None: it cannot be installed."""
    folder = work / "venv"
    if not (folder / "done").exists():
        pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
        if (subprocess.call([sys.executable, "-m", "venv", "--clear", "--system-site-packages", folder])
                or subprocess.call([*pip, "--only-binary", ":all:", f"mpi4py=={MPI4PY}"])):
            return None
        (folder / "done").touch()
    return folder / "bin/python"


def sides(options):
    """Return the command of each side, and its environment."""
    calls = Path(__file__).with_name("calls.py")
    numbers = [options.samples, options.calls, options.bytes]
    run = [runner.UNISONO, "run", "-n", options.pes]
    yield "C", [*run, runner.LIBEXEC / "bench-python-calls", *numbers[:2]], {}
    yield "unisono", [*run, sys.executable, "-B", calls, "unisono", *numbers], {"PYTHONPATH": str(runner.BUILD / "python")}
    for key, name in (("mpich", "mpi4py, MPICH"), ("openmpi", "mpi4py, Open MPI")):
        prefix = runner.ROOT / ".peers" / key
        python = mpi4py(runner.BUILD / "bench-python") if (prefix / "bin/mpirun").exists() else None
        if python is None:
            print(f"bench-python: {name} is not there; script/setup installs it", file=sys.stderr)
            continue
        # Open MPI starts as root, and more ranks than processors, only if it is told to.
        yield (name, [prefix / "bin/mpirun", "-n", options.pes, python, "-B", calls, "mpi4py", *numbers],
               {"LD_LIBRARY_PATH": str(prefix / "lib"), "MPI4PY_MPIABI": key, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"})


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


PARTS = {"python": runner.Benchmark(__doc__, cases, show, rows, options, settings, rounds=8)}
