"""unisono run --unit: the simulated units, and how a job ends on them."""

import json
import os
import re
import signal
import time

import pytest

from launcher import children, launcher_processes, program, run, settled, start, to_end
from patience import SOON, check_seconds

GROUPS = program("groups")
REPEAT = os.environ["REPEAT"]
UNITS = ["ttl_papers", "usp8", "papers1"]


def figures(tmp_path, unit, n, *command, options=()):
    """Return the counts of the unit in a run."""
    file = tmp_path / "stats.json"
    r = run("run", "--unit", unit, "-n", n, *options, f"--stats={file}", *command)
    assert (r.returncode, r.stderr) == (0, "")
    return json.loads(file.read_text())["unit"]


def operations(tmp_path, unit, n, function, kind="none"):
    """Port operations of each PE in one call."""
    few, many = (figures(tmp_path, unit, n, REPEAT, function, kind, count)["port_operations"] for count in (2, 12))
    assert len(few) == n
    each = {(m - f) / 10 for f, m in zip(few, many)}
    assert len(each) == 1
    return each.pop()


@pytest.mark.parametrize("unit, function, kind, count", [
    ("ttl_papers", "p_wait", "none", 2), ("usp8", "p_wait", "none", 2), ("papers1", "p_wait", "none", 2),
    ("papers1", "p_waitvec", "none", 2), ("papers1", "p_putget", "8", 4), ("papers1", "p_any", "none", 2),
    ("usp8", "p_any", "none", 2), ("ttl_papers", "p_any", "none", 5), ("ttl_papers", "p_waitvec", "none", 5),
    ("usp8", "p_reduceOr", "32", 16), ("ttl_papers", "p_reduceOr", "32", 40), ("papers1", "p_reduceAnd", "32", 16),
    ("papers1", "p_bcast", "64", 32), ("usp8", "p_gather", "16", 32), ("papers1", "p_gather", "16", 24),
    ("papers1", "p_reduceAdd", "32", 32), ("papers1", "p_reduceAdd", "f", 48), ("papers1", "p_reduceMax", "f", 32),
    ("papers1", "p_vote", "none", 4), ("ttl_papers", "p_vote", "none", 10), ("papers1", "p_match", "8", 16),
    ("papers1", "p_enqueue", "none", 3), ("papers1", "p_scanAdd", "8", 12), ("usp8", "p_putget", "8", 16)])
def test_port_operations(tmp_path, unit, function, kind, count):
    """With 4 PEs a barrier takes 2 port operations; a NAND 2 where the unit has a register, and 5 where it has none."""
    assert operations(tmp_path, unit, 4, function, kind) == count


@pytest.mark.parametrize("unit", UNITS)
def test_same_clocks(tmp_path, unit):
    runs = [figures(tmp_path, unit, 3, REPEAT, "p_scanMul", "d", 5) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2] and runs[0]["clocks"] > 0


def test_time(tmp_path):
    unit = figures(tmp_path, "papers1", 2, REPEAT, "p_wait", "none", 100, options=("--clock", 40, "--port-ns", 1600))
    assert unit["clocks_each"] == 64
    assert unit["seconds"] == pytest.approx(unit["clocks"] / 40e6)
    assert unit["clocks"] == 64 * max(unit["port_operations"])


@pytest.mark.parametrize("options, error", [
    (["--unit", "papers7"], "there are ttl_papers (up to 16 PEs), usp8 (up to 8), papers1 (up to 16)"),
    (["--unit", "usp8", "-n", 9], "the unit usp8 has up to 8 PEs"), (["--unit", "papers1", "-n", 17], "has up to 16 PEs"),
    (["--clock", 10], "add --unit and one of ttl_papers"), (["--unit", "usp8", "--clock", 1000, "--port-ns", 1e9], "a million clocks at most"),
    (["--unit", "shm"], "there are ttl_papers")])
def test_bad_options(options, error):
    """The units in messages and in the help are those of the registry."""
    r = run("run", *([] if "-n" in options else ["-n", 2]), *options, "true")
    assert r.returncode == 2 and error in r.stderr


def test_help():
    text = " ".join(run("run", "--help").stdout.split())
    assert "--unit=NAME Let the PEs meet in the unit NAME, and not in shared memory: " \
        "ttl_papers (up to 16 PEs), usp8 (up to 8), papers1 (up to 16)" in text


@pytest.mark.parametrize("unit", UNITS)
def test_killed(unit):
    def once():
        began = time.monotonic()
        r = run("run", "--unit", unit, "-n", 4, GROUPS, "add:f", "add:f", "kill:9", "add:f")
        assert r.returncode == 128 + 9
        for k in (0, 1, 3):
            assert f"unisono: PE {k}: PE 2 was killed by signal 9 (Killed); this PE was in p_reduceAdd32" in r.stderr
        return time.monotonic() - began

    check_seconds(1, once)


@pytest.mark.parametrize("unit", ["papers1", "mesh"])
def test_timeout(unit):
    r = run("run", "--unit", unit, "-n", 3, "--timeout", 5, GROUPS, "wait:7", "wait:7", "run")
    assert r.returncode == 124
    assert re.search(r"PE 0: waiting in p_wait of group \{0-2\} for [0-5].\d+ s; missing: PE 2", r.stderr), r.stderr


@pytest.mark.parametrize("unit, process", [("usp8", "hardware"), ("mesh", "mesh")])
def test_hardware_killed(unit, process):
    p = start("run", "--unit", unit, "-n", 2, GROUPS, "tell", "run")
    assert p.stdout.readline() == "ready\n"
    os.kill(next(q for q in children(launcher_processes(p.pid)[-1]) if os.readlink(f"/proc/{q}/exe").endswith("/" + process)), signal.SIGKILL)
    began = time.monotonic()
    _, error = to_end(p)
    assert p.returncode == 1 and time.monotonic() - began < SOON
    assert f"unisono run: the simulated {unit} was killed by signal 9 (Killed)" in error


def test_one_sleeps():
    """A PE that sleeps elsewhere does not hold up the groups of the others."""
    p = start("run", "--unit", "papers1", "-n", 3, GROUPS, "wait:3", "wait:3", "run")
    settled(p, "ended", "ended", "running")
    p.terminate()
    to_end(p)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("count, status", [(64, 0), (65, 1)])
def test_many_interrupts(unit, count, status):
    """While one PE waits in an operation, the port keeps the raisers of so many interrupts."""
    r = run("run", "--unit", unit, "-n", 2, GROUPS, "wait:3", f"interrupts:{count}")
    assert r.returncode == status
    assert status == 0 or "PE 0: 65 interrupts came before this PE ended an operation" in r.stderr
