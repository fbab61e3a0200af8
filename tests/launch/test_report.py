"""--timeout and SIGUSR1: where each PE waits, and who is missing."""

import os
import re
import signal
import time

import pytest

from launcher import program, run, settled, start

GROUPS = program("groups")
CALLER = "(; called by .*)?"  # what it says is asked for in tests/deadlock
WAIT = r"  PE {}: waiting in {} of group {} for 0\.\d\d s; missing: {}" + CALLER

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


@pytest.mark.parametrize("case", CASES)
def test_timeout(case):
    places, want = CASES[case]
    began = time.monotonic()
    r = run("run", "-n", len(places), "--timeout", 0.5, GROUPS, *places)
    assert 0.5 <= time.monotonic() - began < 1.5
    assert r.returncode == 124
    lines = r.stderr.splitlines()
    assert lines[0] == "unisono run: timeout after 0.5 s; where the PEs are:"
    assert len(lines) == 1 + len(want)
    for line, pattern in zip(lines[1:], want):
        assert re.fullmatch(pattern, line), (line, pattern)


def test_wide_groups():
    r = run("run", "-n", 100, "--timeout", 8, "sh", "-c",
            f"[ ${{UNISONO_JOB#*,}} = 77 ] && exec sleep 100; exec {GROUPS}")
    assert r.returncode == 124
    lines = r.stderr.splitlines()
    assert len(lines) == 101
    assert lines[78] == "  PE 77: not checked in"
    for k in set(range(100)) - {77}:
        assert re.fullmatch(rf"  PE {k}: waiting in p_wait of group {{0-99}} for [0-8]\.\d\d s; missing: PE 77{CALLER}",
                            lines[1 + k])


def test_one_stopped_inside_an_operation():
    """All look as if they had arrived; the one that does not run is named."""
    p = start("run", "-n", 3, "--timeout", 1, program("chaos"), 5, 100000)
    pids = dict(sorted((int(a.split(",")[1]), int(b)) for a, b in (p.stdout.readline().split() for _ in range(3))))
    time.sleep(0.2)
    os.kill(pids[1], signal.SIGSTOP)
    _, err = p.communicate(timeout=5)
    assert p.returncode == 124
    lines = err.splitlines()
    assert lines[2].startswith("  PE 1: stopped by a signal")
    # the others wait for PE 1, or for each other; somebody waits for PE 1
    assert any(re.search("missing: PEs? .*1", line) for line in (lines[1], lines[3])), err


def test_usr1_and_on():
    p = start("run", "-n", 2, GROUPS, "sleep:3000", "sleep:3000")
    settled(p, "running", "running", operations=[("p_wait", [0, 1])] * 2)
    p.send_signal(signal.SIGUSR1)
    _, err = p.communicate(timeout=10)
    assert p.returncode == 0
    assert err.splitlines() == ["unisono run: where the PEs are:",
                                "  PE 0: running, last in p_wait of group {0-1}",
                                "  PE 1: running, last in p_wait of group {0-1}"]


def test_timeout_that_is_not_needed():
    r = run("run", "-n", 2, "--timeout", 30, program("empty"))
    assert (r.returncode, r.stderr) == (0, "")
