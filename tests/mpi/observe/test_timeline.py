"""--trace of MPI programs: a slice for each call, and an arrow for each message and each late rank."""

import bisect
import json
import re
import signal
import subprocess

import pytest

from programs import ABIS, UNISONO, compiled, line, start_under

RANKS = 4


@pytest.fixture(scope="module", name="program", params=ABIS)
def program_fixture(request, tmp_path_factory):
    return compiled(tmp_path_factory.mktemp(request.param), request.param, "trace.c")


def traced(folder, program, *words, n=RANKS, options=(), status=0):
    """Run it with --trace. Return its output, its report, and the events."""
    file = folder / "trace.json"
    r = subprocess.run([UNISONO, "run", "-n", str(n), "--trace", file, *options, program, *words], capture_output=True, text=True,
                       timeout=100, check=False)
    assert r.returncode == status, r.stderr
    return r.stdout, r.stderr, json.loads(file.read_text())["traceEvents"]


def ns(us):
    """Times are in us, with three decimals."""
    return round(us * 1000)


class Timeline:
    def __init__(self, events):
        self.rank = {e["tid"]: int(e["args"]["name"].split()[1]) for e in events if e["name"] == "thread_name"}
        self.calls = {}
        for e in sorted((e for e in events if e.get("cat") == "call"), key=lambda e: e["ts"]):
            self.calls.setdefault(self.rank[e["tid"]], []).append(e)
        begins = {(e["cat"], e["id"]): e for e in events if e["ph"] == "s"}
        self.arrows = [(e["cat"], self.at(begins.pop((e["cat"], e["id"]))), self.at(e)) for e in events if e["ph"] == "f"]
        assert not begins

    def at(self, event):
        """The rank, and the number of the call in which that is."""
        rank = self.rank[event["tid"]]
        i = bisect.bisect(self.calls[rank], event["ts"], key=lambda call: call["ts"]) - 1
        assert i >= 0 and ns(event["ts"]) < ns(self.calls[rank][i]["ts"]) + ns(self.calls[rank][i]["dur"]), event
        return rank, i

    def messages(self):
        return sorted((*to, *sender) for what, sender, to in self.arrows if what == "message")


def got(out):
    """The messages that the program has received, as it says."""
    return sorted(tuple(map(int, match)) for match in re.findall(r"^got (\d+) (\d+) (\d+) (\d+)$", out, re.M))


def test_every_message_has_its_arrow(program, tmp_path):
    out, err, events = traced(tmp_path, program)
    timeline = Timeline(events)
    assert err == ""
    assert timeline.messages() == got(out)
    assert {call["args"]["communicator"] for call in timeline.calls[0] if call["name"] == "MPI_Send"} == {"MPI_COMM_WORLD"}
    assert [call["args"]["place"].rpartition("/")[2] for call in timeline.calls[0] if call["name"] == "MPI_Probe"] == [
        line("trace.c", "probe")]


def test_late_rank(program, tmp_path):
    """The last one to come to a collective points to all that waited for it."""
    out, _, events = traced(tmp_path, program)
    timeline = Timeline(events)
    number = {int(rank): int(call) for rank, call in re.findall(r"^late (\d+) (\d+)$", out, re.M)}
    arrows = [(late, waits) for what, late, waits in timeline.arrows if what == "collective" and waits[1] == number[waits[0]]]
    assert sorted(arrows) == [((1, number[1]), (k, number[k])) for k in (0, 2, 3)]
    for k in 0, 2, 3:
        arguments = timeline.calls[k][number[k]]["args"]
        assert (arguments["for"], arguments["why"]) == (1, "late to the collective") and arguments["waited_us"] > 1000


def test_late_to_a_request(program, tmp_path):
    """The call that completes a collective has the arrow, from that which has begun it at the last rank."""
    out, _, events = traced(tmp_path, program)
    timeline = Timeline(events)
    began = {int(rank): int(call) for rank, call in re.findall(r"^later (\d+) (\d+)$", out, re.M)}
    arrows = [(late, waits) for what, late, waits in timeline.arrows if what == "collective" and waits[1] == began[waits[0]] + 1]
    assert sorted(arrows) == [((1, began[1]), (k, began[k] + 1)) for k in (0, 2, 3)]
    assert {timeline.calls[k][began[k] + 1]["name"] for k in (0, 2, 3)} == {"MPI_Wait"}


SIZE = 8  # bytes of a message of trace.c


def test_arguments(program, tmp_path):
    """A call has the other rank, the tag and the bytes of its message, or the number of several."""
    _, _, events = traced(tmp_path, program)
    timeline = Timeline(events)
    sent, received = {}, {}
    for what, sender, to in timeline.arrows:
        if what == "message":
            sent.setdefault(sender, []).append(to)
            received.setdefault(to, []).append(sender)
    for way, messages in ("to", sent), ("from", received):
        for rank, calls in timeline.calls.items():
            for i, call in enumerate(calls):
                others, arguments = messages.get((rank, i), []), call["args"]
                told = {key: value for key, value in arguments.items() if key.endswith(way)}
                tag = {f"tag_{way}": told.get(f"tag_{way}")}
                expected = {way: others[0][0], f"bytes_{way}": SIZE, **tag} if len(others) == 1 else {
                    f"messages_{way}": len(others), f"bytes_{way}": SIZE * len(others)} if others else {}
                assert told == expected, call
    tags = [(timeline.calls[a][i]["args"]["tag_to"], timeline.calls[b][j]["args"].get("tag_from")) for (a, i), to in sent.items() for b, j in to]
    assert {(own, other) for own, other in tags if other is not None and own != other} == set()
    assert {own for own, other in tags if other is not None} >= {1, 7, 8, 9, 10, 11, 12} and {own for own, _ in tags} >= {5, 6}


def test_many_events(tmp_path):
    """More than the memory of a rank holds: all are there, also those that the file has."""
    program = compiled(tmp_path, "standard", "trace.c")
    out, _, events = traced(tmp_path, program, "3000", n=2)
    assert Timeline(events).messages() == got(out) and len(got(out)) > 6000


@pytest.mark.parametrize("abi", ["mpich", "openmpi"])
def test_under(tmp_path, abi):
    """Under other MPI libraries, which have started the ranks; the figures are written as well."""
    file = tmp_path / "trace.json"
    r = start_under(abi, RANKS, compiled(tmp_path, abi, "trace.c"), "500", options=["--trace", file, f"--stats={tmp_path}/stats.json"])
    made = json.loads(file.read_text())["traceEvents"]
    timeline, calls = Timeline(made), json.loads((tmp_path / "stats.json").read_text())["calls"]
    assert timeline.messages() == got(r.stdout) and r.stderr == ""
    assert sorted(timeline.rank.values()) == list(range(RANKS))
    assert [len(timeline.calls[k]) for k in range(RANKS)] == [calls["rank"][k]["calls"] for k in range(RANKS)]
    runs = {timeline.rank[e["tid"]]: e for e in made if e.get("cat") == "run"}
    for k, run in runs.items():
        last = timeline.calls[k][-1]
        assert ns(run["ts"]) <= ns(timeline.calls[k][0]["ts"]) and ns(last["ts"]) + ns(last["dur"]) <= ns(run["ts"]) + ns(run["dur"]) + 2


def test_under_without_ranks(tmp_path):
    """A command that is no program of MPI leaves no file, and is told so."""
    r = subprocess.run([UNISONO, "mpi", "--mpi", "abi", "--trace", tmp_path / "trace.json", "true"], capture_output=True, text=True,
                       timeout=100, check=False)
    assert (r.returncode, r.stderr) == (0, "unisono mpi: --trace: no rank on this machine has recorded a call of MPI\n")
    assert not list(tmp_path.iterdir())


def test_killed_rank(tmp_path):
    """All that the ranks had recorded until then is in the timeline."""
    program = compiled(tmp_path, "standard", "ends.c")
    _, _, events = traced(tmp_path, program, "killed", n=3, status=128 + signal.SIGKILL)
    assert {e["name"] for e in events if e.get("cat") == "call"}
