"""A PE that writes over the job's memory: observers of the job show nonsense, and go on."""

import json
import re
import signal
import subprocess

import pytest

from launcher import program, run, start, to_end


CASES = [("ff", "all"), ("ff", "boards"), ("00", "all"), ("random", "all"), ("random", "boards")]


def scribbling(folder, n, *options, pattern, part):
    """A job whose memory is written over now, and where its timeline and its figures come when it ends."""
    trace, stats = folder / f"{pattern}-{part}-trace.json", folder / f"{pattern}-{part}.json"
    p = start("run", "-n", n, *options, "--stats", f"--stats={stats}", "--trace", trace, program("scribble"), pattern, part)
    assert p.stdout.readline() == "scribbled\n"
    return p, trace, stats


def check(p, trace, stats, status):
    _, err = to_end(p)
    assert p.returncode == status, (p.args, p.returncode, err[-2000:])
    assert "where the PEs are:" in err
    assert re.search("operation|calls", err)
    json.load(open(trace))
    json.load(open(stats))


@pytest.mark.parametrize("n, cases", [(3, CASES), (70, [("random", "all")])])
def test_who_looks(n, cases, tmp_path):
    for pattern, part in cases:
        p, *files = scribbling(tmp_path, n, pattern=pattern, part=part)
        for command in (["ps", p.pid], ["ps", "--json", p.pid], ["inspect", "--pid", p.pid, 1],
                        ["inspect", "--json", "--pid", p.pid, 1]):
            r = run(*command)
            assert r.returncode in (0, 1), (command, r)
        p.send_signal(signal.SIGUSR1)
        p.send_signal(signal.SIGTERM)  # which is heard after the other one
        check(p, *files, -signal.SIGTERM)


def test_header_that_changes_meanwhile(tmp_path):
    """A header that was valid at the first look may be invalid a moment later."""
    p, *files = scribbling(tmp_path, 3, pattern="more", part="header")
    for _ in range(20):
        for command in ["ps"], ["ps", "--json"], ["inspect", "--json", "--pid", p.pid, 1]:
            r = run(*command)
            assert r.returncode in (0, 1), (command, r)
        p.send_signal(signal.SIGUSR1)
    p.send_signal(signal.SIGTERM)
    check(p, *files, -signal.SIGTERM)


def test_timeout(tmp_path):
    """Run all cases at the same time. 8 s are plenty to write over the memory."""
    jobs = [scribbling(tmp_path, 3, "--timeout", 8, pattern=pattern, part=part) for pattern, part in CASES]
    for job in jobs:
        check(*job, 124)


def test_process_of_somebody_else():
    """A PE that pretends to be another process: the signals for the job go to no stranger."""
    with subprocess.Popen(["sleep", "60"]) as stranger:
        try:
            p = start("run", "-n", 2, "sh", "-c", f"trap '' USR2; exec {program('scribble')} pid {stranger.pid}")
            assert p.stdout.readline() == "scribbled\n"
            p.send_signal(signal.SIGUSR2)  # for all PEs, as SIGTERM is
            p.send_signal(signal.SIGUSR1)
            while "PE 1" not in p.stderr.readline():
                pass
            assert stranger.poll() is None
            p.send_signal(signal.SIGTERM)
            to_end(p)
            assert p.returncode == -signal.SIGTERM and stranger.poll() is None
        finally:
            stranger.kill()
