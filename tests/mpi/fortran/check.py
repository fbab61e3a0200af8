"""Fortran under the accelerator: check.py LIBRARY COMPILER LAUNCHER ACCELERATOR INTERFACE. collectives.F90, compiled
for that interface, must pass with and without it, and every function must have been the accelerator's. Exit status
77: skipped."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIBRARY, COMPILER, LAUNCHER, ACCELERATOR, INTERFACE = sys.argv[1:]
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "collectives.F90")
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
ACCELERATED = {"init", "finalize", "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast",
               "exscan", "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter",
               "scatterv"}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ROOT}, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")


def launch(ranks, *command):
    run(LAUNCHER, *(["--oversubscribe"] if LIBRARY == "openmpi" else []), "-n", str(ranks), *command)


def bound(folder):
    """The functions for which the accelerator was found, as the loader tells when each is called first."""
    found = set()
    for path in glob.glob(folder + "/bindings.*"):
        with open(path, encoding="utf-8") as file:
            for line in file:
                match = re.search(r"to (\S+) \[\d+\]: normal symbol `o?mpi_(\w+?)(_f08)?_{0,2}'", line, re.IGNORECASE)
                if match and match[1] == ACCELERATOR:
                    found.add(match[2].lower().removesuffix("_f"))
    return found


for tool in COMPILER, LAUNCHER:
    if not shutil.which(tool):
        print(f"skipped: there is no {tool}")
        sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    program = folder + "/collectives"
    run(COMPILER, "-O1", "-g", "-Wall", "-fallow-argument-mismatch", "-D" + INTERFACE, "-J", folder, "-o", program, SOURCE)
    launch(3, program)
    for ranks in 1, 2, 3, 5:
        launch(ranks, "env", "LD_PRELOAD=" + ACCELERATOR, program)
    launch(2, "env", "LD_PRELOAD=" + ACCELERATOR, "LD_DEBUG=bindings", f"LD_DEBUG_OUTPUT={folder}/bindings", program)
    missing = ACCELERATED - bound(folder)
    assert not missing, f"not the accelerator's: {missing}"
