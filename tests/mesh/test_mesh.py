"""unisono run --unit mesh: clocks, options, and how a job ends on the tiles of a mesh."""

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


@pytest.mark.parametrize("words", [1, 2, 31])
def test_clocks_of_a_packet(tmp_path, words):
    """A packet to the next tile, when instructions take no time: its header is there after 3 clocks, the handler
    reads it 24 clocks later and each word 2 clocks after the one before, and leaves a clock after that."""
    few, many = (figures(tmp_path, 2, BY_HAND, "latency", words, rounds)["clocks"] for rounds in (4, 14))
    assert (many - few) / 20 == 3 + 24 + 2 * (words + 1) + 1


def test_same_clocks(tmp_path):
    runs = [figures(tmp_path, 4, REPEAT, "p_scanMul", "d", 5) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2] and runs[0]["clocks"] > 0


def test_same_clocks_with_instructions(tmp_path):
    """They are the same in every run, also beside programs that take the processors away."""
    emulator = shutil.which("qemu-" + os.uname().machine)
    if not emulator or "-plugin" not in subprocess.run([emulator, "--help"], capture_output=True, text=True).stdout:
        pytest.skip("there is no qemu of this machine that takes plugins (Debian: qemu-user)")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        runs = [run("run", "--unit", "mesh", "-n", 4, "--count", REPEAT, "p_scanMul", "d", 5) for _ in range(3)]
    finally:
        for process in busy:
            process.kill()
            process.wait()
    clocks = [re.findall(r"mesh: (\d+) clocks", r.stderr) for r in runs]
    assert clocks[0] == clocks[1] == clocks[2], [r.stderr for r in runs]
    assert int(clocks[0][0]) > 10 * figures(tmp_path, 4, REPEAT, "p_scanMul", "d", 5)["clocks"]


def test_sides(tmp_path):
    """A mesh whose sides are not given is the least one that is built; in a wider one PEs are further apart."""
    least, named, wide = (figures(tmp_path, 4, REPEAT, "p_wait", "none", 9, unit=unit)["clocks"]
                          for unit in ("mesh", "mesh=2x2", "mesh=4x4"))
    assert least == named != wide


@pytest.mark.parametrize("options, error", [
    (["--unit", "mesh=5x5"], "there are meshes of 2x2, 3x3, 4x4 tiles"), (["--unit", "mesh=4x4x"], "there are meshes of"),
    (["--unit", "mesh="], "there are meshes of"), (["--unit", "usp8=2x2"], "there are ttl_papers"),
    (["--unit", "mesh=3x3", "-n", 10], "a mesh of 3x3 tiles has up to 9 PEs"), (["--unit", "mesh", "-n", 17], "has up to 16 PEs"),
    (["--count"], "add --unit mesh"), (["--unit", "mesh", "--count", "--debug"], "--count and --debug exclude each other")])
def test_bad_options(options, error):
    r = run("run", *([] if "-n" in options else ["-n", 2]), *options, "true")
    assert r.returncode == 2 and error in r.stderr


def test_killed():
    r = run("run", "--unit", "mesh", "-n", 4, GROUPS, "add:f", "add:f", "kill:9", "add:f")
    assert r.returncode == 128 + 9
    for k in (0, 1, 3):
        assert f"unisono: PE {k}: PE 2 was killed by signal 9 (Killed); this PE was in " in r.stderr


def test_left():
    r = run("run", "--unit", "mesh", "-n", 3, GROUPS, "wait:7", "wait:7")
    assert r.returncode == 1 and "p_wait of group {0-2} waits for PE 2 on tile 0,1, which has left" in r.stderr


@pytest.mark.parametrize("calls, circle", [
    (["read:1:5", "read:0:5"], "PE 0 waits for PE 1, PE 1 for PE 0"),
    (["read:-1:-1", "read:0:5", "wait,read:0:7"], "PE 0 waits for any PE, and none can go on"),
    (["group:3,wait", "group:6,wait", "group:5,wait"], "PE 0 waits for PE 1, PE 1 for PE 2, PE 2 for PE 0")])
def test_deadlock(calls, circle):
    r = run("run", "--unit", "mesh", "-n", len(calls), VERTEX, *calls)
    assert r.returncode == 125 and f"unisono run: deadlock: {circle}; where the PEs are:" in r.stderr


def test_mismatch():
    r = run("run", "--unit", "mesh", "-n", 3, GROUPS, "add:7", "wait:7", "wait:7")
    assert r.returncode == 1
    assert "mismatch: PE 0 on tile 0,0 is in p_reduceAdd32 of group {0-2}, but PE 1 on tile 1,0 is in p_wait" in r.stderr
