"""Where the launcher's reports say that a program of Python's is: its file and line, by the frames of the
interpreter."""

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
    """A line far below the first one of its function, behind a comment and within a call over several lines; and a name
    that is not ASCII."""
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
    """The PEs wait in a function of C's, which they call by other ways than the package. They have the interpreter's
    lock there; PE 0 has released it in the wait before, and must not take it again."""
    script, said = report(tmp_path, [sys.executable, "-B"], """
import ctypes, time, unisono

time.sleep(0.3 * unisono.rank())
unisono.wait()
time.sleep(0.3 * unisono.rank())
ctypes.PyDLL(unisono._core.__file__).nprobe(ctypes.byref(ctypes.c_int(1 - unisono.rank())), ctypes.byref(ctypes.c_int(7)))
""")
    assert all(line.endswith(f", called at {script}:7") for line in lines_of_pes(said)) and "unisono.wait" not in said, said


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


# Both ranks wait for a message that does not come, and have asked for others before: from Python and by C's functions.
BEGUN = """
from mpi4py import MPI

def begin(comm):
    return [comm.Irecv(bytearray(8), source=1 - comm.rank, tag=5), comm.Ibarrier() if comm.rank else None]

def wait(request):
    request.wait()

begun = begin(MPI.COMM_WORLD)
wait(MPI.COMM_WORLD.irecv(tag=7))
"""
BEGUN_IN_C = """
import ctypes, os

def begin(mpi, rank):
    request, at = ctypes.c_void_p(), ctypes.create_string_buffer(8)
    mpi.MPI_Irecv(
        at, 8, ctypes.c_void_p(BYTE), 1 - rank, 5, ctypes.c_void_p(WORLD),
        ctypes.byref(request)
    )
    return request, at

mpi, rank = ctypes.CDLL("LIBRARY"), ctypes.c_int()
mpi.MPI_Init(None, None)
mpi.MPI_Comm_rank(ctypes.c_void_p(WORLD), ctypes.byref(rank))
begun = [begin(mpi, rank.value) for i in range(2)]
mpi.MPI_Wait(ctypes.byref(begun[0][0]), None)
"""


def lines_of_requests(said):
    return re.findall(r"^    (?:receive|MPI_I\w+) .*", said, re.M)


def test_requests_of_mpi4py_name_the_lines(tmp_path, mpi4py):
    script, said = report(tmp_path, [mpi4py, "-B"], BEGUN)
    lines = lines_of_requests(said)
    assert len(lines) == 5, said
    assert sum(f" of tag 5 of MPI_COMM_WORLD, with room for 8 bytes; called by begin at {script}:5" in line for line in lines) == 2, said
    assert sum(f" of tag 7 of MPI_COMM_WORLD, with room for 32768 bytes; called at {script}:11" in line for line in lines) == 2, said
    assert f"    MPI_Ibarrier of MPI_COMM_WORLD; called by begin at {script}:5; missing: rank 0" in lines, said


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_requests_name_the_lines(tmp_path, version):
    prefix = subprocess.run([os.environ["UNISONO"], "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip()
    library = os.path.join(prefix, "lib", "libmpi_abi.so.1")
    header = open(os.path.join(prefix, "include", "mpi.h")).read()
    byte, world = (re.search(rf"define {name}\s+\(\(\w+\) ?(\w+)\)", header)[1] for name in ("MPI_BYTE", "MPI_COMM_WORLD"))
    program = BEGUN_IN_C.replace("LIBRARY", library).replace("BYTE", byte).replace("WORLD", world)
    script, said = report(tmp_path, [versions.needed(version), "-B"], program)
    lines = lines_of_requests(said)
    assert len(lines) == 4, said
    assert all(re.search(rf"called (?:by .*, called )?by begin at {re.escape(script)}:6$", line) for line in lines), said
