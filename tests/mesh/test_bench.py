"""unisono bench mesh: its figures, which are the same in every run, and its errors."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import message_path
from launcher import UNISONO, run

PROGRAMS = Path(UNISONO).parent.parent / "libexec/unisono"
# A unisono whose runs take clocks that follow from the words of the command. FAULT: what one of them does wrong.
STAND_IN = """#!/bin/sh
[ "$1 $2 $3 $4 $6" = "run --unit mesh=4x4 -n --count" ] || exit 9
pes=$5 side=${7##*/bench-mesh-} part=$8 size=$9
shift 9
times=$1
clocks=$((100 + times * size * 1000 / pes))
[ "$side" = hand ] || clocks=$((clocks + times * 500))
[ "$FAULT $side $pes" != "bits mpi 4" ] || size=0
[ "$FAULT $side $pes" != "broken hand 4" ] || { echo "no more" >&2; exit 1; }
[ "$FAULT $side $pes" != "silent hand 4" ] || exit 0
echo "$part of $size, $times times"
echo "  mesh: $clocks clocks, 2 for each port operation" >&2
"""


@pytest.fixture
def stand_in(tmp_path):
    """Return a function that runs the benchmark of a build with that unisono, and without some of its programs."""
    libexec, unisono = tmp_path / "libexec/unisono", tmp_path / "bin/unisono"
    libexec.mkdir(parents=True)
    unisono.parent.mkdir()
    unisono.write_text(STAND_IN)
    unisono.chmod(0o755)
    shutil.copy(PROGRAMS / "bench", libexec)
    for name in "mesh", "bench-mesh-hand", "bench-mesh-mpi":
        (libexec / name).touch(0o755)

    def bench(*options, fault="", without=None):
        if without:
            (libexec / without).unlink()
        return subprocess.run(["unisono bench", "mesh", *options], executable=libexec / "bench", capture_output=True, text=True, timeout=60,
                              env={**os.environ, "FAULT": fault})
    return bench


def test_figures_follow_from_two_runs(stand_in):
    done = stand_in("--json", "-")
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(done.stdout)
    rows = {(row["part"], row["size"], row["pes"]): row for row in figures["rows"]}
    assert len(rows) == len(figures["rows"]) == 14 + 4 * 2 * 5
    assert rows["latency", 1, 2]["clocks"] == {"hand": 250, "mpi": 500} and rows["latency", 1, 2]["percent"] == 100
    assert rows["jacobi", 2048, 16]["clocks"] == {"hand": 128000, "mpi": 128500}
    assert rows["product", 16, 4]["speedup"] == {"hand": 4, "mpi": pytest.approx(16000 / 4500)}
    assert rows["latency", 4, 2]["speedup"] == {"hand": None, "mpi": None}
    published = {key: row["paper"] for key, row in rows.items() if row["paper"] is not None}
    assert published == {("latency", 1, 2): 481, ("latency", 1000, 2): 33, ("jacobi", 2048, 16): 5}
    goals = {row["goal"]: (row["bound"], row["measured"], row["held"]) for row in figures["limits"]}
    assert goals == {"latency of size 1, 2 PEs": (3, 2, True), "latency of size 1000, 2 PEs": (1.15, pytest.approx(1.001), True),
                     "jacobi of size 2048, 16 PEs": (1.05, pytest.approx(128.5 / 128), True)}


def test_parts_and_numbers_of_pes(stand_in):
    done = stand_in("--parts", "pi,jacobi", "--quick", "-n", "4,8", "--json", "-")
    rows = json.loads(done.stdout)["rows"]
    assert [(row["part"], row["size"], row["pes"]) for row in rows] == [
        ("jacobi", 16, 4), ("jacobi", 16, 8), ("pi", 1000, 4), ("pi", 1000, 8)]
    assert all(row["speedup"]["hand"] is None for row in rows)
    shown = stand_in("--parts", "latency", "--quick").stdout
    assert "A message to the next tile" in shown and "Jacobi" not in shown and "1 held, 0 missed" in shown


@pytest.mark.parametrize("fault, error", [
    ("bits", 'jacobi 16 with 4 PEs by mpi printed "jacobi of 0, 2 times", '
             'and with another number of PEs, or side, "jacobi of 16, 2 times"'),
    ("broken", "bench-mesh-hand jacobi 16 with 4 PEs broke off. It printed:\nno more"),
    ("silent", "bench-mesh-hand jacobi 16 with 4 PEs broke off, without a word")])
def test_a_wrong_result_or_a_run_that_breaks_off_ends_it(stand_in, fault, error):
    done = stand_in("--parts", "jacobi", fault=fault)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"unisono bench mesh: {error}\n")


@pytest.mark.parametrize("program, error", [("mesh", "the simulated units, which need Verilator"), ("bench-mesh-mpi", "its MPI library")])
def test_what_was_not_built_is_named(stand_in, program, error):
    done = stand_in(without=program)
    assert done.returncode == 1 and done.stderr.startswith(f"unisono bench mesh: Unisono was built without {error}")


@pytest.mark.parametrize("options, error", [
    (["--parts", "jacobi,pie"], 'there is no part "pie"'), (["--parts", ""], 'there is no part ""'), (["-n", "3"], "1, 2, 4, 8 or 16 PEs"),
    (["-n", "32"], "the chip has 16 tiles"), (["pi"], "options only")])
def test_bad_options(options, error):
    done = run("bench", "mesh", *options)
    assert done.returncode == 2 and error in done.stderr


@pytest.mark.parametrize("trial, size", [("latency", 70), ("jacobi", 20), ("product", 60), ("trapezoid", 50), ("pi", 50)])
def test_programs_print_the_same_with_any_number_of_pes(trial, size):
    """By hand and by MPI. By hand a matrix of 60 rows is broadcast from each PE to the next one, and less by a tree."""
    sides = [PROGRAMS / f"bench-mesh-{side}" for side in ("hand", "mpi")]
    if not (PROGRAMS / "mesh").exists() or not all(side.exists() for side in sides):
        pytest.skip("this build has no simulated units, or no MPI library")
    pes = (2, 4) if trial == "latency" else (1, 4)
    runs = [run("run", "--unit", "mesh", "-n", n, side, trial, size, 3) for side in sides for n in pes]
    assert {(r.returncode, r.stderr) for r in runs} == {(0, "")} and len({r.stdout for r in runs}) == 1, runs
    assert runs[0].stdout.startswith(f"{trial}: ") or trial == "latency"


@pytest.fixture
def counting():
    emulator = shutil.which("qemu-" + os.uname().machine)
    if not emulator or "-plugin" not in subprocess.run([emulator, "--help"], capture_output=True, text=True).stdout:
        pytest.skip("there is no qemu of this machine that takes plugins (Debian: qemu-user)")
    if not (PROGRAMS / "mesh").exists() or not (PROGRAMS / "bench-mesh-mpi").exists():
        pytest.skip("this build has no simulated units, or no MPI library")


def test_same_figures_in_every_run(counting):
    runs = [run("bench", "mesh", "--quick", "--parts", "product", "-n", 4, "--json", "-") for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout and json.loads(runs[0].stdout)["rows"], [r.stderr for r in runs]
    for row in json.loads(runs[0].stdout)["rows"]:
        assert 1000 < row["clocks"]["hand"] < row["clocks"]["mpi"], row


def test_a_message_takes_its_instructions_and_the_network(counting):
    for side in "hand", "mpi":
        taken = message_path.instructions(PROGRAMS.parent.parent, side)
        clocks = [float(run("run", "--unit", "mesh=4x4", "-n", 2, "--count", PROGRAMS / f"bench-mesh-{side}", "latency", 1, n)
                        .stderr.split("mesh: ")[1].split()[0]) for n in (100, 300)]
        rest = (clocks[1] - clocks[0]) / 400 - sum(taken.values())
        assert 15 < rest < 45 and taken["the program"] > 10, (side, taken, rest)
    assert taken["calls of MPI"] > 40 and taken["matching, and the channel"] > 100
