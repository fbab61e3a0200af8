"""Where the launcher's reports say that a program of Python's is: its file and line, by the frames of the interpreter."""

import os
import re
import subprocess
import sys

import pytest
import versions
from patience import HANGS

DEADLOCK = """
import unisono

def meet(x):
    return unisono.reduce(x)

def main():
    if unisono.rank() == 0:
        unisono.recv(bytearray(8), source=1)
    [meet(x) for x in range(2)]

main()
"""


def report(tmp_path, python, script, fails=125, options=(), **environment):
    """The launcher's lines of each PE, of a job of 2 that comes to nothing."""
    path = tmp_path / "a script.py"
    path.write_text(script)
    done = subprocess.run([os.environ["UNISONO"], "run", "-n", "2", *options, *python, str(path)], capture_output=True, text=True,
                          timeout=HANGS, env={**os.environ, **environment})  # fmt: skip
    assert done.returncode == fails, done.stdout + done.stderr
    return str(path), done.stderr


def lines_of_pes(said):
    return re.findall(r"^  PE \d: .*", said, re.M)


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_a_deadlock_names_the_lines(tmp_path, version):
    script, said = report(tmp_path, [versions.needed(version), "-B"], DEADLOCK)
    at = lines_of_pes(said)
    assert at[0].endswith(f"; unisono.recv, called by main at {script}:9"), said
    assert at[1].endswith(f"; unisono.reduce, called by meet at {script}:5"), said


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_a_time_limit_names_the_lines(tmp_path, version):
    """A line far below the first one of its function, behind a comment and within a call over several lines; and a name that is
    not ASCII."""
    script = "import time, unisono\n\n\ndef größe():\n" + "    # a comment\n" * 200 + "    x = 1\n    return [\n" + """
        unisono.reduce(
            x,
        )
    ]

größe() if unisono.rank() else time.sleep(1000)
"""
    for seconds in "1", "4", "16":  # until the PE has come to wait
        path, said = report(tmp_path, [versions.needed(version), "-B"], script, fails=124, options=["--timeout", seconds])
        if "PE 1: waiting" in said:
            break
    number = 1 + script.split("\n").index("        unisono.reduce(")
    assert lines_of_pes(said)[1].endswith(f"called by größe at {path}:{number}"), said


def test_another_thread(tmp_path):
    version = "3.11"
    script, said = report(tmp_path, [versions.needed(version), "-B"], """
import threading, unisono

def work():
    unisono.recv(bytearray(1), 1 - unisono.rank())

thread = threading.Thread(target=work)
thread.start()
thread.join()
""")
    assert all(line.endswith(f"called by work at {script}:5") for line in lines_of_pes(said)), said


def test_a_function_of_the_package_is_not_the_place(tmp_path):
    """One in C, one in Python, and one in Python that one in C has called."""
    script, said = report(tmp_path, [sys.executable, "-B"], """
import array, unisono

if unisono.rank() == 0:
    unisono.recv_object(1)
with unisono.group({1}):
    unisono.wait()
unisono.reduce(array.array("d", [1.0]))
""")
    first, second = lines_of_pes(said)
    assert first.endswith(f"; unisono.recv_object, called at {script}:5"), said
    assert second.endswith(f"; unisono.reduce, called at {script}:8"), said


def test_a_function_that_is_over_is_not_named(tmp_path):
    """The PEs wait in a function of C's, which they call by other ways than the package."""
    script, said = report(tmp_path, [sys.executable, "-B"], """
import ctypes, unisono

unisono.wait()
ctypes.PyDLL(unisono._core.__file__).nprobe(ctypes.byref(ctypes.c_int(1 - unisono.rank())), ctypes.byref(ctypes.c_int(7)))
""")
    assert all(line.endswith(f", called at {script}:5") for line in lines_of_pes(said)) and "unisono.wait" not in said, said


MPI4PY = """
from mpi4py import MPI

def receive(comm):
    comm.recv(source=1 - comm.rank, tag=5)

receive(MPI.COMM_WORLD)
"""
MISMATCH = """
from mpi4py import MPI

def meet(comm):
    comm.Barrier() if comm.rank else comm.bcast(1)

meet(MPI.COMM_WORLD)
"""


@pytest.fixture(scope="module")
def mpi4py():
    python = os.environ.get("UNISONO_TEST_MPI4PY", sys.executable)
    done = subprocess.run([os.environ["UNISONO"], "run", "-n", "1", python, "-c", "from mpi4py import MPI"], capture_output=True,
                          check=False)  # fmt: skip
    if done.returncode:
        pytest.skip("there is no mpi4py")
    return python


def test_a_deadlock_of_mpi4py_names_the_lines(tmp_path, mpi4py):
    script, said = report(tmp_path, [mpi4py, "-B"], MPI4PY)
    assert all(line.endswith(f"called by receive at {script}:5") for line in lines_of_pes(said)), said
    assert "waiting in MPI_" in said and "__pyx" not in said and "unisono." not in said


def test_a_mismatch_of_mpi4py_names_the_lines(tmp_path, mpi4py):
    script, said = report(tmp_path, [mpi4py, "-B"], MISMATCH, fails=1)
    assert f"called by meet at {script}:5" in said and "__pyx" not in said, said
