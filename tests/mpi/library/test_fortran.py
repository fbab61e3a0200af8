"""The library for Fortran programs of Open MPI's ABI has the symbols of that library, and those that its module mpi_f08
calls."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["UNISONO_SOURCE"])
UNISONO = os.environ["UNISONO"]
PREFIX = Path(subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip())
sys.path.insert(0, str(SOURCE / "mpi/library/table"))
sys.dont_write_bytecode = True
foreign = __import__("foreign")


def output(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=True).stdout


def library(name):
    """The one that a program of mpifort.openmpi is linked with."""
    if not shutil.which("mpifort.openmpi"):
        pytest.skip("there is no mpifort.openmpi")
    path = Path(output("gcc", "-print-file-name=" + name).strip())
    return path if path.is_absolute() else pytest.skip(f"Open MPI has no {name}")


def symbols(path, which):
    return {line.split()[-1].split("@")[0] for line in output("nm", "-D", which, path).splitlines()}


def ours():
    return symbols(PREFIX / "lib/others/libmpi_mpifh.so.40", "--defined-only")


def test_symbols():
    theirs = symbols(library("libmpi_mpifh.so"), "--defined-only")
    inner = {"mpiext_pcollreq_mpifh_dummy", "ompi_intercept_extra_state_t_class"}
    assert len(theirs) > 5000
    assert theirs - inner - ours() == set()


@pytest.mark.parametrize("module", ["libmpi_usempif08.so", "libmpi_usempi_ignore_tkr.so"])
def test_modules(module):
    others = symbols(PREFIX / "lib/others/libmpi.so.40", "--defined-only")
    missing = {s for s in symbols(library(module), "--undefined-only") if re.match(r"p?mpi|p?ompi", s, re.IGNORECASE)} - ours() - others
    assert missing == set()


def test_f08_of_mpich():
    """Run all procedures of MPICH's module but those of large counts and its own extensions."""
    if not shutil.which("mpif90.mpich"):
        pytest.skip("there is no mpif90.mpich")
    theirs = symbols(output("gcc", "-print-file-name=libmpichfort.so").strip(), "--defined-only")
    theirs = {s for s in theirs if re.match(r"p?mpir?_.*_f08(ts)?_$|MPIR_F08_|__mpi_f08_(link|callbacks).*(ignore|null|_fn|weight)", s)}
    own = {s for s in theirs if "delete_error_" in s or "conversion_fn" in s}
    assert len(theirs) > 700
    assert theirs - own - symbols(PREFIX / "lib/others/libmpifort.so.12", "--defined-only") == set()


def test_numbers():
    """The numbers of handles are those of mpif.h."""
    library("libmpi_mpifh.so")
    folders = output("mpifort.openmpi", "--showme:incdirs").split()
    text = next(Path(f) / "mpif-handles.h" for f in folders if (Path(f) / "mpif-handles.h").exists()).read_text()
    theirs = dict(re.findall(r"parameter \((MPI_\w+)=(\d+)\)", text))
    ours = {v.name: v.fortran for name, rows in foreign.sections().items() if name in foreign.HANDLES for v in rows}
    assert len(theirs) > 100
    assert {name: (number, ours[name]) for name, number in theirs.items() if ours.get(name, number) != number} == {}
