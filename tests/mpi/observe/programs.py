"""Programs whose calls are recorded: how they are compiled for each ABI, and started, and what is said of them."""

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
UNISONO = os.environ["UNISONO"]
PREFIX = Path(subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip())
ABIS = ["standard", "mpich", "openmpi"]
PEERS = [Path(folder) for folder in os.environ["UNISONO_PEERS"].split(":") if folder]


def compiler(abi):
    """The mpicc for programs of that ABI; skips the test if there is none."""
    if abi == "standard":
        return PREFIX / "bin/mpicc"
    name = {"mpich": "libmpi.so.12", "openmpi": "libmpi.so.40"}[abi]
    for folder in PEERS:
        if (folder / "lib" / name).exists() and (folder / "bin/mpicc").exists():
            return folder / "bin/mpicc"
    return pytest.skip(f"there is no mpicc of {abi}")


def compiled_by(command, folder, *sources):
    """Compile a program, which is called as its first source."""
    program = folder / Path(sources[0]).stem
    paths = [HERE / source for source in sources]
    r = subprocess.run([command, "-g", "-O1", "-o", program, *paths], capture_output=True, text=True, timeout=60,
                       check=False)
    assert r.returncode == 0, r.stderr
    return program


def compiled(folder, abi, *sources):
    return compiled_by(compiler(abi), folder, *sources)


def start(n, *words, options=(), **environment):
    """Run a program with so many ranks, without a file of what was recorded."""
    return subprocess.run([str(word) for word in (UNISONO, "run", "-n", n, *options, *words)], capture_output=True, text=True,
                          timeout=100, check=False, env=os.environ | {name: str(value) for name, value in environment.items()})


def start_under(abi, n, *words, options=(), **environment):
    """Run a program with so many ranks under another MPI library of that ABI."""
    more = ["--oversubscribe"] if abi == "openmpi" else []
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = [UNISONO, "mpi", *options, compiler(abi).with_name("mpirun"), *more, "-n", n, *words]
    r = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, check=False,
                       env=os.environ | root | {name: str(value) for name, value in environment.items()})
    assert r.returncode == 0, r.stderr
    return r


def under(abi, folder, n, *words, **environment):
    """Likewise. Return what was recorded."""
    file = folder / "stats.json"
    file.unlink(missing_ok=True)
    start_under(abi, n, *words, options=[f"--stats={file}"], **environment)
    return json.loads(file.read_text())["calls"]


def recorded(folder, n, *words, status=0, options=(), **environment):
    """Run a program with so many ranks. Return its table, and what was recorded."""
    file = folder / "stats.json"
    file.unlink(missing_ok=True)
    r = start(n, *words, options=["--stats", f"--stats={file}", *options], **environment)
    assert r.returncode == status, r.stderr
    return r.stderr, json.loads(file.read_text())["calls"]


def line(source, mark):
    """The place of the line that ends with that mark in a comment: "late.c:211"."""
    lines = (HERE / source).read_text().splitlines()
    found = [i for i, text in enumerate(lines, 1) if text.endswith((f"/* {mark} */", f"! {mark}"))]
    assert len(found) == 1, mark
    return f"{source}:{found[0]}"
