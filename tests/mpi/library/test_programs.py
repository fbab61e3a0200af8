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


def with_path(*command, folder):
    """Return the text that a command prints with the library's commands in the PATH, and no other hint at the
    library."""
    environment = {**os.environ, "PATH": f"{PREFIX}/bin:{os.environ['PATH']}"}
    r = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert r.returncode == 0, r.stdout + r.stderr
    return r.stdout


def test_ctest_of_a_project(source):
    """FindMPI finds mpicc and mpiexec, and the tests start as the project says."""
    folder = source.parent
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(hello C)\nenable_testing()\nfind_package(MPI REQUIRED)\n"
        "add_executable(hello hello.c)\ntarget_link_libraries(hello PRIVATE MPI::MPI_C)\n"
        "add_test(NAME hello COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${MPIEXEC_PREFLAGS} $<TARGET_FILE:hello>)\n"
        'set_tests_properties(hello PROPERTIES PASS_REGULAR_EXPRESSION "^3 3 Unisono\\n$")\n')
    with_path("cmake", "-S", ".", "-B", "build", folder=folder)
    with_path("cmake", "--build", "build", folder=folder)
    assert "100% tests passed, 0 tests failed out of 1" in with_path("ctest", "--test-dir", "build", folder=folder)


def test_make_check_of_a_project(source):
    (source.parent / "Makefile").write_text(
        "CC = mpicc\ncheck: hello\n\t@mpirun --oversubscribe --allow-run-as-root --mca btl self -np 3 ./hello\n"
        "\t@mpiexec -n 1 ./hello : -n 3 ./hello\n")
    assert with_path("make", "-s", "check", folder=source.parent) == "3 3 Unisono\n4 6 Unisono\n"


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
