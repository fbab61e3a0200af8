"""The requests of ranks that poll, and so are in no deadlock that could be seen: unisono ps, SIGUSR1 and --timeout list
each with the line that has made it, and with what could match it."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import NamedTuple

import lines
import pytest
from patience import HANGS, until

UNISONO = os.environ["UNISONO"]
HERE = Path(__file__).parent
SOURCES = {name: (HERE / name).read_text().splitlines() for name in ("mpi.c", "polls.F90")}
WORLD = "MPI_COMM_WORLD"


class Request(NamedTuple):
    """A line of a report: its text before and behind the place of the program, and the call that stands at that
    place."""

    text: str
    call: str = ""
    match: str = ""


def receive(text, match="", call="MPI_Irecv", room=1 << 20):
    return Request(f"receive from {text}, with room for {room} bytes", call, match)


def barrier(of, match, call="MPI_Ibarrier"):
    return Request(f"{call} of {of}", call, match)


# The calls of each rank, and the lines about them that must come.
CASES = {
    "another tag": (
        ["irecv:2:7,testall", "nap:60000", "send:0:8:4,nap:60000"],
        [[receive(f"rank 2 of tag 7 of {WORLD}", "rank 2 has sent tag 8"),
          Request(f"unclaimed from rank 2 of tag 8 of {WORLD}, 4 bytes")], [], []]),
    "another source": (
        ["irecv:2:7,testall", "send:0:7:4,nap:60000", "nap:60000"],
        [[receive(f"rank 2 of tag 7 of {WORLD}"), Request(f"unclaimed from rank 1 of tag 7 of {WORLD}, 4 bytes")], [], []]),
    "several other tags": (
        ["irecv:1:1,testall", "send:0:5:4,send:0:5:4,send:0:6:4,send:0:7:4,send:0:8:4,nap:60000"],
        [[receive(f"rank 1 of tag 1 of {WORLD}", "rank 1 has sent tag 5, tag 6, tag 7, and more")], []]),
    "looks": (
        ["iprobe:2:7", "iprobe:-1:3", "send:0:8:4,nap:60000"],
        [[Request(f"MPI_Iprobe from rank 2 of tag 7 of {WORLD}, # times in vain", "MPI_Iprobe", "rank 2 has sent tag 8")],
         [Request(f"MPI_Iprobe from any rank of tag 3 of {WORLD}, # times in vain", "MPI_Iprobe")], []]),
    "a rank that never receives": (
        ["irecv:1:3,isend:1:7:1000000,issend:1:9:4,testall", "nap:60000"],
        [[receive(f"rank 1 of tag 3 of {WORLD}"),
          Request(f"synchronous send to rank 1 of tag 9 of {WORLD}, 4 bytes", "MPI_Issend")],
         [Request(f"arriving from rank 0 of tag 7 of {WORLD}, 1000000 bytes"),
          Request(f"arriving from rank 0 of tag 9 of {WORLD}, 4 bytes")]]),
    "a send and a receive": (
        ["issend:1:9:4,testall", "irecv:0:6,testall"],
        [[Request(f"synchronous send to rank 1 of tag 9 of {WORLD}, 4 bytes", "MPI_Issend", "rank 1 asks for tag 6")],
         [receive(f"rank 0 of tag 6 of {WORLD}", "rank 0 has sent tag 9")]]),
    "a send and a receive that waits": (
        ["issend:1:9:4,testall", "recv:0:6"],
        [[Request(f"synchronous send to rank 1 of tag 9 of {WORLD}, 4 bytes", "MPI_Issend", "rank 1 asks for tag 6")], []]),
    "a collective": (
        ["ibarrier,testall", "ibarrier,testall", "nap:60000"],
        [[barrier(WORLD, "missing: rank 2")], [barrier(WORLD, "missing: rank 2")], []]),
    "the second collective": (
        ["ibcast:2:400,ibarrier,testall", "ibcast:2:400,testall,nap:60000", "ibcast:2:400,nap:60000"],
        [[barrier(WORLD, "missing: ranks 1-2")], [], []]),
    "a persistent collective": (
        ["pbarrier,testall", "ibarrier,nap:60000"],
        [[barrier(WORLD, "missing: rank 1", "MPI_Barrier_init")], [barrier(WORLD, "missing: rank 0")]]),
    "a collective with data": (
        ["ibcast:1:400,testall", "nap:60000"],
        [[Request(f"MPI_Ibcast of {WORLD}, 400 bytes", "MPI_Ibcast", "missing: rank 1")], []]),
    "the end": (
        ["ibarrier,irecv:2:4,testall", "irecv:-1:4,issend:2:4:100000,testall", ""],
        [[barrier(WORLD, "nobody can complete it: rank 2 is in MPI_Finalize"),
          receive(f"rank 2 of tag 4 of {WORLD}", "nobody can match it: rank 2 is in MPI_Finalize")],
         [receive(f"any rank of tag 4 of {WORLD}"),
          Request(f"synchronous send to rank 2 of tag 4 of {WORLD}, 100000 bytes", "MPI_Issend",
                  "nobody can match it: rank 2 is in MPI_Finalize")],
         [Request(f"unclaimed from rank 1 of tag 4 of {WORLD}, 100000 bytes")]]),
    "the end of all others": (
        ["irecv:-1:-1,testall", "", ""],
        [[receive(f"any rank of any tag of {WORLD}",
                  "nobody can match it: all other ranks have ended, or are in MPI_Finalize")], [], []]),
    "sent before the end": (
        ["irecv:1:4,testall", "send:0:5:8"],
        [[receive(f"rank 1 of tag 4 of {WORLD}",
                  "nobody can match it: rank 1 is in MPI_Finalize; rank 1 has sent tag 5")], []]),
    "communicators": (
        ["split:0,dup:1,irecv:0:5,all,irecv:1:7,testall", "split:0,name:1,dup:0,send:1:7:4,precv:0:7,all,precv:2:11,testall", "split:1,nap:60000"],
        [[receive("rank 1 of tag 5 of communicator 3 (MPI_Comm_dup of communicator 2) (its rank 0)"),
          receive(f"rank 1 of tag 7 of {WORLD}",
                  "rank 1 has sent tag 7 of communicator 2 (MPI_Comm_split of MPI_COMM_WORLD)")],
         [receive("rank 1 of tag 7 of row 1 (its rank 0)", call="MPI_Recv_init"),
          receive(f"rank 2 of tag 11 of {WORLD}", call="MPI_Recv_init")], []]),
}


def pattern(request):
    """The line of a report, with the number of the line of the source."""
    text = re.escape(request.text).replace(r"\#", r"\d+").replace("#", r"\d+")
    place = r"; called by \w+ at (?:\S+/)?(?P<file>mpi\.c|polls\.F90):(?P<line>\d+)"
    called = (place if lines.unknown() is None else f"(?:{place})?") if request.call else ""
    return f"    {text}{called}{'; ' if request.match else ''}{re.escape(request.match)}"


def by_pe(report):
    """The lines of a report behind that of each PE."""
    told = {}
    for line in report.splitlines():
        head = re.match(r"  PE (\d+): ", line)
        if head:
            told[int(head[1])] = []
        elif told and line.startswith("    "):
            told[max(told)].append(line)
    return told


def missing(report, wanted):
    """The lines that a report does not have, in their order among others."""
    told, lacks = by_pe(report), []
    for pe, requests in enumerate(wanted):
        for request in requests:
            found = [re.fullmatch(pattern(request), line) for line in told.get(pe, [])]
            lacks += [] if any(found) else [(pe, pattern(request))]
            for match in filter(None, found):
                if request.call and match["line"]:
                    assert f"{request.call}(" in SOURCES[match["file"]][int(match["line"]) - 1], match[0]
    return lacks


@contextlib.contextmanager
def job(calls, program=os.environ["UNISONO_MPI"], options=()):
    p = subprocess.Popen([UNISONO, "run", "-n", str(len(calls)), *options, program, *calls],
                         text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield p
    finally:
        if p.poll() is None:
            p.terminate()
            p.communicate(timeout=HANGS)


def ask(p, *arguments, **environment):
    return subprocess.run([UNISONO, *map(str, arguments)], capture_output=True, text=True, timeout=HANGS, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment}).stdout


patience = [HANGS]  # seconds; fewer once something has not come


def come_about(p, wanted):
    """Wait until unisono ps shows these lines."""
    seen = [""]

    def shown():
        seen[0] = ask(p, "ps", p.pid)
        return not missing(seen[0], wanted)

    came = until(shown, patience[0])
    patience[0] = patience[0] if came else 1
    assert came, (seen[0], missing(seen[0], wanted))


def report_by_signal(p):
    p.send_signal(signal.SIGUSR1)
    p.send_signal(signal.SIGTERM)  # which is heard after the other one
    said = p.communicate(timeout=HANGS)[1]
    assert said.startswith("unisono run: where the PEs are:\n"), said
    return said


@pytest.mark.parametrize("name", CASES)
def test_requests(name):
    calls, wanted = CASES[name]
    with job(calls) as p:
        come_about(p, wanted)
        said = report_by_signal(p)
        assert not missing(said, wanted), said


RECORDS = [f"--stats={os.devnull}"]


@pytest.mark.parametrize("name", ["another tag", "looks", "the second collective", "a persistent collective"])
def test_recorded(name):
    """The library that records calls stands in front, and is not taken for the program."""
    calls, wanted = CASES[name]
    with job(calls, options=RECORDS) as p:
        come_about(p, wanted)


def test_recorded_beside_others():
    """Ranks whose processor others use look nearly always while they give it away: their places are known then, too."""
    calls, wanted = CASES["looks"]
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        with job(calls, options=RECORDS) as p:
            os.sched_setaffinity(0, before)
            come_about(p, wanted)
            right = [not missing(ask(p, "ps", p.pid), wanted) for _ in range(20)]
            assert sum(right) > len(right) / 2, right
    finally:
        os.sched_setaffinity(0, before)
        for other in others:
            other.kill()
            other.wait()


def compiled(*command):
    r = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=HANGS, check=False)
    assert r.returncode == 0, r.stderr


@pytest.mark.skipif(bool(os.environ.get("UNISONO_SANITIZE")), reason="libraries for other ABIs are built without a sanitizer")
@pytest.mark.parametrize("library", ["libmpi.so.12", "libmpi.so.40"])
def test_other_abis(library, tmp_path):
    peers = [Path(peer) for peer in os.environ["UNISONO_PEERS"].split(":") if (Path(peer) / "lib" / library).exists()]
    if not peers:
        pytest.skip(f"there is no other {library}")
    compiled(peers[0] / "bin/mpicc", "-g", "-O0", "-o", tmp_path / "mpi", HERE / "mpi.c", "-pthread")
    for name in "communicators", "looks", "a collective":
        calls, wanted = CASES[name]
        for options in [], RECORDS:
            with job(calls, tmp_path / "mpi", options) as p:
                come_about(p, wanted)


# The compiler, the module, and whether the library's own procedures lie between: those of Open MPI's mpi_f08 do.
@pytest.mark.skipif(bool(os.environ.get("UNISONO_SANITIZE")), reason="libraries for other ABIs are built without a sanitizer")
@pytest.mark.parametrize("compiler,module,between", [("mpif90.mpich", "mpi", False), ("mpif90.mpich", "mpi_f08", False),
                                                     ("mpifort.openmpi", "mpi", False), ("mpifort.openmpi", "mpi_f08", True)])
def test_fortran(compiler, module, between, tmp_path):
    if not shutil.which(compiler):
        pytest.skip(f"there is no {compiler}")
    compiled(compiler, "-g", "-O0", f"-DMODULE={module}", *["-DTYPES"] * (module == "mpi_f08"), "-o", tmp_path / "polls", HERE / "polls.F90")
    wanted = [
        [Request("receive from rank 1 of tag 7 of row, with room for 16 bytes", "MPI_Irecv", "rank 1 has sent tag 8")],
        [Request("synchronous send to rank 0 of tag 8 of row, 16 bytes", "MPI_Issend", "rank 0 asks for tag 7"),
         Request(f"MPI_Iprobe from rank 0 of tag 3 of {WORLD}, # times in vain", "MPI_Iprobe")]]
    wanted = [[r._replace(call="") if between else r for r in requests] for requests in wanted]
    for options in [], RECORDS:
        with job(["", ""], tmp_path / "polls", options) as p:
            come_about(p, wanted)


def test_timeout():
    calls, wanted = CASES["another tag"]
    r = subprocess.run([UNISONO, "run", "-n", "3", "--timeout", "5", os.environ["UNISONO_MPI"], *calls],
                       capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL, check=False)
    assert r.returncode == 124
    assert not missing(r.stderr, wanted), r.stderr


def test_deadlock():
    """Ranks that wait for their requests list them, too."""
    r = subprocess.run([UNISONO, "run", "-n", "2", os.environ["UNISONO_MPI"], "irecv:1:3,waitall", "send:0:4:4,irecv:0:5,waitall"],
                       capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL, check=False)
    assert r.returncode == 125
    assert not missing(r.stderr, [[receive(f"rank 1 of tag 3 of {WORLD}", "rank 1 has sent tag 4")],
                                  [receive(f"rank 0 of tag 5 of {WORLD}")]]), r.stderr


def test_many():
    with job([",".join(["irecv:1:0"] * 16 + ["nap:60000"]), "nap:60000"]) as p:
        come_about(p, [[receive(f"rank 1 of tag 0 of {WORLD}")], []])
        assert until(lambda: len(by_pe(ask(p, "ps", p.pid))[0]) == 16)


LINE = re.compile(r"    (receive|send|synchronous send|unclaimed|arriving) (from|to) rank [01] of tag \d+ of .*|    its requests cannot be read: .*"
                  r"|    and \d+ more messages")


def test_ranks_that_change_and_die():
    """A look at ranks that begin and complete requests all the time, and then are killed, ends well, and has whole
    lines."""
    with job(["churn:0:1", "churn:0:1"]) as p:
        come_about(p, [[], []])
        listed = 0
        for _ in range(40):
            for told in by_pe(ask(p, "ps", p.pid)).values():
                assert [line for line in told if not LINE.fullmatch(line)] == []
                listed += len(told)
        assert listed
        pids = [pe["pid"] for pe in json.loads(ask(p, "ps", "--json", p.pid))[0]["pe"]]
        os.kill(pids[0], signal.SIGKILL)
        while p.poll() is None:
            r = subprocess.run([UNISONO, "ps", "--long"], capture_output=True, text=True, timeout=HANGS, check=False)
            assert r.returncode == 0, r.stderr
        assert p.communicate(timeout=HANGS)[1].endswith("unisono run: PE 0 was killed by signal 9 (Killed)\n")


@pytest.mark.skipif("UNISONO_REFUSE" not in os.environ, reason="the library that refuses reads is built without a sanitizer")
def test_refused():
    """The system does not let other processes be read."""
    calls, wanted = CASES["another tag"]
    refuse = {"LD_PRELOAD": os.environ["UNISONO_REFUSE"]}
    with job(calls) as p:
        come_about(p, wanted)
        told = by_pe(ask(p, "ps", p.pid, **refuse))
        assert told[2] == ["    its requests cannot be read: Operation not permitted"], told
        assert json.loads(ask(p, "ps", "--json", p.pid, **refuse))[0]["pe"][0]["requests"] is None


def test_json():
    with job(["split:0,name:2,irecv:0:5,ibarrier,testall", "split:0,issend:1:6:8,nap:60000"]) as p:
        found = []

        def shown():
            said = ask(p, "ps", "--json", p.pid)
            found[:] = json.loads(said)[0]["pe"] if said else []
            return found and len(found[0]["requests"] or []) == 2 and found[0]["requests"][0]["match"]

        assert until(shown), found
        place = found[0]["requests"][0].pop("called")
        assert found[0]["requests"][0] == {
            "kind": "receive", "call": None, "peer": 1, "rank": 0, "tag": 5, "bytes": 1 << 20, "communicator": "row 2",
            "context": 2, "times": 0, "never": False, "match": "rank 1 has sent tag 6", "missing": []}
        collective = found[0]["requests"][1]
        assert [collective[key] for key in ("kind", "call", "peer", "tag", "missing")] == ["collective", "MPI_Ibarrier", None, None, [1]]
        assert [(r["kind"], r["peer"], r["rank"], r["match"]) for r in found[1]["requests"]] == [
            ("synchronous send", 0, 1, "rank 0 asks for tag 5")]
        if lines.unknown() is None:
            assert re.fullmatch(r"by receive_beside at \S*mpi\.c:\d+", place), place
        own = json.loads(ask(p, "inspect", "--json", "--pid", p.pid, 0))["pe"][0]
        assert [r["kind"] for r in own["requests"]] == ["receive", "collective"]
        text = ask(p, "inspect", "--pid", p.pid, 0)
        assert "    receive from rank 1 of tag 5 of row 2 (its rank 0), with room for 1048576 bytes" in text, text
