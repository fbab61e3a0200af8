"""The recording says of each rank the calls, bytes and messages that counts.c has counted, which is linked with the
program."""

import shutil
import subprocess
import sys

import pytest
from compared import counted, said
from programs import ABIS, HERE, compiled, compiled_by, recorded, under

@pytest.fixture(scope="module", name="programs", params=ABIS)
def programs_fixture(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return folder, {name: compiled(folder, request.param, f"{name}.c", "counts.c") for name in ("messages", "collectives")}


def check(folder, n, calls):
    """Compare what was recorded with what was counted."""
    assert [rank["rank"] for rank in calls["rank"]] == list(range(n))
    for rank in range(n):
        assert said(calls, rank) == counted(folder, rank)
        sizes = {size["bytes_from"]: size["messages"] for size in calls["rank"][rank]["sizes"]}
        assert sum(sizes.values()) == sum(part["messages"] for part in calls["rank"][rank]["to"])
    for site in calls["sites"]:
        assert site["unfinished"] == 0
        assert [site["calls"], site["bytes"]] == [sum(part[key] for part in site["rank"]) for key in ("calls", "bytes")]
    assert calls["calls"] == sum(site["calls"] for site in calls["sites"]) == sum(rank["calls"] for rank in calls["rank"])
    assert calls["calls"] == sum(comm["calls"] for comm in calls["communicators"]) + without_communicator(calls)


def without_communicator(calls):
    """The calls of functions that have none."""
    names = ("Wait", "Test", "Start", "Type", "Group", "Mrecv", "Imrecv", "Request", "Cancel", "Buffer", "Comm_free")
    return sum(site["calls"] for site in calls["sites"] if site["function"].startswith(tuple("MPI_" + name for name in names)))


@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize("name", ["messages", "collectives"])
def test_truth(programs, name, n):
    folder, made = programs
    check(folder, n, recorded(folder, n, made[name], COUNTS=folder / "counts")[1])


@pytest.mark.parametrize("name", ["messages", "collectives", "threads"])
@pytest.mark.parametrize("abi", ["mpich", "openmpi"])
def test_under(tmp_path, abi, name):
    """Under other MPI libraries, in which several threads may call at the same time."""
    program = compiled(tmp_path, abi, f"{name}.c", "counts.c")
    check(tmp_path, 3, under(abi, tmp_path, 3, program, COUNTS=tmp_path / "counts"))


@pytest.mark.parametrize("key", ["mpich", "openmpi"])
def test_fortran(tmp_path, key):
    if not shutil.which(f"mpif90.{key}"):
        pytest.skip(f"there is no mpif90.{key}")
    program = compiled_by(f"mpif90.{key}", tmp_path, "counts.f90")
    _, calls = recorded(tmp_path, 3, program, COUNTS=tmp_path / "counts")
    for rank in range(3):
        assert said(calls, rank) == counted(tmp_path, rank)


def test_python(tmp_path):
    """mpi4py also calls functions for types and statuses, which the program does not count."""
    def has_mpi4py(python):
        return subprocess.run([python, "-c", "import mpi4py"], capture_output=True, check=False).returncode == 0

    python = next(filter(has_mpi4py, [sys.executable, "/usr/bin/python3"]), None)
    if not python:
        pytest.skip("there is no mpi4py")
    _, calls = recorded(tmp_path, 3, python, HERE / "counts.py", COUNTS=tmp_path / "counts")
    for rank in range(3):
        (functions, to), found = counted(tmp_path, rank), said(calls, rank)
        assert {name: found[0].get(name) for name in functions} == functions
        assert found[1] == to
