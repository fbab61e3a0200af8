"""Programs on several machines that hang: each is ended, with the circle, and where each PE of each machine waits; and
programs that are right, however slow their machines are."""

import os
import random
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from circles import DEADLOCK, any_of, circle
from machines import RANK, launcher, program, run, start, to_end
from namespaces import Impossible, namespaces
from patience import SLOW, until

PAPERS, VERTEX, MPI, RIGHT = (os.environ.get(f"UNISONO_{name}") for name in ("PAPERS", "VERTEX", "MPI", "RIGHT"))


class Row(NamedTuple):
    hosts: str
    program: str
    calls: list
    circle: str
    places: list


GROUPS = ["group:3,wait", "group:6,wait", "group:5,wait"]
ROWS = {
    "groups in a circle": Row(
        "a:2,b:1", PAPERS, GROUPS, circle(0, 1, 2),
        [r"on a: .*p_wait of group \{0-1\}.*missing: PE 1", r"on a: .*p_wait of group \{1-2\}.*missing: PE 2",
         r"on b: .*p_wait of group \{0,2\}.*missing: PE 0"]),
    "three machines": Row(
        "a,b,c", PAPERS, ["wait,add,group:3,wait", "wait,add,group:6,add", "wait,add,group:5,gather"], circle(0, 1, 2),
        ["on a: .*p_wait", "on b: .*p_reduceAdd32", "on c: .*p_gather64"]),
    "after interrupts": Row(
        "a,b,c", PAPERS, [f"interrupt,wait,interrupt,add,{calls}" for calls in GROUPS], circle(0, 1, 2),
        [r"on a: .*p_wait of group \{0-1\}", r"on b: .*p_wait of group \{1-2\}", r"on c: .*p_wait of group \{0,2\}"]),
    "larger groups": Row(
        "a:1,b:2,a:2", PAPERS, ["group:7,wait", "group:14,wait", "group:28,wait", "group:25,wait", "group:19,wait"],
        circle(0, 1, 2, 3), [r"on a: .*\{0-2\}", r"on b: .*\{1-3\}", "on b", "on a", "on a"]),
    "one machine of two": Row("a:3,b", PAPERS, [*GROUPS, "nap:100000"], circle(0, 1, 2), ["on a"] * 3 + ["on b: running"]),
    "a machine without others": Row("a:3", PAPERS, GROUPS, circle(0, 1, 2), ["on a"] * 3),
    "one machine has left": Row("a:2,b:1,c:2", PAPERS, [*GROUPS, "leave"], circle(0, 1, 2),
                                ["on a", "on a", "on b", "on c: (left|ended)", "on c: (left|ended)"]),
    "one has left, and lives on": Row("a:2,b:1,c:1", PAPERS, [*GROUPS, "linger:100000"], circle(0, 1, 2),
                                      ["on a", "on a", "on b", "on c: left"]),
    "reads in a pair": Row("a,b", VERTEX, ["read:1:7", "read:0:8"], circle(0, 1),
                           ["on a: .*nread from PE 1 of type 7", "on b: .*nread from PE 0 of type 8"]),
    "reads in a circle": Row("a:2,b:2", VERTEX, ["read:1:0", "read:2:0", "read:3:0", "read:0:0"], circle(0, 1, 2, 3),
                             ["on a", "on a", "on b", "on b"]),
    "reads on one machine": Row("a:2,b:2", VERTEX, ["read:1:0", "read:0:0", "read:3:0", "read:2:0"], circle(0, 1), ["on a"]),
    "any of any": Row("a:2,b:2", VERTEX, ["read:-1:-1", "read:-1:-1", "read:-1:-1", "leave"], any_of(0),
                      ["nread from any PE of any type"]),
    "another type": Row("a,b", VERTEX, ["write:1:5:8,read:1:1", "read:0:6"], circle(0, 1),
                        ["nread from PE 1 of type 1", "nread from PE 0 of type 6.*; messages: 1 unclaimed"]),
    "a read and a barrier": Row("a:2,b:2", VERTEX, ["read:1:0", "wait", "wait", "wait"], circle(0, 1),
                                ["on a: .*nread from PE 1", r"on a: .*p_wait of group \{0-3\}", "on b", "on b"]),
    "after much": Row(
        "a,b", VERTEX, ["write:1:0:1048576,read:1:0,wait,read:1:0", "write:0:0:1048576,read:0:0,wait,read:0:0"],
        circle(0, 1), ["nread from PE 1", "nread from PE 0"]),
    "others come later": Row("a,b:2", VERTEX, ["nap:300,read:1:0", "read:2:0", "nap:600,read:0:0"], circle(0, 1, 2), ["on a"]),
    "receives in a circle": Row("a,b:2", MPI, ["recv:1:7", "recv:2:0", "recv:0:0"], circle(0, 1, 2),
                                ["on a: .*MPI_Recv from PE 1 of tag 7 of MPI_COMM_WORLD", "on b", "on b"]),
    "a barrier and a receive": Row("a,b", MPI, ["barrier", "recv:0:0"], circle(0, 1), ["MPI_Barrier", "MPI_Recv from PE 0"]),
    "a missing send": Row("a,b", MPI, ["recv:1:3", ""], circle(0, 1), ["MPI_Recv from PE 1", "on b: waiting in MPI_"]),
    "requests": Row("a,b", MPI, ["irecv:1:0,wait", "irecv:0:0,wait"], circle(0, 1), ["MPI_Wait.*; messages: 1 pending"] * 2),
}
ROWS = {name: row for name, row in ROWS.items() if row.program}


def hang(row):
    return run(row.hosts, row.program, *row.calls)


@pytest.fixture(scope="module", autouse=True)
def _network():
    if "cannot load libfabric" in run("a,b", PAPERS, "wait", "wait").stderr:
        pytest.skip("skipped: there is no libfabric")


@pytest.fixture(scope="module")
def outcomes():
    with ThreadPoolExecutor(2 if SLOW > 1 else 4) as pool:
        return dict(zip(ROWS, pool.map(hang, ROWS.values())))


@pytest.mark.parametrize("name", ROWS)
def test_hang(name, outcomes):
    row, r = ROWS[name], outcomes[name]
    assert r.returncode == DEADLOCK, r.stderr
    told = [line for line in r.stderr.splitlines() if not line.startswith("    ")]  # of requests
    assert told[0] == f"unisono run: deadlock: {row.circle}; where the PEs are:"
    for k, place in enumerate(row.places):
        assert re.match(f"  PE {k} on .: .*", told[1 + k]) and re.search(place, told[1 + k]), told[1 + k]
    assert all(line.startswith("  PE ") for line in told[1:])


def test_soon(outcomes):
    """How long the PEs had waited when they were asked; most of them, since the machine may be busy."""
    waits = sorted(float(s) for r in outcomes.values() for s in re.findall(r" for (\d+\.\d\d) s", r.stderr))
    assert waits[len(waits) // 2] < SLOW, waits


def test_who_might_have_called():
    r = run("a,b", VERTEX, "thread,handle:10,read:1:7", "read:0:8")
    assert r.returncode == DEADLOCK, r.stderr
    assert r.stderr.splitlines()[3:] == [
        "  PE 0 has 2 threads: only the one that has checked in may call, and what another one would call does not count",
        "  PE 0 handles signals 10 (User defined signal 1): a handler may call nothing but p_interrupt, and what else it "
        "would call does not count"]


def test_one_that_has_left_is_no_deadlock():
    """Whoever waits for it finds out when its process ends."""
    r = run("a:2,b", VERTEX, "linger:700", "linger:300", "read:0:0")
    assert (r.returncode, r.stderr.splitlines()[0]) == (1, "unisono: PE 2: nread waits for PE 0, which has left"), r.stderr


# ---- programs that are right --------------------------------------------------------------------------------


def start_known(hosts, folder, *arguments):
    """Start a job; return it with a function that waits until PE k is there and returns its process."""
    p = start(hosts, "sh", "-c", f'echo $$ > {folder}/of.${RANK} && mv {folder}/of.${RANK} {folder}/${RANK}; exec "$@"', "sh",
              *arguments)

    def process(k):
        assert until((folder / str(k)).exists)
        return int((folder / str(k)).read_text())

    return p, process


LATE = {
    "a message": [VERTEX, "nap:600,write:1:0:8,read:1:0", "read:0:0,write:0:0:8"],
    "an operation": [PAPERS, "nap:600,wait,add", "wait,add"],
    "an interrupt": [PAPERS, "nap:600,interrupt,wait", "wait"],
    "a long message": [VERTEX, "nap:600,write:1:0:1048576,read:1:0", "read:0:0,write:0:0:1048576"],
}


@pytest.mark.parametrize("name", LATE)
def test_a_packet_that_nobody_takes_in(name, tmp_path):
    """PE 1 is stopped in a wait; what it waits for comes, and PE 0 then waits for PE 1."""
    p, process = start_known("a,b", tmp_path, *LATE[name])
    pid = process(1)
    time.sleep(0.3)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(1)
    os.kill(pid, signal.SIGCONT)
    assert (to_end(p)[1], p.returncode) == ("", 0)


def test_waits_for_one_that_computes():
    r = run("a:2,b:2", VERTEX, "read:1:0", "read:2:0,write:0:0:8", "read:3:0,write:1:0:8", "nap:1000,write:2:0:8")
    assert (r.returncode, r.stderr) == (0, "")


@pytest.fixture(scope="module", name="slow")
def slow_fixture():
    """Two nodes between which a packet takes longer than the search for a deadlock."""
    try:
        with namespaces(2, [program("switch"), 400000, 0]) as nodes:
            yield lambda *arguments: launcher.run("run", "--rsh", nodes.rsh, "--hosts", ",".join(nodes.names), *arguments)
    except Impossible as why:
        pytest.skip(f"skipped: {why}")


def test_packets_that_are_long_on_their_way(slow):
    r = slow(VERTEX, "write:1:0:8,read:1:0,wait,read:1:0", "read:0:0,write:0:0:8,wait,write:0:0:8")
    assert (r.returncode, r.stderr) == (0, "")


def test_hang_on_a_slow_network(slow):
    r = slow(VERTEX, "write:1:0:8,read:1:0", "read:0:0,read:0:0")
    assert r.returncode == DEADLOCK and circle(0, 1) in r.stderr.splitlines()[0], r.stderr


@pytest.mark.parametrize("hosts", ["a:2,b:2", "a,b,c"])
def test_stops(hosts, tmp_path):
    """Random programs, of whose PEs one after the other stands still, longer than it takes to look for a deadlock."""
    p, process = start_known(hosts, tmp_path, RIGHT, 1, 60)
    pids = [process(k) for k in range(4 if hosts == "a:2,b:2" else 3)]
    chance = random.Random(1)
    end = time.monotonic() + 4
    while time.monotonic() < end and p.poll() is None:
        pid = chance.choice(pids)
        try:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.15 + 0.2 * chance.random())
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            break
        time.sleep(0.02 * chance.random())
    assert (to_end(p)[1], p.returncode) == ("", 0)
