"""Calls of MPI that do not fit together: the job ends, and each rank that sees the mismatch reports its call, with its
arguments."""

import os
import re
import subprocess

import lines
import pytest
from patience import HANGS

UNISONO = os.environ["UNISONO"]

WORLD = r"MPI_COMM_WORLD\)"

# The calls of two ranks, and the words of each for its call: one reports the mismatch, and the other one has been told.
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
    "types": (["type:1,bcast:0:2", "type:3,bcast:0:1"], "MPI_Bcast.count 2, MPI_INT,", "MPI_Bcast.count 1, MPI_DOUBLE,"),
    "types of much": (["type:1,bcast:0:20000", "type:3,bcast:0:10000"], "MPI_Bcast.count 20000, MPI_INT,",
                      "MPI_Bcast.count 10000, MPI_DOUBLE,"),
    "types of reductions": (["type:1,max:0:1", "type:2,max:0:1"], "MPI_Reduce.count 1, MPI_INT, MPI_MAX",
                            "MPI_Reduce.count 1, MPI_FLOAT, MPI_MAX"),
    "types of a gather": (["type:2,gather:0:3", "type:1,gather:0:3"], "MPI_Gather.count 3, MPI_FLOAT",
                          "MPI_Gather.count 3, MPI_INT"),
    "order in structures": (["type:6,bcast:0:3", "type:7,bcast:0:3"], "MPI_Bcast.count 3, a type of 12 bytes",
                            "MPI_Bcast.count 3, a type of 12 bytes"),
    "roots of a gather": (["gather:0:4", "gather:1:4"], "MPI_Gather.*root 0", "MPI_Gather.*root 1"),
    "communicators": (["dup:0,barrier", "dup:1,barrier"], rf"MPI_Barrier\({WORLD}", r"MPI_Barrier\(communicator \d+\)"),
    "the end": (["barrier", ""], rf"MPI_Barrier\({WORLD}", "MPI_Finalize"),
}


def run(calls):
    command = [UNISONO, "run", "-n", str(len(calls)), os.environ["UNISONO_MPI"], *calls]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL, check=False)


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
    if lines.unknown() is None:
        places = re.findall(r"; called by \w+ at \S*mpi\.c:\d+$", r.stderr, re.M)
        assert len(places) == 2, r.stderr


WAIT = "MPI_Wait of "

# Mismatches of nonblocking calls, with the calls that end them: some are found when a message has come, some at the end
# of the program, when nobody has received a message.
BESIDE = {
    "operations": (["ibarrier,waitall", "iadd,waitall"], rf"MPI_Ibarrier\({WORLD}",
                   rf"MPI_Iallreduce\(count 1, MPI_INT, MPI_SUM, {WORLD}"),
    "one sends to the other": (["ibcast:0:8,waitall", "imax:1:2,waitall"], r"MPI_Ibcast\(count 8, MPI_BYTE, root 0",
                               r"MPI_Ireduce\(count 2, MPI_INT, MPI_MAX, root 1"),
    "roots": (["ibcast:0:8,waitall", "ibcast:1:8,waitall"], rf"MPI_Ibcast\(count 8, MPI_BYTE, root 0, {WORLD}",
              rf"MPI_Ibcast\(count 8, MPI_BYTE, root 1, {WORLD}"),
    "counts": (["ibcast:0:16,waitall", "ibcast:0:8,waitall"], r"MPI_Ibcast\(count 16,", r"MPI_Ibcast\(count 8,"),
    "fewer": (["ibcast:0:8,waitany", "ibcast:0:16,waitany"], r"MPI_Ibcast\(count 8,", r"MPI_Ibcast\(count 16,"),
    "much": (["ibcast:0:100000,wait", "ibcast:0:90000,wait"], r"MPI_Ibcast\(count 100000,", r"MPI_Ibcast\(count 90000,"),
    "types": (["type:1,ibcast:0:2,waitall", "type:3,ibcast:0:1,waitall"], r"MPI_Ibcast\(count 2, MPI_INT,",
              r"MPI_Ibcast\(count 1, MPI_DOUBLE,"),
    "types of a gather": (["type:2,igather:0:3,waitall", "type:1,igather:0:3,waitall"], r"MPI_Igather\(count 3, MPI_FLOAT",
                          r"MPI_Igather\(count 3, MPI_INT"),
    "reductions": (["imax:0:1,testall", "imin:0:1,testall"], r"MPI_Ireduce\(count 1, MPI_INT, MPI_MAX",
                   r"MPI_Ireduce\(count 1, MPI_INT, MPI_MIN"),
    "order": (["ibcast:0:8,wait", "ibarrier,ibcast:0:8,wait"], r"MPI_Ibcast\(count 8", rf"MPI_Ibarrier\({WORLD}"),
    "made": (["pbarrier,waitall", "pbcast:0:8,waitall"], rf"MPI_Barrier_init\({WORLD}", r"MPI_Bcast_init\(count 8, MPI_BYTE, root 0"),
    "in a copy": (["dup:1,ibarrier,waitall", "dup:1,ibcast:0:8,waitall"], r"MPI_Ibarrier\(communicator \d+\)",
                  r"MPI_Ibcast\(count 8, MPI_BYTE, root 0, communicator \d+\)"),
}


@pytest.mark.parametrize("name", BESIDE)
def test_nonblocking_collectives(name):
    calls, *words = BESIDE[name]
    r = run(calls)
    assert r.returncode == 1, r.stderr
    seen = re.search(r"^unisono: PE (\d): mismatch: PE (\d) is in (.*), but what PE (\d) sent is of (\w+)", r.stderr, re.M)
    assert seen, r.stderr
    assert seen[1] == seen[2] != seen[4]
    assert re.match(words[int(seen[1])], seen[3]), r.stderr
    assert words[int(seen[4])].startswith(seen[5]), r.stderr
    other = re.search(rf"^unisono: PE {seen[4]}: (.*)$", r.stderr, re.M)
    assert other and re.search(words[int(seen[4])], other[1]), r.stderr
    if lines.unknown() is None:
        places = re.findall(r"called by \w+_(?:beside|often) at \S*mpi\.c:\d+", r.stderr, re.M)
        assert len(places) == 2, r.stderr


# Cases in which neither rank has sent the other one anything: each waits, in a call that is named.
HANG = {
    "each waits for the other": (["ibcast:1:8,waitall", "imax:1:2,ibcast:0:8,waitall"], f"{WAIT}MPI_Ibcast", f"{WAIT}MPI_Ireduce"),
    "blocking": (["ibarrier,waitall", "barrier"], f"{WAIT}MPI_Ibarrier", "MPI_Barrier"),
    "made": (["pbarrier,waitall", "ibarrier,waitall"], f"{WAIT}MPI_Barrier_init", f"{WAIT}MPI_Ibarrier"),
}


@pytest.mark.parametrize("name", HANG)
def test_nonblocking_collectives_that_hang(name):
    calls, *words = HANG[name]
    r = run(calls)
    assert r.returncode == 125, r.stderr
    for pe, call in enumerate(words):
        assert re.search(rf"^  PE {pe}: waiting in {call}\b", r.stderr, re.M), r.stderr


def test_other_thread():
    r = run(["thread", "barrier"])
    assert r.returncode == 1, r.stderr
    told = re.search(r"^unisono: PE 0: MPI_Barrier was called by thread (\d+), but only thread (\d+), which has called MPI_Init, may "
                     r"call MPI's functions(.*)$", r.stderr, re.M)
    assert told and told[1] != told[2], r.stderr
    if lines.unknown() is None:
        assert re.match(r"; called by meet at \S*mpi\.c:\d+$", told[3]), r.stderr


# Calls of three ranks whose types differ while their signatures agree, or fit every other.
FIT = {
    "all alike": ["bcast:0:8,bcast:1:8,max:0:1,max:1:2,min:1:1,dup:1,barrier,gather:1:4,add"] * 3,
    "two ints": ["type:1,bcast:0:4", "type:8,bcast:0:2", "type:1,bcast:0:4"],
    "a pair": ["type:5,bcast:2:7", "type:7,bcast:2:7", "type:5,bcast:2:7"],
    "bytes": ["type:1,bcast:0:4,bcast:1:9000", "bcast:0:16,bcast:1:36000", "type:1,bcast:0:4,bcast:1:9000"],
    "bytes at one": ["type:0,bcast:0:16,gather:1:20", "type:1,bcast:0:4,gather:1:5", "type:1,bcast:0:4,gather:1:5"],
    "packed": ["type:4,bcast:0:12", "type:7,bcast:0:1", "type:5,bcast:0:1"],
    "beside": ["ibcast:0:8,ibcast:1:8,imax:0:1,pbarrier,imin:1:1,ibarrier,pbcast:2:9000,iadd,igather:2:3,waitall"] * 3,
    "bytes beside": ["type:1,ibcast:0:4,waitall", "ibcast:0:16,waitall", "type:1,ibcast:0:4,waitall"],
    "no elements": ["type:1,bcast:0:0,bcast:1:0", "type:3,bcast:0:0,bcast:1:0", "bcast:0:0,bcast:1:0"],
}


@pytest.mark.parametrize("name", FIT)
def test_collectives_that_fit(name):
    r = run(FIT[name])
    assert (r.returncode, r.stderr) == (0, "")


def test_message_too_long():
    r = run(["send:1:5:100", "few:0:5:10"])
    assert r.returncode == 1
    assert ("PE 1: MPI_Recv: the message of tag 5 from rank 0 of MPI_COMM_WORLD has 100 bytes, and there is room for 10 "
            "(MPI_ERR_TRUNCATE)") in r.stderr, r.stderr
