"""Processes that are not given the job's descriptors, and children of PEs."""

import os
import sys

import pytest

from launcher import program, run
from patience import HANGS

GROUPS = program("groups")
LIBRARY = os.environ["UNISONO_MPI_LIBRARY"]

CLOSES = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"


def closing(*command):
    """A wrapper whose child has all descriptors closed but the standard ones."""
    return sys.executable, "-c", CLOSES, *command


# ---- below a wrapper ---------------------------------------------------------------------------------------


def test_descriptors_closed_by_a_wrapper():
    r = run("run", "-n", 2, *closing(GROUPS, "wait:3", "wait:3"))
    assert (r.returncode, r.stderr) == (0, "")
    r = run("run", "-n", 2, *closing(GROUPS, "wait:3", "exit:7"))
    assert r.returncode == 7
    assert "unisono: PE 0: PE 1 ended with exit status 7; this PE was in p_wait" in r.stderr


def test_descriptors_that_are_other_files(tmp_path):
    """The number may be another file's by then, which stays as it is."""
    for fd in range(3, 10):
        (tmp_path / f"{fd}").write_text("mine")
    others = " ".join(f"{fd}<>{fd}" for fd in range(3, 10))
    r = run("run", "-n", 2, "--trace", tmp_path / "trace.json", "sh", "-c", f"exec {GROUPS} wait:3 wait:3 {others}",
            cwd=tmp_path)
    assert (r.returncode, r.stderr) == (0, "")
    assert all((tmp_path / f"{fd}").read_text() == "mine" for fd in range(3, 10))
    assert (tmp_path / "trace.json").read_text().count('"name":"p_wait","cat":"operation"') == 4


def test_timeline_without_descriptors(tmp_path):
    """The PE does more operations than it can hold."""
    path = tmp_path / "trace.json"
    r = run("run", "-n", 2, "--trace", path, *closing(os.environ["UNISONO_KNOWN"], 5000))
    assert (r.returncode, r.stderr) == (0, "")
    assert path.read_text().count('"p_reduceAdd32"') == 2 * 5000


@pytest.mark.skipif(os.getuid() != 0, reason="root alone can start a process of another user")
def test_other_users_get_no_memory():
    """The launcher's is its user's."""
    lower = "import os, sys; os.setgid(65534); os.setuid(65534); os.closerange(3, 100); os.execv(sys.argv[1], sys.argv[1:])"
    r = run("run", "-n", 1, sys.executable, "-c", lower, GROUPS, env={**os.environ, "LD_LIBRARY_PATH": ""})
    if r.returncode == 126 or "cannot open shared object" in r.stderr or "PermissionError" in r.stderr:
        pytest.skip("the build's folder is not for all users")
    assert r.returncode == 1
    assert "cannot be asked: Permission denied" in r.stderr


# ---- children of a PE --------------------------------------------------------------------------------------

# A script of mpi4py, in which each process that imports it is a rank.
POOL = """
import ctypes, multiprocessing, sys
mpi = ctypes.CDLL(sys.argv[2])
mpi.MPI_Init(None, None)
def number(of):
    value = ctypes.c_int()
    of(ctypes.c_void_p(mpi_world), ctypes.byref(value))
    return value.value
mpi_world, mpi_info_env = 0x101, 0x131  # of the standard ABI
def square(x):
    flag, most = ctypes.c_int(), ctypes.create_string_buffer(16)
    mpi.MPI_Info_get(ctypes.c_void_p(mpi_info_env), b"maxprocs", 15, most, ctypes.byref(flag))
    return x * x, number(mpi.MPI_Comm_rank), number(mpi.MPI_Comm_size), int(most.value)
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(number(mpi.MPI_Comm_rank), number(mpi.MPI_Comm_size), pool.map(square, range(3)), flush=True)
    mpi.MPI_Finalize()
"""


@pytest.mark.parametrize("how", ["spawn", "forkserver"])
def test_pool_of_a_script(how, tmp_path):
    """Its processes import the script, and so call MPI_Init: each is a program of its own, with one rank."""
    if not LIBRARY:
        pytest.skip("skipped: the MPI library was not built")
    if os.environ["UNISONO_SANITIZE"]:
        pytest.skip("skipped: python was not built with the sanitizer that the MPI library was built with")
    script = tmp_path / "pool.py"
    script.write_text(POOL)
    r = run("run", "-n", 2, "--timeout", HANGS / 2, sys.executable, script, how, LIBRARY)
    assert (r.returncode, r.stderr) == (0, "")
    assert sorted(r.stdout.splitlines()) == [f"{k} 2 [(0, 0, 1, 1), (1, 0, 1, 1), (4, 0, 1, 1)]" for k in range(2)]
