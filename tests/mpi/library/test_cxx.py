"""Programs in C++ for MPI's old bindings, which Open MPI 4 and Debian's MPICH have: under the library for which they
are compiled and under ours they print the same. The library of the bindings stays the other one's."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
UNISONO = os.environ["UNISONO"]
PREFIX = Path(subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip())
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
FACES = {"openmpi": ("libmpi_cxx.so.40", "libmpi.so.40"), "mpich": ("libmpichcxx.so.12", "libmpi.so.12")}
CALLS_C = """
#include <mpi.h>
#include <iostream>
int main(int argc, char **argv) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int rank, sum, length;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Get_library_version(text, &length);
    text[7] = 0;
    if (rank == 0)
        std::cout << sum << " " << text << std::endl;
    return MPI_Finalize();
}
"""


def output(*command):
    r = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False, env=os.environ | ROOT)
    assert r.returncode == 0, r.stderr
    return r.stdout


def lines(*command):
    """Return the ranks' lines in rank order, whenever they were printed."""
    return sorted(output(*command).splitlines(), key=lambda line: line.split(":")[0])


@pytest.fixture(params=FACES)
def face(request):
    commands = [f"mpicxx.{request.param}", f"mpirun.{request.param}"]
    if not all(shutil.which(command) for command in commands):
        pytest.skip(f"there is no {' or no '.join(commands)}")
    if "namespace MPI" not in output(commands[0], "-E", "-x", "c++", "-include", "mpi.h", "/dev/null"):
        pytest.skip(f"{commands[0]} has no old bindings of C++")
    return request.param


def compiled(face, source, program, *options):
    output("mpicxx." + face, "-O1", "-w", *options, "-o", program, source)
    assert FACES[face][0] in output("readelf", "-d", program)
    return program


@pytest.mark.parametrize("options", [[], ["-fno-pie", "-no-pie"]], ids=["usual", "fixed"])
def test_same_answers(face, tmp_path, options):
    """A program at a fixed address has copies of the library's variables."""
    program = compiled(face, HERE / "program.cc", tmp_path / "program", *options)
    many = ["--oversubscribe"] if face == "openmpi" else []
    theirs = lines("mpirun." + face, *many, "-n", 2, program, tmp_path / "data")
    assert len(theirs) > 100
    assert lines(UNISONO, "run", "-n", 2, program, tmp_path / "data") == theirs


def test_program_of_c_functions(face, tmp_path):
    """The compiler links it with the bindings all the same."""
    (tmp_path / "program.cc").write_text(CALLS_C)
    program = compiled(face, tmp_path / "program.cc", tmp_path / "program", "-Wl,--no-as-needed")
    assert output(UNISONO, "run", "-n", 3, program) == "3 Unisono\n"


def test_symbols(face):
    """Our library has all symbols that the bindings take from it."""
    bindings, ours = FACES[face]
    path = output("gcc", "-print-file-name=" + bindings).strip()
    names = re.findall(r"^ +[UwV] (\w+)", output("nm", "-D", "--undefined-only", path), re.MULTILINE)
    wanted = {name for name in names if re.match(r"P?MPI|ompi_", name)}
    assert len(wanted) > 150
    there = output("nm", "-D", "--defined-only", PREFIX / "lib/others" / ours)
    assert wanted - set(re.findall(r" (\w+)$", there, re.MULTILINE)) == set()
