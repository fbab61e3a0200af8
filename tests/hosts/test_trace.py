"""--trace of a job on several machines: one timeline of all PEs, whose times are those of one clock."""

import collections
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from machines import RSH, agents, launcher, run, start, to_end

KNOWN, LATE = os.environ["UNISONO_KNOWN"], Path(__file__).resolve().parents[1] / "mpi/observe/late.c"
GROUPS = os.environ["UNISONO_GROUPS"]
APART = Path(RSH).with_name("apart")
CHUNK = 4096  # events that a PE holds
AHEAD = 1000e6  # us


@pytest.fixture(params=["one clock", "two clocks"])
def clocks(request):
    """The options of a job whose nodes have one clock, or of which b has another one."""
    if request.param == "one clock":
        return ["--rsh", RSH]
    r = subprocess.run([APART, "b", "true"], check=False, capture_output=True, text=True)
    if r.returncode:
        pytest.skip(f"skipped: there are no time namespaces here: {r.stderr.strip()}")
    return ["--rsh", APART]


def traced(tmp_path, words, *program):
    """Run it; return the timeline."""
    r = launcher.run("run", *words, "--trace", tmp_path / "trace.json", *program)
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    return json.loads((tmp_path / "trace.json").read_text())


def tracks(timeline):
    """{PE: (node, run, operations by time)}, of which all are strictly nested."""
    events = timeline["traceEvents"]
    nodes = {e["pid"]: e["args"]["name"].split(":")[0] for e in events if e["name"] == "process_name"}
    found = {}
    for name in (e for e in events if e["name"] == "thread_name"):
        track = [e for e in events if (e["pid"], e["tid"]) == (name["pid"], name["tid"]) and e["ph"] == "X" and e["cat"] != "call"]
        run_, = (e for e in track if e["cat"] == "run")
        operations = sorted((e for e in track if e["cat"] == "operation"), key=lambda e: e["ts"])
        end = run_["ts"]
        for e in operations:
            assert e["ts"] >= end - 0.002
            end = e["ts"] + e["dur"]
        assert end <= run_["ts"] + run_["dur"] + 0.002
        found[run_["args"]["pe"]] = nodes[name["pid"]], run_, operations
    return found


def error_us(timeline):
    """The greatest difference of the times of two nodes."""
    errors = [clock["error_us"] for clock in timeline["otherData"]["clocks"]]
    assert all(0 <= error < 1e6 for error in errors)
    return sum(sorted(errors)[-2:]) + 0.002


def check_meetings(timeline):
    """The members of an operation overlap in time: nobody leaves before all have come, as far as the clocks tell."""
    error = error_us(timeline)
    for meeting in zip(*(operations for _, _, operations in tracks(timeline).values())):
        assert max(e["ts"] for e in meeting) <= min(e["ts"] + e["dur"] for e in meeting) + error


@pytest.mark.parametrize("hosts, rounds", [("a:2,b:2", 30), ("a:1,b:2,a:1", CHUNK), ("b,a", CHUNK // 2), ("a,b,c", 0)])
def test_every_operation(tmp_path, clocks, hosts, rounds):
    timeline = traced(tmp_path, [*clocks, "--hosts", hosts], KNOWN, rounds)
    found = tracks(timeline)
    seats = [host[0] for host in hosts.split(",") for _ in range(int(host[2:] or 1))]
    assert [found[k][0] for k in range(len(seats))] == seats and len(found) == len(seats)
    for _, _, operations in found.values():
        assert [e["name"] for e in operations] == ["p_wait"] + ["p_reduceAdd32", "p_bcast32"] * rounds
        assert {e["args"]["group"] for e in operations} == {f"{{0-{len(seats) - 1}}}"}
    check_meetings(timeline)
    calls = collections.Counter((e["pid"], e["tid"]) for e in timeline["traceEvents"] if e.get("cat") == "call")
    assert set(calls.values()) == {1 + 2 * rounds} and len(calls) == len(seats)
    assert os.listdir(tmp_path) == ["trace.json"]


def test_clocks(tmp_path, clocks):
    """The metadata tell how the clocks differ, and how well that is known; all times are since the job began."""
    timeline = traced(tmp_path, [*clocks, "--hosts", "a:2,b:2"], KNOWN, 20)
    told = timeline["otherData"]["clocks"]
    apart = {"a": 0, "b": -AHEAD if clocks[1] == APART else 0}
    assert [clock["node"] for clock in told] == ["a", "b"]
    assert all(abs(clock["ahead_us"] - apart[clock["node"]]) <= clock["error_us"] + 0.002 for clock in told)
    labels = {e["pid"]: e["args"]["labels"] for e in timeline["traceEvents"] if e["name"] == "process_labels"}
    assert labels == {k + 1: f"its clock: within {clock['error_us']:.1f} us" for k, clock in enumerate(told)}
    timed = [e for e in timeline["traceEvents"] if "ts" in e]
    assert all(0 <= e["ts"] < 100e6 for e in timed)


def test_last(tmp_path, clocks):
    """PE 2 is late to each reduction; those who wait name it, on its own node and the other one, and an arrow goes from
    its call to theirs."""
    timeline = traced(tmp_path, [*clocks, "--hosts", "a:2,b:2"], KNOWN, 10, 2, 50000)
    found = tracks(timeline)
    for k in (0, 1, 3):
        reductions = [e for e in found[k][2] if e["name"] == "p_reduceAdd32"]
        assert sum(e["args"]["last"] == 2 and e["dur"] > 10000 for e in reductions) > 5
    late = {e["tid"]: k for k, (_, e, _) in found.items()}
    begun = {e["id"]: late[e["tid"]] for e in timeline["traceEvents"] if e["ph"] == "s" and e["cat"] == "collective"}
    ends = collections.Counter(late[e["tid"]] for e in timeline["traceEvents"]
                               if e["ph"] == "f" and e["cat"] == "collective" and begun[e["id"]] == 2)
    assert all(ends[k] > 5 for k in (0, 1, 3))


def test_messages(tmp_path, clocks):
    """An arrow goes from each message that is sent to the call that has received it, forward in time."""
    program = tmp_path / "late"
    prefix = Path(launcher.run("mpi", "--prefix").stdout.strip())
    if os.environ["UNISONO_SANITIZE"] or not (prefix / "bin/mpicc").exists():
        pytest.skip("skipped: there is no MPI library, or others would have to link a sanitizer")
    subprocess.run([prefix / "bin/mpicc", "-g", "-O1", LATE, "-o", program], check=True)
    timeline = traced(tmp_path, [*clocks, "--hosts", "a:2,b:2"], program, "ring")
    rank = {(e["pid"], e["tid"]): e["args"]["pe"] for e in timeline["traceEvents"] if e.get("cat") == "run"}
    ends = collections.defaultdict(dict)
    for e in timeline["traceEvents"]:
        if e.get("cat") == "message":
            ends[e["id"]][e["ph"]] = rank[e["pid"], e["tid"]], e["ts"]
    assert ends and all(arrow["f"][0] == (arrow["s"][0] + 1) % 4 for arrow in ends.values())
    assert all(arrow["f"][1] > arrow["s"][1] - error_us(timeline) for arrow in ends.values())
    assert collections.Counter(arrow["s"][0] for arrow in ends.values()) == {k: len(ends) // 4 for k in range(4)}
    names = {e["args"]["name"] for e in timeline["traceEvents"] if e["name"] == "thread_name"}
    assert names == {f"rank {k}" for k in range(4)}


def test_stats_too(tmp_path, clocks):
    timeline = traced(tmp_path, [*clocks, "--hosts", "a:2,b:2", f"--stats={tmp_path}/stats.json"], KNOWN, 20)
    stats = json.loads((tmp_path / "stats.json").read_text())
    for k, (node, run_, operations) in tracks(timeline).items():
        pe = stats["pe"][k]
        assert (pe["node"], pe["operations"]) == (node, len(operations))
        assert pe["run_seconds"] == pytest.approx(run_["dur"] / 1e6, abs=1e-6)


def test_a_machine_that_is_gone(tmp_path):
    """The timeline has the PEs of the others."""
    p = start("a:2,b:2", "--trace", tmp_path / "trace.json", GROUPS, *["tell"] * 4)
    assert [p.stdout.readline() for _ in range(4)] == ["ready\n"] * 4
    os.kill(agents(p)[1], 9)
    _, err = to_end(p)
    assert p.returncode == 1 and "nothing of the PEs on b, which is gone\n" in err, err
    timeline = json.loads((tmp_path / "trace.json").read_text())
    assert [clock["error_us"] is None for clock in timeline["otherData"]["clocks"]] == [False, True]
    assert {k: [e["name"] for e in operations] for k, (_, _, operations) in tracks(timeline).items()} == {0: ["p_wait"], 1: ["p_wait"]}


def test_no_room_for_events(tmp_path):
    r = run("a,b", "--trace", tmp_path / "trace.json", "sh", "-c", "echo started", env={"TMPDIR": "/nonexistent"})
    assert r.returncode == 1 and r.stdout == "", r
    assert re.search(r"[ab]: --trace: cannot write a temporary file in \S+: No such file or directory", r.stderr), r.stderr
    assert not os.listdir(tmp_path)
