"""Programs with ranks on several nodes: each collective has the bits of one machine, whether it meets or goes by
messages; and of programs that break a rule the message says which, and names ranks and hosts."""

import os
import subprocess

import pytest

UNISONO, WRONG, COLLECTIVES, RSH = (
    os.environ[name] for name in ("UNISONO", "UNISONO_WRONG", "UNISONO_COLLECTIVES", "UNISONO_RSH"))
WHERE = "but rank 0 is on node1 and rank 1 on node2 (MPI_Comm_split_type makes communicators of nodes)"


def run(case, *options, hosts="node1:1,node2:1"):
    return subprocess.run([UNISONO, "run", "--rsh", RSH, "--hosts", hosts, *options, WRONG, case], capture_output=True, text=True,
                          timeout=60, check=False)


@pytest.mark.parametrize("case, words", [
    ("far_memory", f"MPI_Win_allocate_shared: the ranks of a window of shared memory are on one node, {WHERE} (MPI_ERR_RMA_SHARED)"),
    ("other_collective", "MPI_COMM_WORLD) of group {0-1}, but PE "),
    ("other_type", "MPI_SUM, MPI_COMM_WORLD) of group {0-1}, but PE "),
    ("too_long", "of MPI_COMM_WORLD has 8 bytes, and there is room for 4 (MPI_ERR_TRUNCATE)"),
    ("left_synchronous", "MPI_Ssend waits for PE 1, which has left"),
    ("left", "MPI_Recv waits for any PE, and all others have left"),
    ("aborts", "MPI_Abort was called, with error code 5"),
])
def test_message(case, words):
    r = run(case)
    assert r.returncode == 1
    assert words in r.stderr, r.stderr


def test_other_node_is_the_second_one():
    r = run("far_memory", hosts="node1:2,node2:1")
    assert "rank 0 is on node1 and rank 2 on node2" in r.stderr, r.stderr


def test_killed_rank():
    r = run("killed", hosts="node1:1,node2:2")
    assert r.returncode == 128 + 9
    assert "PE 1 on node2 was killed by signal 9 (Killed); this PE was in MPI_Recv, waiting for PE 1" in r.stderr, r.stderr


def test_killed_in_a_meeting():
    r = run("killed_meeting", hosts="node1:1,node2:2")
    assert r.returncode == 128 + 9
    for k in (0, 2):
        assert f"unisono: PE {k}: PE 1 on node2 was killed by signal 9 (Killed); this PE was in MPI_Barrier(MPI_COMM_WORLD)" in r.stderr, r.stderr


@pytest.mark.parametrize("case, words", [("hangs_meeting", "PE 0 on node1: waiting in MPI_Barrier"),
                                         ("other_size", "waiting in MPI_Allgather")])
def test_deadlock_of_a_meeting(case, words):
    r = run(case, hosts="node1:1,node2:2")
    assert r.returncode == 125 and words in r.stderr, r.stderr


@pytest.mark.parametrize("hosts", ["node1:2,node2:2", "node1:1,node2:2,node1:1", "node1:1,node2:1,node3:2"])
@pytest.mark.parametrize("elements", ["1", "7", "64"])
def test_bits_of_one_machine(hosts, elements):
    def lines(*options):
        r = subprocess.run([UNISONO, "run", *options, COLLECTIVES, elements], capture_output=True, text=True, timeout=60, check=True)
        return sorted(r.stdout.splitlines())

    assert lines("--rsh", RSH, "--hosts", hosts) == lines("-n", "4")
