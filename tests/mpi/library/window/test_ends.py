"""Programs that end in an epoch of a window, or break a rule, end with a message that says so, and the whole job with
them; and nothing of their memory stays."""

import os
import subprocess
from pathlib import Path

import pytest

UNISONO, ENDS, RSH = (os.environ[name] for name in ("UNISONO", "UNISONO_ENDS", "UNISONO_RSH"))
HERE, APART = ("-n", "2"), ("--rsh", RSH, "--hosts", "node1:1,node2:1")


def run(case, where=HERE):
    return subprocess.run([UNISONO, "run", *where, ENDS, case], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("case, status, words", [
    ("killed", 128 + 9, ["PE 0 was killed by signal 9 (Killed); this PE was in MPI_Win_lock"]),
    ("held", 128 + 9, ["PE 0 was killed by signal 9 (Killed); this PE was in MPI_Accumulate"]),
    ("gone", 128 + 9, ["PE 1 was killed by signal 9 (Killed); this PE was in an access to the memory of another rank"]),
    ("nowhere", 0, []),
    ("dead", 125, ["MPI_Win_lock", "MPI_Barrier"]),
    ("alone", 125, ["MPI_Win_start", "MPI_Recv"]),
    ("mismatched", 1, ["mismatch", "MPI_Win_fence", "MPI_Barrier"]),
    ("outside", 1, ["MPI_Put: the data at displacement 8 are not in the window of rank 1, which has 64 bytes, and 8 to a "
                    "displacement (MPI_ERR_RMA_RANGE)"]),
    ("unopened", 1, ["MPI_Put: rank 1 may not be accessed: this rank is not in an epoch (MPI_ERR_RMA_SYNC)"]),
    ("inside", 1, ["MPI_Win_free does not fit: this rank is in an epoch of MPI_Win_lock_all (MPI_ERR_RMA_SYNC)"]),
])
def test_end(case, status, words):
    before = set(Path("/dev/shm").iterdir())
    done = run(case)
    assert done.returncode == status, done.stderr
    for some in words:
        assert some in done.stderr, done.stderr
    assert not [path for path in set(Path("/dev/shm").iterdir()) - before if "unisono" in path.name]


@pytest.mark.skipif(os.environ["UNISONO_NODES"] not in ("1", "TRUE"), reason="there is no libfabric, which carries jobs on several machines")
@pytest.mark.parametrize("case, status, words", [
    ("killed", 128 + 9, ["PE 0 on node1 was killed by signal 9 (Killed); this PE was in MPI_Win_lock"]),
    ("killed_asked", 128 + 9, ["PE 1 on node2 was killed by signal 9 (Killed); this PE was in MPI_Win_flush"]),
    ("dead", 125, ["MPI_Win_lock", "MPI_Barrier"]),
    ("alone", 125, ["MPI_Win_start", "MPI_Recv"]),
    ("outside", 1, ["MPI_Put: the data at displacement 8 are not in the window of rank 1, which has 64 bytes, and 8 to a "
                    "displacement (MPI_ERR_RMA_RANGE)"]),
    ("detached", 1, ["MPI_Win_flush: rank 1 has no such memory in the window (MPI_ERR_RMA_RANGE)"]),
    ("inside", 1, ["MPI_Win_free does not fit: this rank is in an epoch of MPI_Win_lock_all (MPI_ERR_RMA_SYNC)"]),
])
def test_end_on_two_nodes(case, status, words):
    done = run(case, APART)
    assert done.returncode == status, done.stderr
    for some in words:
        assert some in done.stderr, done.stderr
