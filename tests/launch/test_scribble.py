"""A PE that writes over the job's memory: whoever looks at the job shows nonsense, and goes on."""

import json
import signal

import pytest

from launcher import program, run, start


@pytest.mark.parametrize("pattern, part, n", [("ff", "all", 3), ("ff", "boards", 3), ("00", "all", 3),
                                              ("random", "all", 3), ("random", "boards", 3), ("random", "all", 70)])
def test_scribbled_memory(pattern, part, n, tmp_path):
    trace, stats = tmp_path / "t.json", tmp_path / "s.json"
    p = start("run", "-n", n, "--timeout", 3 if n < 10 else 5, "--stats", f"--stats={stats}", "--trace", trace,
              program("scribble"), pattern, part)
    assert p.stdout.readline() == "scribbled\n"
    for command in (["ps", p.pid], ["ps", "--json", p.pid], ["inspect", "--pid", p.pid, 1],
                    ["inspect", "--json", "--pid", p.pid, 1]):
        r = run(*command)
        assert r.returncode in (0, 1), (command, r)
    p.send_signal(signal.SIGUSR1)
    _, err = p.communicate(timeout=30)
    assert p.returncode == 124, (p.returncode, err[-2000:])
    assert "where the PEs are:" in err
    assert "operation" in err
    json.load(open(trace))
    json.load(open(stats))
