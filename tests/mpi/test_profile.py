"""The profile that rank 0 writes, in a folder into which others write too, and of ranks that are killed."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

UNISONO, MPICC, MPIRUN, ACCELERATOR = (os.environ[name] for name in ("UNISONO", "MPICC", "MPIRUN", "UNISONO_ACCELERATOR"))
OTHER = "setpriv --reuid=65534 --regid=65534 --clear-groups" if os.geteuid() == 0 else ""  # somebody else, for whom there is one

PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && argc > 1)
        raise(SIGKILL);
    MPI_Finalize();
}
"""


@pytest.fixture
def work():
    """A folder that others can enter, which pytest's own cannot be."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        subprocess.run([MPICC, "-x", "c", "-", "-o", folder / "program"], input=PROGRAM, text=True, check=True)
        (folder / "shared").mkdir()
        (folder / "shared").chmod(0o777)  # not sticky: in such a one fs.protected_symlinks may refuse what is to be shown
        (folder / "own").write_text("precious")
        yield folder


def run(work, *command, **variables):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1", "XDG_CONFIG_HOME": str(work / "config"),
                   "TMPDIR": str(work / "shared"), **variables}
    return subprocess.run([str(word) for word in command], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)


def left(folder):
    return sorted(name for name in os.listdir(folder) if "unisono" in name or "json" in name)


@pytest.mark.parametrize("option", ["--profile", "--profile=p.json"])
def test_killed(work, option):
    """Nothing is left of it, and what stood there before is."""
    (work / "p.json").write_text("old")
    r = run(work, UNISONO, "mpi", option, MPIRUN, "-n", 2, "./program", "killed")
    assert "there is no profile: rank 0 did not come to MPI_Finalize" in r.stderr, r
    assert left(work) == ["p.json"] and (work / "p.json").read_text() == "old"
    assert left(work / "shared") == []


def test_link_beside_the_profile(work):
    """Nothing is written where a link of somebody else points, whose name follows from that of the profile."""
    profile = work / "shared/p.json"
    (work / "shared/p.json.part").symlink_to(work / "own")
    (work / "accelerated").write_text(f"#!/bin/sh\nLD_PRELOAD={ACCELERATOR} UNISONO_MPI_PROFILE={profile} exec ./program\n")
    (work / "accelerated").chmod(0o755)
    r = run(work, MPIRUN, "-n", 2, "./accelerated")
    assert r.returncode == 0, r
    assert (work / "own").read_text() == "precious"
    assert json.loads(profile.read_text())["ranks"] == 2


@pytest.mark.skipif(not OTHER, reason="it takes root to be another user")
@pytest.mark.parametrize("option", ["--profile", "--profile=shared/p.json"])
def test_links_of_another_user(work, option):
    """A user who sees the name of a profile as soon as there is one cannot make a file beside it or in its stead."""
    (work / "mpirun").write_text(f"""#!/bin/sh
if [ "$1" != --version ]; then
    {OTHER} touch shared/reached && rm shared/reached
    for name in "$UNISONO_MPI_PROFILE" "$UNISONO_MPI_PROFILE.part"; do {OTHER} ln -sf {work}/own "$name"; done 2>>planted
fi
exec {MPIRUN} "$@"
""")
    (work / "mpirun").chmod(0o755)
    r = run(work, UNISONO, "mpi", option, "./mpirun", "-n", 2, "./program")
    assert (work / "own").read_text() == "precious"
    assert r.returncode == 0, r
    planted = (work / "planted").read_text()
    assert planted.count("Permission denied") == 2 and "reached" not in r.stderr, planted
    assert left(work / "shared") == (["p.json"] if "=" in option else [])
