"""--trace: the timeline is JSON, strictly nested, and has every operation."""

import collections
import json
import os
import pty
import re
import signal
import time

import pytest

from launcher import program, run, start, to_end
from patience import HANGS, until

KNOWN = os.environ["UNISONO_KNOWN"]
CLOSER = os.path.join(os.path.dirname(KNOWN), "closer")
GROUPS = program("groups")
CHUNK = 4096  # events that a PE holds


def load(path):
    """{PE: (run, operations by time)} of a timeline, of which all events are known and strictly nested."""
    events = json.loads(path.read_text())["traceEvents"]
    events = [e for e in events if e.get("cat") != "call" and e["ph"] not in "sf"]  # in which the operations lie
    meta = collections.Counter(e["name"] for e in events if e["ph"] == "M")
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert meta == {"process_name": 1, "thread_name": len(names), "thread_sort_index": len(names)}
    assert all(re.fullmatch(r"PE \d+", name) for name in names.values())
    assert len({e["pid"] for e in events}) == 1
    tracks = {}
    for tid, name in names.items():
        track = [e for e in events if e["tid"] == tid and e["ph"] == "X"]
        runs = [e for e in track if e["cat"] == "run"]
        operations = sorted((e for e in track if e["cat"] == "operation"), key=lambda e: e["ts"])
        assert len(runs) == 1 and len(track) == 1 + len(operations)
        assert runs[0]["args"]["pe"] == int(name[3:])
        tracks[int(name[3:])] = runs[0], operations
        end = ns(runs[0]["ts"])
        for e in operations:
            assert ns(e["dur"]) >= 0 and ns(e["ts"]) >= end, (name, e)
            end = ns(e["ts"]) + ns(e["dur"])
        assert end <= ns(runs[0]["ts"]) + ns(runs[0]["dur"])
    assert len(events) == 1 + 3 * len(names) + sum(len(operations) for _, operations in tracks.values())
    return tracks


def ns(us):
    """Times are in us, with three decimals."""
    return round(us * 1000)


@pytest.mark.parametrize("n, rounds", [
    (1, 3), (1, 3 * CHUNK), (2, 0), (2, 50), (5, 50), (4, CHUNK // 2), (3, CHUNK + 10), (70, 60)])
def test_every_operation(tmp_path, n, rounds):
    path = tmp_path / "trace.json"
    r = run("run", "-n", n, "--trace", path, KNOWN, rounds)
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    tracks = load(path)
    assert sorted(tracks) == list(range(n))
    group = "{0}" if n == 1 else f"{{0-{n - 1}}}"
    for _, operations in tracks.values():
        assert [e["name"] for e in operations] == ["p_wait"] + ["p_reduceAdd32", "p_bcast32"] * rounds
        assert {e["args"]["group"] for e in operations} == {group}
        assert all(0 <= e["args"]["last"] < n and "unfinished" not in e["args"] for e in operations)
    # the members of an operation overlap in time: nobody leaves before all have come
    for meeting in zip(*(operations for _, operations in tracks.values())):
        assert max(ns(e["ts"]) for e in meeting) <= min(ns(e["ts"]) + ns(e["dur"]) for e in meeting)
    assert os.listdir(tmp_path) == ["trace.json"]


def test_last(tmp_path):
    """PE 2 is late to each reduction; those who wait name it. A busy machine may now and then keep another PE
    back for longer."""
    path = tmp_path / "trace.json"
    assert run("run", "-n", 4, "--trace", path, KNOWN, 10, 2, 50000).returncode == 0
    for k, (_, operations) in load(path).items():
        reductions = [e for e in operations if e["name"] == "p_reduceAdd32"]
        if k != 2:
            assert sum(e["args"]["last"] == 2 for e in reductions) > len(reductions) / 2
            assert sum(e["dur"] > 10000 for e in reductions) > len(reductions) / 2


def test_groups(tmp_path):
    path = tmp_path / "trace.json"
    r = run("run", "-n", 5, "--trace", path, GROUPS, "wait:3", "wait:3", "add:14", "sleep:1", "add:14")
    assert r.returncode == 0
    last = {k: (operations[-1]["name"], operations[-1]["args"]["group"]) for k, (_, operations) in load(path).items()}
    assert last == {0: ("p_wait", "{0-1}"), 1: ("p_wait", "{0-1}"), 2: ("p_reduceAdd32", "{2,4}"),
                    3: ("p_wait", "{0-4}"), 4: ("p_reduceAdd32", "{2,4}")}


def test_wide_group(tmp_path):
    path = tmp_path / "trace.json"
    assert run("run", "-n", 70, "--trace", path, GROUPS, "wait:3", "wait:3").returncode == 0
    groups = {e["args"]["group"] for _, operations in load(path).values() for e in operations}
    assert len(groups) == 2 and "{0-69}" in groups
    assert re.fullmatch("#[0-9a-f]{16}", (groups - {"{0-69}"}).pop())


@pytest.mark.parametrize("delay", [0.05, 0.21, 0.4])
def test_a_pe_is_killed(tmp_path, delay):
    """A PE is killed in the midst of its operations; its records are there, and the others' last operation is shown as
    unfinished."""
    path = tmp_path / "trace.json"
    p = start("run", "-n", 3, "--trace", path, program("chaos"), 3, 1000000)
    pids = {int(a.split(",")[1]): int(b) for a, b in (p.stdout.readline().split() for _ in range(3))}
    assert until(lambda: "not checked in" not in run("ps", p.pid).stdout)
    time.sleep(delay)
    os.kill(pids[1], signal.SIGKILL)
    _, err = to_end(p)
    assert p.returncode == 137
    assert err.splitlines()[-1] == "unisono run: PE 1 was killed by signal 9 (Killed)"
    tracks = load(path)
    assert sorted(tracks) == [0, 1, 2] and all(operations for _, operations in tracks.values())
    for k, (_, operations) in tracks.items():
        assert all("unfinished" not in e["args"] for e in operations[:-1])
        if f"unisono: PE {k}: PE 1 was killed" in err:
            assert operations[-1]["args"]["unfinished"] is True


def test_timeout(tmp_path):
    path = tmp_path / "trace.json"
    r = run("run", "-n", 2, "--timeout", 5, "--trace", path, GROUPS, "wait:3", "run")
    assert r.returncode == 124
    last = load(path)[0][1][-1]
    assert last["args"] == {"group": "{0-1}", "last": 1, "unfinished": True} and last["dur"] > 1e6


def test_with_stats(tmp_path):
    path, figures = tmp_path / "trace.json", tmp_path / "stats.json"
    r = run("run", "-n", 2, "--trace", path, f"--stats={figures}", KNOWN, CHUNK)
    assert (r.returncode, r.stderr) == (0, "")
    stats = json.loads(figures.read_text())
    for k, (run_event, operations) in load(path).items():
        assert len(operations) == stats["pe"][k]["operations"] == 2 * CHUNK + 1
        assert run_event["dur"] == pytest.approx(1e6 * stats["pe"][k]["run_seconds"], abs=1)
        assert sum(e["dur"] for e in operations) == pytest.approx(1e6 * stats["pe"][k]["waiting_seconds"], rel=1e-6)


def test_program_that_closes_descriptors(tmp_path):
    """The program's own files stay as they are, and the report names the events that could not be recorded."""
    path = tmp_path / "trace.json"
    r = run("run", "-n", 2, "--trace", path, CLOSER, tmp_path / "own", 2 * CHUNK + 10)
    assert r.returncode == 1
    missing = re.fullmatch(rf"unisono run: --trace {re.escape(str(path))}: (\d+) operations or calls are missing; a PE could not "
                           "write them to a temporary file in the same folder\\n", r.stderr)
    assert missing and int(missing[1]) > 4 * CHUNK
    assert [len(operations) for _, operations in load(path).values()] == [10, 10]


def test_descriptor_closed_before(tmp_path):
    """The PE opens the file anew."""
    path = tmp_path / "trace.json"
    close = "import os\nfor fd in map(int, os.listdir('/proc/self/fd')):\n" \
            "    if fd > 2 and os.path.exists(f'/proc/self/fd/{fd}') and 'memfd' not in os.readlink(f'/proc/self/fd/{fd}'): os.close(fd)\n" \
            f"os.execv('{KNOWN}', ['known', '5000'])"
    r = run("run", "-n", 1, "--trace", path, "python3", "-c", close)
    assert (r.returncode, r.stderr) == (0, "")
    assert len(load(path)[0][1]) == 2 * 5000 + 1


@pytest.mark.parametrize("path, what", [
    ("/no/such/folder/x", "this file: No such file or directory"), ("/", "this file: Is a directory"),
    ("/proc/self/fd/1", "a temporary file in its folder: ")])
def test_bad_path(path, what):
    """Refused before the job starts."""
    r = run("run", "-n", 2, "--trace", path, "echo", "started")
    assert (r.returncode, r.stdout) == (1, "")
    assert r.stderr.startswith(f"unisono run: --trace {path}: cannot write {what}") and r.stderr.count("\n") == 1


def test_folder_that_is_full(tmp_path):
    """The limit of a file's size stands for a full disk; only the launcher has it."""
    path = tmp_path / "trace.json"
    r = run("run", "-n", 2, "--trace", path, KNOWN, 10000, preexec_fn=limit_size)
    assert r.returncode == 1
    assert r.stderr == f"unisono run: --trace {path}: cannot write it: File too large\n"


def limit_size():
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000000, 3000000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def on_a_terminal(path, rounds):
    """A launcher whose standard error is a terminal, and that terminal's other end."""
    terminal, end = pty.openpty()
    p = start("run", "-n", 1, "--trace", path, KNOWN, rounds, stderr=end)
    os.close(end)
    return p, terminal


def text_of(terminal, until=None):
    text = b""
    while until is None or until not in text:
        try:
            piece = os.read(terminal, 1000)
        except OSError:
            break
        if not piece:
            break
        text += piece
    return text


ROUNDS = 1000000  # enough that the conversion takes longer than a moment


def test_progress(tmp_path):
    p, terminal = on_a_terminal(tmp_path / "trace.json", ROUNDS)
    text = text_of(terminal)
    assert p.wait(HANGS) == 0
    assert re.search(rb"\runisono run: --trace: writing the timeline, \d+ %", text)
    assert re.search(rb"\r +\r$", text), "the line is removed at the end"


def test_interrupted(tmp_path):
    """A signal ends a long conversion, and leaves a complete file."""
    path = tmp_path / "trace.json"
    p, terminal = on_a_terminal(path, ROUNDS)
    text_of(terminal, b"writing")
    p.send_signal(signal.SIGTERM)
    text = text_of(terminal)
    assert p.wait(HANGS) == -signal.SIGTERM
    assert b"stopped by a signal after" in text
    assert 0 < sum(len(operations) for _, operations in load(path).values()) < 1 + 2 * ROUNDS
