"""unisono run --unit mesh and mesh+papers1: clocks, options, and how a job ends on the tiles of a mesh."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from launcher import program, run

GROUPS = program("groups")
REPEAT = os.environ["REPEAT"]
VERTEX = os.environ["VERTEX"]
BY_HAND = os.environ["BY_HAND"]
BESIDE = os.environ["BESIDE"]
UNITS = ["mesh", "mesh+papers1"]
HEAD = 5  # words of a packet that carries no data: the header, and the head of net/'s packets


def figures(tmp_path, n, *command, unit="mesh"):
    file = tmp_path / "stats.json"
    r = run("run", "--unit", unit, "-n", n, f"--stats={file}", *command)
    assert (r.returncode, r.stderr) == (0, "")
    return json.loads(file.read_text())["unit"]


@pytest.mark.parametrize("n", [2, 4, 7, 16])
def test_barrier(tmp_path, n):
    """A barrier sends one packet up and one down between each PE and its parent, and each word goes in and out."""
    few, many = (sum(figures(tmp_path, n, REPEAT, "p_wait", "none", count)["port_operations"]) for count in (2, 12))
    assert (many - few) / 10 == 2 * (n - 1) * 2 * HEAD


@pytest.mark.parametrize("n", [2, 4, 16])
def test_barrier_beside(tmp_path, n):
    """Where instructions take no time all PEs post in the same clock, and their next look finds the barrier over."""
    few, many = (figures(tmp_path, n, REPEAT, "p_wait", "none", count, unit="mesh=4x4+papers1") for count in (2, 12))
    assert [m - f for f, m in zip(few["port_operations"], many["port_operations"])] == [10 * 2] * n
    assert many["clocks"] - few["clocks"] == 10 * 2 * 2


def test_same_posts_beside(tmp_path):
    """An operation of PAPERS1 takes as many port operations beside a mesh as alone."""
    alone, beside = ([figures(tmp_path, 4, REPEAT, "p_reduceAdd", "32", count, unit=unit)["port_operations"] for count in (2, 7)]
                     for unit in ("papers1", "mesh+papers1"))
    assert [b - a for a, b in zip(*beside)] == [b - a for a, b in zip(*alone)] == [5 * 32] * 4


def test_name(tmp_path):
    """That of a unit beside a mesh is the one that the user gives, whatever the sides."""
    assert figures(tmp_path, 2, REPEAT, "p_wait", "none", 1, unit="mesh=3x3+papers1")["name"] == "mesh+papers1"


@pytest.mark.parametrize("words", [1, 2, 31])
def test_clocks_of_a_packet(tmp_path, words):
    """A packet to the next tile, when instructions take no time: its header is there after 3 clocks, the handler
    reads it 24 clocks later and each word 2 clocks after the one before, and leaves a clock after that."""
    few, many = (figures(tmp_path, 2, BY_HAND, "latency", words, rounds)["clocks"] for rounds in (4, 14))
    assert (many - few) / 20 == 3 + 24 + 2 * (words + 1) + 1


def test_same_clocks(tmp_path):
    runs = [figures(tmp_path, 4, REPEAT, "p_scanMul", "d", 5) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2] and runs[0]["clocks"] > 0


@pytest.fixture
def counting():
    emulator = shutil.which("qemu-" + os.uname().machine)
    if not emulator or "-plugin" not in subprocess.run([emulator, "--help"], capture_output=True, text=True).stdout:
        pytest.skip("there is no qemu of this machine that takes plugins (Debian: qemu-user)")


def counted(unit, n, *command):
    """The clocks of a run, and the most port operations of a PE, where instructions take time."""
    r = run("run", "--unit", unit, "-n", n, "--count", *command)
    return tuple(map(int, re.search(r"(\d+) clocks, .* at most (\d+) port operations", r.stderr).groups()))


def test_late_beside(counting):
    """A PE that waits at the unit beside the network looks every other clock, also while nothing else happens."""
    (begins, few), (ends, many) = (counted("mesh+papers1", 2, BESIDE, count) for count in (1000, 41000))
    assert ends - begins > 40000 and abs(ends - begins - 2 * (many - few)) < 40  # the longer number is read, too


@pytest.mark.parametrize("unit", UNITS)
def test_same_clocks_with_instructions(tmp_path, counting, unit):
    """They are the same in every run, also beside programs that take the processors away."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        runs = [counted(unit, 4, REPEAT, "p_scanMul", "d", 5) for _ in range(3)]
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert runs[0] == runs[1] == runs[2]
    assert runs[0][0] > 5 * figures(tmp_path, 4, REPEAT, "p_scanMul", "d", 5, unit=unit)["clocks"]


def test_sides(tmp_path):
    """A mesh whose sides are not given is the least one that is built; in a wider one PEs are further apart."""
    least, named, wide = (figures(tmp_path, 4, REPEAT, "p_wait", "none", 9, unit=unit)["clocks"]
                          for unit in ("mesh", "mesh=2x2", "mesh=4x4"))
    assert least == named != wide


@pytest.mark.parametrize("options, error", [
    (["--unit", "mesh=5x5"], "there are meshes of 2x2, 3x3, 4x4 tiles"), (["--unit", "mesh=4x4x"], "there are meshes of"),
    (["--unit", "mesh="], "there are meshes of"), (["--unit", "mesh+nonsense"], "mesh (up to 16), mesh+papers1 (up to 16)"),
    (["--unit", "mesh=4x4+"], "there are ttl_papers"), (["--unit", "ttl+papers"], "there are ttl_papers"),
    (["--unit", "mesh=5x5+papers1"], "there are meshes of"), (["--unit", "mesh=2x2+papers1", "-n", 5], "up to 4 PEs"),
    (["--unit", "usp8=2x2"], "there are ttl_papers"), (["--unit", "mesh_papers1"], "there are ttl_papers"),
    (["--unit", "mesh+papers1", "-n", 17], "the unit mesh+papers1 has up to 16 PEs"),
    (["--unit", "mesh=3x3", "-n", 10], "a mesh of 3x3 tiles has up to 9 PEs"), (["--unit", "mesh", "-n", 17], "has up to 16 PEs"),
    (["--count"], "add --unit mesh"), (["--unit", "mesh", "--count", "--debug"], "--count and --debug exclude each other")])
def test_bad_options(options, error):
    r = run("run", *([] if "-n" in options else ["-n", 2]), *options, "true")
    assert r.returncode == 2 and error in r.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_killed(unit):
    r = run("run", "--unit", unit, "-n", 4, GROUPS, "add:f", "add:f", "kill:9", "add:f")
    assert r.returncode == 128 + 9
    for k in (0, 1, 3):
        assert f"unisono: PE {k}: PE 2 was killed by signal 9 (Killed); this PE was in " in r.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_left(unit):
    r = run("run", "--unit", unit, "-n", 3, GROUPS, "wait:7", "wait:7")
    assert r.returncode == 1 and "p_wait of group {0-2} waits for PE 2 on tile 0,1, which has left" in r.stderr


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("calls, circle", [
    (["read:1:5", "wait"], "PE 0 waits for PE 1, PE 1 for PE 0"),
    (["read:1:5", "read:0:5"], "PE 0 waits for PE 1, PE 1 for PE 0"),
    (["read:-1:-1", "read:0:5", "wait,read:0:7"], "PE 0 waits for any PE, and none can go on"),
    (["group:3,wait", "group:6,wait", "group:5,wait"], "PE 0 waits for PE 1, PE 1 for PE 2, PE 2 for PE 0")])
def test_deadlock(unit, calls, circle):
    r = run("run", "--unit", unit, "-n", len(calls), VERTEX, *calls)
    assert r.returncode == 125 and f"unisono run: deadlock: {circle}; where the PEs are:" in r.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_mismatch(unit):
    r = run("run", "--unit", unit, "-n", 3, GROUPS, "add:7", "wait:7", "wait:7")
    assert r.returncode == 1
    assert "mismatch: PE 0 on tile 0,0 is in p_reduceAdd32 of group {0-2}, but PE 1 on tile 1,0 is in p_wait" in r.stderr
