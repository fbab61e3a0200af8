"""Programs that hang: each is ended at once, with the circle, and what every PE waits in.

A row says what each PE calls, as script.h has it; who waits for whom, in the words of the first line; and a part of
the line of each PE. Before they hang, they may have done something else. Each line ends with the place of the program
at which the library was called, whose source is looked up here."""

import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import lines
import pytest
from circles import DEADLOCK, any_of, circle
from patience import HANGS, SLOW

UNISONO = os.environ["UNISONO"]


class Row(NamedTuple):
    library: str
    calls: list
    circle: str
    places: list


PAPERS = {
    "three pairs": (
        ["group:3,wait", "group:6,wait", "group:5,wait"], circle(0, 1, 2),
        [r"p_wait of group \{0-1\}", r"p_wait of group \{1-2\}", r"p_wait of group \{0,2\}"]),
    "four pairs": (
        ["group:3,add", "group:6,add", "group:12,add", "group:9,add"], circle(0, 1, 2, 3),
        [r"p_reduceAdd32 of group \{0-1\}", r"p_reduceAdd32 of group \{1-2\}"]),
    "different operations": (
        ["group:3,add", "group:6,put", "group:5,gather"], circle(0, 1, 2),
        ["p_reduceAdd32", "p_bcast32", "p_gather64"]),
    "after others": (
        ["wait,add,group:3,wait", "wait,add,group:6,add", "wait,add,group:5,gather"], circle(0, 1, 2),
        ["p_wait", "p_reduceAdd32", "p_gather64"]),
    "pairs in another order": (
        ["group:3,wait,group:5,wait", "group:6,wait,group:3,wait", "group:5,wait,group:6,wait"], circle(0, 1, 2),
        ["PE 1", "PE 2", "PE 0"]),
    "larger groups": (
        ["group:7,wait", "group:14,wait", "group:28,wait", "group:25,wait", "group:19,wait"], circle(0, 1, 2, 3),
        [r"\{0-2\}.*missing: PEs 1-2", r"\{1-3\}.*missing: PEs 2-3"]),
    "one has left": (
        ["group:3,wait", "group:6,wait", "group:5,wait", "leave"], circle(0, 1, 2),
        ["p_wait", "p_wait", "p_wait", "left|ended"]),
    "others come later": (
        ["nap:150,group:3,wait", "group:6,wait", "nap:300,group:5,wait"], circle(0, 1, 2), ["p_wait"] * 3),
    "arrays": (
        ["group:3,exchange", "group:6,exchange", "group:5,exchange"], circle(0, 1, 2), ["p_allToAll"] * 3),
    "two circles": (
        ["group:3,wait", "group:6,wait", "group:5,wait", "group:24,wait", "group:48,wait", "group:40,wait"],
        circle(0, 1, 2), [r"\{0-1\}"] * 1),
    "after an interrupt": (
        ["interrupt,wait,group:3,wait", "wait,group:6,wait", "wait,group:5,wait"], circle(0, 1, 2), ["p_wait"] * 3),
}

VERTEX = {
    "reads in a pair": (["read:1:7", "read:0:8"], circle(0, 1), ["nread from PE 1 of type 7", "nread from PE 0 of type 8"]),
    "reads in a circle": (["read:1:0", "read:2:0", "read:3:0", "read:0:0"], circle(0, 1, 2, 3), ["nread from PE 1"]),
    "another type": (
        ["write:1:5:8,read:1:1", "read:0:6"], circle(0, 1),
        ["nread from PE 1 of type 1", "nread from PE 0 of type 6.*; messages: 1 unclaimed"]),
    "any of any": (["read:-1:-1", "read:-1:-1", "read:-1:-1"], any_of(0), ["nread from any PE of any type"] * 3),
    "any type": (["read:1:-1", "read:0:-1"], circle(0, 1), ["nread from PE 1 of any type"]),
    "probes": (["probe:1:2", "probe:0:3"], circle(0, 1), ["nprobe from PE 1 of type 2", "nprobe from PE 0 of type 3"]),
    "requests": (["extend:1,request:1:8", "extend:0,request:0:8"], circle(0, 1), ["nwait", "nwait"]),
    "a read and a barrier": (["read:1:0", "wait"], circle(0, 1), ["nread from PE 1", r"p_wait of group \{0-1\}"]),
    "spreads from two roots": (["spread:1", "spread:0"], circle(0, 1), ["nspread", "nspread"]),
    "one does not combine": (["combine", "read:0:0"], circle(0, 1), ["ncombine", "nread from PE 0"]),
    "a subcube": (
        ["subcube:1,read:1:4", "subcube:1,read:0:4", "subcube:1,read:1:4", "subcube:1,read:0:4"], circle(0, 1),
        ["nread from PE 1 of type 4"] * 1),
    "after much": (
        ["write:1:0:1048576,read:1:0,read:1:0", "write:0:0:1048576,read:0:0,read:0:0"], circle(0, 1),
        ["nread from PE 1", "nread from PE 0"]),
    "one has left": (["read:1:0", "read:0:0", "leave"], circle(0, 1), ["nread", "nread", "left|ended"]),
}

MPI = {
    "receives in a pair": (
        ["recv:1:7", "recv:0:8"], circle(0, 1),
        ["MPI_Recv from PE 1 of tag 7 of MPI_COMM_WORLD, with room for 1048576 bytes", "MPI_Recv from PE 0 of tag 8"]),
    "receives in a circle": (
        ["recv:1:0", "recv:2:0", "recv:3:0", "recv:4:0", "recv:0:0"], circle(0, 1, 2, 3, 4), ["MPI_Recv from PE 1"]),
    "a missing send": (
        ["recv:1:3", ""], circle(0, 1), ["MPI_Recv from PE 1 of tag 3", r"MPI_Finalize of group \{0-1\}"]),
    "another tag": (
        ["send:1:5:8,recv:1:0", "recv:0:6"], circle(0, 1),
        ["MPI_Recv from PE 1 of tag 0", "MPI_Recv from PE 0 of tag 6.*; messages: 1 unclaimed"]),
    "any source": (
        ["recv:-1:0", "barrier", "barrier"], any_of(0),
        ["MPI_Recv from any PE of tag 0", r"MPI_Barrier.*missing: PE 0", r"MPI_Barrier.*missing: PE 0"]),
    "a barrier and a receive": (["barrier", "recv:0:0"], circle(0, 1), ["MPI_Barrier", "MPI_Recv from PE 0"]),
    "a request": (["irecv:1:0,wait", "irecv:0:0,wait"], circle(0, 1), ["MPI_Wait.*; messages: 1 pending"] * 2),
    "all requests": (
        ["irecv:1:0,irecv:2:0,waitall", "send:0:0:8,recv:2:0", "recv:0:0"], circle(0, 2),
        ["MPI_Wait", "MPI_Recv from PE 2", "MPI_Recv from PE 0"]),
    "any of some requests": (
        ["irecv:1:0,irecv:2:0,waitany", "recv:0:0", "recv:0:0"], any_of(0),
        ["MPI_Wait.*; messages: 2 pending", "MPI_Recv", "MPI_Recv"]),
    "probes": (["probe:1:0", "probe:0:0"], circle(0, 1), ["MPI_Probe from PE 1", "MPI_Probe from PE 0"]),
    "sends and receives": (
        ["sendrecv:1:1:5", "sendrecv:0:0:5"], circle(0, 1), ["MPI_Recv from PE 1 of tag 5", "MPI_Recv from PE 0 of tag 5"]),
    "communicators in a circle": (
        ["group:3,barrier", "group:6,barrier", "group:5,barrier"], circle(0, 1, 2), ["MPI_Allreduce"] * 3),
    "barriers in another order": (
        ["group:3,group:5", "group:6,group:3", "group:5,group:6"], circle(0, 1, 2), ["MPI_Allreduce"] * 3),
    "one does not reduce": (
        ["add", "add", "recv:0:0"], circle(0, 2), ["MPI_Allreduce", "MPI_Allreduce", "MPI_Recv from PE 0"]),
    "a broadcast and a receive": (
        ["recv:1:0", "bcast:0:100000"], circle(0, 1), ["MPI_Recv from PE 1", "MPI_Bcast"]),
    "one does not duplicate": (["dup", "recv:0:0"], circle(0, 1), ["MPI_Allreduce", "MPI_Recv"]),
    "large messages": (
        ["send:1:0:1000000,recv:1:0,recv:1:0", "send:0:0:1000000,recv:0:0,recv:0:0"], circle(0, 1), ["MPI_Recv"] * 2),
}

ROWS = {f"{library}: {name}": Row(library, *row)
        for library, table in (("papers", PAPERS), ("vertex", VERTEX), ("mpi", MPI)) for name, row in table.items()
        if os.environ.get("UNISONO_" + library.upper())}


def hang(row):
    command = [UNISONO, "run", "-n", str(len(row.calls)), os.environ["UNISONO_" + row.library.upper()], *row.calls]
    began = time.monotonic()
    r = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL, check=False)
    return r, time.monotonic() - began


@pytest.fixture(scope="module")
def outcomes():
    """Run all rows, some at a time: each takes a tenth of a second, in which it does nothing."""
    with ThreadPoolExecutor(2 if SLOW > 1 else 4) as pool:
        return dict(zip(ROWS, pool.map(hang, ROWS.values())))


def with_threads(*calls):
    command = [UNISONO, "run", "-n", str(len(calls)), os.environ["UNISONO_MPI"], *calls]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL, check=False,
                          env=os.environ | {"MPI_LEVEL": "multiple"})


@pytest.mark.skipif("UNISONO_MPI" not in os.environ, reason="there is no MPI library here")
def test_threads():
    """A rank that may have several threads and has one is stuck as any other; one that has several may not be."""
    r = with_threads("recv:1:7", "recv:0:8")
    assert r.returncode == DEADLOCK, r.stderr
    assert "PE 0: waiting in MPI_Recv from PE 1 of tag 7" in r.stderr
    r = with_threads("later:1500:1,recv:1:0", "recv:0:0,send:0:0:1")
    assert r.returncode == 0, r.stderr


@pytest.mark.parametrize("name", ROWS)
def test_hang(name, outcomes):
    row, (r, _) = ROWS[name], outcomes[name]
    assert r.returncode == DEADLOCK, r.stderr
    told = [line for line in r.stderr.splitlines() if not line.startswith("    ")]  # of requests: test_requests.py
    assert told[0] == f"unisono run: deadlock: {row.circle}; where the PEs are:"
    assert len(told) == 1 + len(row.calls)
    for k, place in enumerate(row.places):
        assert re.match(f"  PE {k}: .*({place})", told[1 + k]), told[1 + k]


def test_who_might_have_called():
    """Other threads, and signal handlers in which programs work: the report says that their calls do not count."""
    r, _ = hang(Row("vertex", ["thread,handle:14,handle:2,handle:10,read:1:7", "handle:2,read:0:8"], "", []))
    assert r.returncode == DEADLOCK, r.stderr
    assert r.stderr.splitlines()[3:] == [
        "  PE 0 has 2 threads: only the one that has checked in may call, and what another one would call does not count",
        "  PE 0 handles signals 10 (User defined signal 1), 14 (Alarm clock): a handler may call nothing but p_interrupt, "
        "and what else it would call does not count"]


def test_soon(outcomes):
    """The whole job, from start to end, and how long the PEs have waited then; most of them, since the machine may be
    busy."""
    assert sorted(seconds for _, seconds in outcomes.values())[len(outcomes) // 2] < SLOW
    waits = sorted(float(s) for r, _ in outcomes.values() for s in re.findall(r" for (\d+\.\d\d) s", r.stderr))
    assert waits[len(waits) // 2] < SLOW, waits


@pytest.mark.skipif("UNISONO_MPI" not in os.environ, reason="there is no MPI library")
def test_no_wait_after_a_look_in_vain():
    """A rank that shares its processor is shown as waiting while it looks in vain, and not when it computes later."""
    processor = str(min(os.sched_getaffinity(0)))
    r = subprocess.run(["taskset", "-c", processor, UNISONO, "run", "-n", "2", "--timeout=1", os.environ["UNISONO_MPI"],
                        "irecv:1:0,testall,nap:60000", "nap:200,send:0:0:8,nap:60000"],
                       capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL, check=False)
    assert r.returncode == 124, r.stderr
    assert [line.split(",")[0] for line in r.stderr.splitlines()[1:]] == ["  PE 0: running", "  PE 1: running"]


KNOWN = pytest.mark.skipif(lines.unknown() is not None, reason=str(lines.unknown()))

# A call of a face, in the source; and where a line says that it is.
CALL = re.compile(r"\b(MPI_[A-Z]|p_|n[a-z])\w*\(")
CALLER = re.compile(r"; called by (\w+) at (?:\S+/)?(\w+\.[ch]):(\d+)$")


def waiting_lines(r):
    return [line for line in r.stderr.splitlines() if ": waiting in" in line]


@KNOWN
@pytest.mark.parametrize("name", ROWS)
def test_caller(name, outcomes):
    """The line of the source has the call in which the PE waits, and stands in the function that is named."""
    r, tries = outcomes[name][0], 3
    while tries and not all("; called by " in line for line in waiting_lines(r)):
        r, tries = hang(ROWS[name])[0], tries - 1  # on a busy machine the time was over before all stacks were read
    waiting = waiting_lines(r)
    for line in waiting:
        caller = CALLER.search(line)
        assert caller, line
        source = open(os.path.join(os.path.dirname(__file__), caller[2])).read().splitlines()[:int(caller[3])]
        assert CALL.search(source[-1]), (line, source[-1])
        heads = [text for text in source if re.match(r"(static |int )", text) and not text.endswith(";")]
        assert f" {caller[1]}(" in heads[-1], (line, heads[-1])
    assert waiting


@KNOWN
@pytest.mark.skipif("UNISONO_PLAIN" not in os.environ, reason="there is no MPI library")
def test_caller_without_lines():
    """Without debugging information the report names the function."""
    r = subprocess.run([UNISONO, "run", "-n", "2", os.environ["UNISONO_PLAIN"], "recv:1:7", "probe:0:7"],
                       capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL, check=False)
    told = r.stderr.splitlines()
    assert told[1].endswith("; missing: PE 1; called by receive of plain"), r.stderr
    assert told[2].endswith("; missing: PE 0; called by probe of plain"), r.stderr
