"""Programs for the library: compiled by its mpicc, by CMake, or for another library of the same ABI."""

import os
import subprocess
from pathlib import Path

import pytest

UNISONO = os.environ["UNISONO"]
PREFIX = Path(subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip())

HELLO = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int rank, size, sum, length;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Get_library_version(text, &length);
    if (rank == 0) printf("%d %d %.7s\\n", size, sum, text);
    return MPI_Finalize();
}
"""


def output(*command):
    r = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False)
    assert r.returncode == 0, r.stderr
    return r.stdout


@pytest.fixture
def source(tmp_path):
    (tmp_path / "hello.c").write_text(HELLO)
    return tmp_path / "hello.c"


def check(program):
    assert output(UNISONO, "run", "-n", 3, program) == "3 3 Unisono\n"


def test_mpicc(source):
    program = source.with_suffix("")
    output(PREFIX / "bin/mpicc", "-O1", "-o", program, source)
    check(program)
    assert output(program) == "1 0 Unisono\n"  # without a launcher it is one rank
    assert output(PREFIX / "bin/mpiexec", "-n", 2, program) == "2 1 Unisono\n"


def test_mpicxx(source):
    program = source.with_suffix("")
    output(PREFIX / "bin/mpicxx", "-x", "c++", "-o", program, source, "-x", "none")
    check(program)


def test_cmake(source):
    folder = source.parent
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(hello C CXX)\nfind_package(MPI REQUIRED)\n"
        "add_executable(hello hello.c)\ntarget_link_libraries(hello PRIVATE MPI::MPI_C)\n")
    output("cmake", "-S", folder, "-B", folder / "build", f"-DMPI_HOME={PREFIX}")
    output("cmake", "--build", folder / "build")
    check(folder / "build/hello")


def test_program_of_another_library(source):
    """The program has the other library's run path, and still gets this library."""
    compilers = [Path(peer) / "bin/mpicc_abi" for peer in os.environ["UNISONO_PEERS"].split(":")]
    compiler = next((c for c in compilers if c.exists()), None)
    if not compiler:
        pytest.skip("there is no other library of the standard ABI")
    program = source.with_suffix("")
    output(compiler, "-o", program, source)
    assert "libmpi_abi.so" in output("readelf", "-d", program)
    check(program)
