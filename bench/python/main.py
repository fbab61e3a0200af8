"""The cost of a call from Python, beside the same call in C and beside mpi4py's: every side is started in turns, on the same
processors. Writes a table, and JSON if asked for. Run by script/bench-python."""

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import figures  # noqa: E402  the folder is known only now

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
    """The command of each side, and what it needs in its environment."""
    build, calls = ROOT / "build", Path(__file__).with_name("calls.py")
    numbers = [options.samples, options.calls, options.bytes]
    run = [build / "bin/unisono", "run", "-n", options.pes]
    found = {
        "C": ([*run, build / "libexec/unisono/bench-python-calls", *numbers[:2]], {}),
        "unisono": ([*run, sys.executable, "-B", calls, "unisono", *numbers], {"PYTHONPATH": build / "python"}),
    }
    for key, name, abi in (("mpich", "mpi4py, MPICH", "mpich"), ("openmpi", "mpi4py, Open MPI", "openmpi")):
        prefix = ROOT / ".peers" / key
        python = mpi4py(build / "bench-python") if (prefix / "bin/mpirun").exists() else None
        if python is None:
            print(f"bench-python: {name} is not there; script/setup installs it", file=sys.stderr)
            continue
        # Open MPI starts as root, and more ranks than processors, only if it is told to.
        found[name] = ([prefix / "bin/mpirun", "-n", options.pes, python, "-B", calls, "mpi4py", *numbers],
                       {"LD_LIBRARY_PATH": prefix / "lib", "MPI4PY_MPIABI": abi, "OMPI_ALLOW_RUN_AS_ROOT": 1,
                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1, "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"})
    return found


def measure(name, command, environment):
    done = subprocess.run([os.fspath(word) if isinstance(word, Path) else str(word) for word in command],
                          env={**os.environ, **{key: str(value) for key, value in environment.items()}},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"bench-python: {name} ended with status {done.returncode}")
    return json.loads(done.stdout)


def spread(samples):
    ordered = sorted(samples)
    return {"min": ordered[0], "median": ordered[len(ordered) // 2], "p99": ordered[len(ordered) * 99 // 100],
            "samples": len(ordered)}


def main():
    parser = argparse.ArgumentParser(prog="bench-python", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    parser.add_argument("-n", dest="pes", type=int, default=2, help="PEs (default 2)")
    parser.add_argument("--rounds", type=int, default=8, help="starts of each side (default 8)")
    parser.add_argument("--samples", type=int, default=40, help="of a start (default 40)")
    parser.add_argument("--calls", type=int, default=2000, help="in a sample (default 2000)")
    parser.add_argument("--bytes", type=int, default=1 << 20, help="of the array (default 1 MB)")
    options = parser.parse_args()

    every = sides(options)
    samples = {name: {} for name in every}
    for _ in range(options.rounds):
        for name, (command, environment) in every.items():
            for operation, times in measure(name, command, environment).items():
                samples[name].setdefault(operation, []).extend(times)
    rows = {operation: {name: spread(of[operation]) for name, of in samples.items() if operation in of}
            for operation in OPERATIONS}

    print(f"ns of one operation, {options.pes} PEs: least, median, 99th percentile")
    for operation, row in rows.items():
        what = OPERATIONS[operation] + (f" of {options.bytes} bytes" if operation == "array" else "")
        for name, f in row.items():
            print(f"{what:30} {name:18} {f['min']:10.0f} {f['median']:10.0f} {f['p99']:10.0f}")
    if options.json:
        machine = {**figures.machine(), "python": platform.python_version(), "load": os.getloadavg()[0]}
        settings = {key: getattr(options, key) for key in ("pes", "rounds", "samples", "calls", "bytes")}
        Path(options.json).write_text(json.dumps({"machine": machine, **settings, "ns": rows}, indent=1) + "\n")


main()
