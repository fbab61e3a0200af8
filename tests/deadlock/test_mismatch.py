"""Calls of MPI that do not fit together: the job ends, and each rank that sees it says what it is in, with its arguments."""

import os
import re
import subprocess

import pytest

UNISONO = os.environ["UNISONO"]

WORLD = r"MPI_COMM_WORLD\)"

# What two ranks call, and in which words each of them may tell of it: one does, and the other one has been told.
COLLECTIVES = {
    "operations": (["barrier", "bcast:0:8"], rf"MPI_Barrier\({WORLD}", rf"MPI_Bcast\(count 8, MPI_BYTE, root 0, {WORLD}"),
    "roots": (["bcast:0:8", "bcast:1:8"], rf"MPI_Bcast\(count 8, MPI_BYTE, root 0, {WORLD}",
              rf"MPI_Bcast\(count 8, MPI_BYTE, root 1, {WORLD}"),
    "roots of much": (["bcast:0:100000", "bcast:1:100000"], "MPI_Bcast.count 100000, MPI_BYTE, root 0",
                      "MPI_Bcast.count 100000, MPI_BYTE, root 1"),
    "counts": (["bcast:0:8", "bcast:0:16"], "MPI_Bcast.count 8,", "MPI_Bcast.count 16,"),
    "counts of reductions": (["max:0:1", "max:0:2"], "MPI_Reduce.count 1, MPI_INT, MPI_MAX, root 0",
                             "MPI_Reduce.count 2, MPI_INT, MPI_MAX, root 0"),
    "reductions": (["max:0:1", "min:0:1"], "MPI_Reduce.count 1, MPI_INT, MPI_MAX", "MPI_Reduce.count 1, MPI_INT, MPI_MIN"),
    "roots of a gather": (["gather:0:4", "gather:1:4"], "MPI_Gather.*root 0", "MPI_Gather.*root 1"),
    "communicators": (["dup:0,barrier", "dup:1,barrier"], rf"MPI_Barrier\({WORLD}", r"MPI_Barrier\(communicator \d+\)"),
    "the end": (["barrier", ""], rf"MPI_Barrier\({WORLD}", "MPI_Finalize"),
}


def run(calls):
    command = [UNISONO, "run", "-n", str(len(calls)), os.environ["UNISONO_MPI"], *calls]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False)


@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives(name):
    calls, *words = COLLECTIVES[name]
    r = run(calls)
    assert r.returncode == 1, r.stderr
    seen = re.search(r"^unisono: PE (\d): mismatch: PE (\d) is in (.*) of group \{0-1\}, but PE (\d) is in", r.stderr, re.M)
    assert seen, r.stderr
    assert seen[1] == seen[2] != seen[4]
    assert re.match(words[int(seen[1])], seen[3]), r.stderr
    other = re.search(rf"^unisono: PE {seen[4]}: (.*)$", r.stderr, re.M)
    assert other and re.search(words[int(seen[4])], other[1]), r.stderr


def test_collectives_that_fit():
    calls = "bcast:0:8,bcast:1:8,max:0:1,max:1:2,min:1:1,dup:1,barrier,gather:1:4,add"
    r = run([calls] * 3)
    assert (r.returncode, r.stderr) == (0, "")


def test_message_too_long():
    r = run(["send:1:5:100", "few:0:5:10"])
    assert r.returncode == 1
    assert ("PE 1: MPI_Recv: the message of tag 5 from rank 0 of MPI_COMM_WORLD has 100 bytes, and there is room for 10 "
            "(MPI_ERR_TRUNCATE)") in r.stderr, r.stderr
