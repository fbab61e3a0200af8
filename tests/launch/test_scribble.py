"""A PE that writes over the job's memory: whoever looks at the job shows nonsense, and goes on."""

import json
import signal

import pytest

from launcher import program, run, start


@pytest.mark.parametrize("n, cases", [
    (3, [("ff", "all"), ("ff", "boards"), ("00", "all"), ("random", "all"), ("random", "boards")]),
    (70, [("random", "all")])])
def test_scribbled_memory(n, cases, tmp_path):
    """Jobs of n PEs, all at the same time: each lasts until its timeout."""
    jobs = []
    for number, (pattern, part) in enumerate(cases):
        trace, stats = tmp_path / f"t{number}.json", tmp_path / f"s{number}.json"
        p = start("run", "-n", n, "--timeout", 3 if n < 10 else 5, "--stats", f"--stats={stats}", "--trace", trace,
                  program("scribble"), pattern, part)
        jobs.append((p, trace, stats))
    for p, _, _ in jobs:
        assert p.stdout.readline() == "scribbled\n"
        for command in (["ps", p.pid], ["ps", "--json", p.pid], ["inspect", "--pid", p.pid, 1],
                        ["inspect", "--json", "--pid", p.pid, 1]):
            r = run(*command)
            assert r.returncode in (0, 1), (command, r)
        p.send_signal(signal.SIGUSR1)
    for p, trace, stats in jobs:
        _, err = p.communicate(timeout=30)
        assert p.returncode == 124, (p.args, p.returncode, err[-2000:])
        assert "where the PEs are:" in err
        assert "operation" in err
        json.load(open(trace))
        json.load(open(stats))
