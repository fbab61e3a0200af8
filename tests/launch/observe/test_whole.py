"""The files of --stats=FILE and --trace: there is none by its name before it is whole, and the one of before stays."""

import json
import os
import random
import signal
import stat
import time

import pytest

from launcher import launcher_processes, program, run, start, to_end
from patience import until

KNOWN, KILLER = os.environ["UNISONO_KNOWN"], os.environ["UNISONO_KILLER"]
BOTH = [lambda path: [f"--stats={path}"], lambda path: ["--trace", path]]
both = pytest.mark.parametrize("option", BOTH, ids=["stats", "trace"])


def killing(how):
    return {**os.environ, "LD_PRELOAD": KILLER, "KILLER": how}


@both
def test_old_one_stays(tmp_path, option):
    """While the job runs, and if it cannot start."""
    path = tmp_path / "file"
    path.write_text("old\n")
    path.chmod(0o640)
    p = start("run", "-n", 1, *option(path), "sh", "-c", f"cat {path}; read line; exec {KNOWN} 3", stdin=-1)
    assert p.stdout.readline() == "old\n"
    p.communicate("\n")
    assert p.returncode == 0 and json.loads(path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.write_text("old")
    assert run("run", "-n", 1, *option(path), "./no-such-program").returncode == 127
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["file"]


@both
@pytest.mark.parametrize("how", ["write", "rename", "nameless write", "nameless rename"])
def test_killed_as_it_writes(tmp_path, option, how):
    """Nothing is left of it, where files have no name until they are whole, and where they must have one."""
    path = tmp_path / "file"
    path.write_text("old")
    r = run("run", "-n", 1, *option(path), KNOWN, 100, env=killing(how))
    assert r.returncode == 128 + signal.SIGKILL and "the launcher was killed by signal 9" in r.stderr, r
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["file"]


@both
def test_without_nameless_files(tmp_path, option):
    path = tmp_path / "file"
    for _ in range(2):
        r = run("run", "-n", 1, *option(path), KNOWN, 100, env=killing("nameless"))
        assert r.returncode == 0, r
        assert json.loads(path.read_text()) and os.listdir(tmp_path) == ["file"]


def test_killed_at_any_moment(tmp_path):
    """The launcher, as soon as the PE has ended or a little later: the file is the old one or the new one."""
    path = tmp_path / "file"
    rng = random.Random(25)
    for _ in range(12):
        path.write_text('{"traceEvents": "old"}')
        p = start("run", "-n", 1, "--trace", path, KNOWN, 60000)
        assert until(lambda: len(launcher_processes(p.pid)) == 3)
        launcher = launcher_processes(p.pid)[2]
        until(lambda: not os.path.exists(f"/proc/{launcher}/task/{launcher}/children")
              or not open(f"/proc/{launcher}/task/{launcher}/children").read())
        time.sleep(rng.uniform(0, 0.2))
        try:
            os.kill(launcher, signal.SIGKILL)
        except ProcessLookupError:
            pass
        to_end(p)
        json.loads(path.read_text())
        assert os.listdir(tmp_path) == ["file"]


@both
def test_what_is_no_file(tmp_path, option):
    """A pipe gets it as it is written."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with start("run", "-n", 1, *option(pipe), KNOWN, 3) as p, open(pipe) as text:
        assert json.load(text)
    assert p.returncode == 0 and os.listdir(tmp_path) == ["pipe"]
