"""--timeout and SIGUSR1: the operation in which each PE waits, and the missing PEs."""

import os
import re
import signal
import time

import pytest

from launcher import program, run, settled, start, to_end
from patience import check_seconds, until

GROUPS = program("groups")
CALLER = "(; called by .*)?"  # tests/deadlock has the details of the report
WAIT = r"  PE {}: waiting in {} of group {} for [0-5]\.\d\d s; missing: {}" + CALLER
TIMEOUT = 5  # seconds, in which the PEs get to their places on a busy machine too

CASES = {
    "one runs on": (
        ["wait:f", "wait:f", "run", "wait:f"],
        [WAIT.format(0, "p_wait", r"\{0-3\}", "PE 2"), WAIT.format(1, "p_wait", r"\{0-3\}", "PE 2"),
         r"  PE 2: running, last in p_wait of group \{0-3\}", WAIT.format(3, "p_wait", r"\{0-3\}", "PE 2")]),
    "several are missing": (
        ["add:3f", "run", "run", "run", "add:3f", "run"],
        [WAIT.format(0, "p_reduceAdd32", r"\{0-5\}", "PEs 1-3,5"), "  PE 1: running, .*", "  PE 2: running, .*",
         "  PE 3: running, .*", WAIT.format(4, "p_reduceAdd32", r"\{0-5\}", "PEs 1-3,5"), "  PE 5: running, .*"]),
    "groups overlap": (
        ["wait:3", "wait:6", "wait:c", "run"],
        [WAIT.format(0, "p_wait", r"\{0-1\}", "PE 1"), WAIT.format(1, "p_wait", r"\{1-2\}", "PE 2"),
         WAIT.format(2, "p_wait", r"\{2-3\}", "PE 3"), "  PE 3: running, .*"]),
    "one is stopped": (
        ["wait:7", "kill:19", "wait:7"],
        [WAIT.format(0, "p_wait", r"\{0-2\}", "PE 1"),
         r"  PE 1: stopped by a signal, last in p_wait of group \{0-2\}",
         WAIT.format(2, "p_wait", r"\{0-2\}", "PE 1")]),
    "one has left": (
        ["run", "sleep:0", "run"],
        ["  PE 0: running, .*", "  PE 1: ended", "  PE 2: running, .*"]),
}


def case_of(name):
    """A job that will run out of time."""
    places, _ = CASES[name]
    return start("run", "-n", len(places), "--timeout", TIMEOUT, GROUPS, *places)


def stopped_inside():
    """A job that will run out of time, with one PE stopped in the midst of its operations."""
    p = start("run", "-n", 3, "--timeout", TIMEOUT, program("chaos"), 5, 100000)
    pids = dict(sorted((int(a.split(",")[1]), int(b)) for a, b in (p.stdout.readline().split() for _ in range(3))))
    assert until(lambda: "not checked in" not in run("ps", p.pid).stdout)
    os.kill(pids[1], signal.SIGSTOP)
    return p


@pytest.fixture(scope="module")
def timed_out():
    """The reports of all cases, which run at the same time, since they do nothing."""
    jobs = {**{name: case_of(name) for name in CASES}, "stopped inside": stopped_inside()}
    said = {name: to_end(p)[1] for name, p in jobs.items()}
    assert all(p.returncode == 124 for p in jobs.values()), said
    return said


@pytest.mark.parametrize("case", CASES)
def test_timeout(case, timed_out):
    lines, want = timed_out[case].splitlines(), CASES[case][1]
    assert lines[0] == f"unisono run: timeout after {TIMEOUT} s; where the PEs are:"
    assert len(lines) == 1 + len(want)
    for line, pattern in zip(lines[1:], want):
        assert re.fullmatch(pattern, line), (line, pattern)


def test_time():
    def once():
        began = time.monotonic()
        assert run("run", "-n", 2, "--timeout", 0.5, GROUPS, "run", "run").returncode == 124
        took = time.monotonic() - began
        assert took >= 0.5
        return took

    check_seconds(1.5, once)


def test_wide_groups():
    p = start("run", "-n", 100, "sh", "-c", f"[ ${{UNISONO_JOB#*,}} = 77 ] && exec sleep 100; exec {GROUPS}")
    settled(p, *["waiting"] * 77, "not checked in", *["waiting"] * 22)
    p.send_signal(signal.SIGUSR1)
    p.send_signal(signal.SIGTERM)  # which is heard after the other one
    lines = to_end(p)[1].splitlines()
    assert len(lines) == 102
    assert lines[78] == "  PE 77: not checked in"
    for k in set(range(100)) - {77}:
        assert re.fullmatch(rf"  PE {k}: waiting in p_wait of group {{0-99}} for \d+\.\d\d s; missing: PE 77", lines[1 + k])


def test_one_stopped_inside_an_operation(timed_out):
    """All PEs look as if they had arrived; the one that does not run is named."""
    lines = timed_out["stopped inside"].splitlines()
    assert lines[2].startswith("  PE 1: stopped by a signal")
    # the others wait for PE 1, or for each other; somebody waits for PE 1
    assert any(re.search("missing: PEs? .*1", line) for line in (lines[1], lines[3])), lines


def test_usr1_and_on():
    p = start("run", "-n", 2, GROUPS, "sleep:3000", "sleep:3000")
    settled(p, "running", "running", operations=[("p_wait", [0, 1])] * 2)
    p.send_signal(signal.SIGUSR1)
    _, err = to_end(p)
    assert p.returncode == 0
    assert err.splitlines() == ["unisono run: where the PEs are:",
                                "  PE 0: running, last in p_wait of group {0-1}",
                                "  PE 1: running, last in p_wait of group {0-1}"]


def test_timeout_that_is_not_needed():
    r = run("run", "-n", 2, "--timeout", 30, program("empty"))
    assert (r.returncode, r.stderr) == (0, "")
