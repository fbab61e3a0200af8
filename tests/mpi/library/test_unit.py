"""MPI programs in a simulated unit: the answers are those of shared memory, each collective of little data takes the
port operations that it must, and what goes past the unit is said."""

import json
import os
import subprocess

import pytest

UNISONO, COLLECTIVES = (os.environ[name] for name in ("UNISONO", "UNISONO_COLLECTIVES"))
RANKS = 4


def run(*command, unit=None, stats=None):
    options = (["--unit", unit] if unit else []) + ([f"--stats={stats}"] if stats else [])
    r = subprocess.run([UNISONO, "run", "-n", str(RANKS), *options, COLLECTIVES, *command], capture_output=True, text=True,
                       timeout=60, check=True)
    return sorted(r.stdout.splitlines()), r.stderr


def operations(tmp_path, unit, *command):
    """Return the lines that it prints, those of the launcher, and the port operations of a rank."""
    file = tmp_path / "stats.json"
    told, said = run(*command, unit=unit, stats=file)
    counts = json.loads(file.read_text())["unit"]["port_operations"]
    assert len(set(counts)) == 1
    return told, said, counts[0]


def posts(elements):
    """The posts of USP8, each of which carries 4 bits of all ranks: 16 for 8 bytes that one rank has for all, and for
    as much of every rank as many for each. In the v forms the ranks tell sizes of 4 bytes first, and the largest block
    has an element more."""
    word, more = 64 // 4, elements + 1
    sizes = RANKS * 32 // 4
    every = RANKS * word
    root = {"barrier": 1, "bcast": elements * word, "scatter": RANKS * elements * word, "scatterv": sizes + RANKS * more * word}
    same = dict.fromkeys(["gather", "allgather", "reduce", "allreduce", "scan", "exscan"], elements * every)
    other = {"gatherv": sizes + more * every, "allgatherv": more * every, "alltoall": RANKS * elements * every,
             "alltoallv": sizes + RANKS * more * every, "alltoallw": sizes + RANKS * more * every,
             "reduce_scatter": (3 * elements + 1) * every, "reduce_scatter_block": RANKS * elements * every}
    return {**root, **same, **other}


@pytest.mark.parametrize("unit", ["usp8", "papers1"])
@pytest.mark.parametrize("elements", [1, 7])
def test_small_data(tmp_path, unit, elements):
    told, said, counted = operations(tmp_path, unit, str(elements))
    assert (told, said) == run(str(elements))
    without = operations(tmp_path, unit, str(elements), "no collective")[2]
    most = 2 * sum(posts(elements).values())
    if unit == "usp8":
        assert counted - without == most
    else:
        assert most // 2 < counted - without < most


@pytest.mark.parametrize("name", ["barrier", "bcast", "gatherv", "alltoallv", "scan"])
def test_port_operations(tmp_path, name):
    counted = operations(tmp_path, "usp8", "3", name)[2] - operations(tmp_path, "usp8", "3", "no collective")[2]
    assert counted == 2 * posts(3)[name]


@pytest.mark.parametrize("names, words", [
    (["bcast"], ""), (["message"], "messages"), (["alltoall", "gatherv", "bcast"], "MPI_Alltoall"),
    (["alltoallv", "message"], "messages, MPI_Alltoallv")])
def test_what_goes_past_is_said_once(names, words):
    told, said = run("32", *names, unit="usp8")
    assert told == run("32", *names)[0]
    lines = [line for line in said.splitlines() if "went data of" in line]
    assert bool(lines) == bool(words) and len(lines) <= 1
    if words:
        assert sorted(lines[0].split(": ")[-1].split(", ")) == sorted(words.split(", ")), said


@pytest.mark.parametrize("unit, elements", [("mesh", 1), ("mesh", 7), ("mesh", 32), ("mesh+papers1", 1), ("mesh+papers1", 7)])
def test_all_goes_over_a_mesh(unit, elements):
    """Small and large collectives, and messages: nothing is said to have gone elsewhere."""
    told, said = run(str(elements), unit=unit)
    assert (told, said) == (run(str(elements))[0], "")
    told, said = run(str(elements), "message", unit=unit)
    assert (told, said) == (run(str(elements), "message")[0], "")


def test_the_most_that_goes_by_the_unit():
    """512 bytes of a rank, and no element more."""
    assert run("64", "bcast", unit="usp8") == run("64", "bcast")
    told, said = run("65", "bcast", unit="usp8")
    assert (told, "MPI_Bcast" in said) == (run("65", "bcast")[0], True)


def test_table_of_stats():
    r = subprocess.run([UNISONO, "run", "-n", str(RANKS), "--unit", "usp8", "--stats", COLLECTIVES, "1", "barrier"],
                       capture_output=True, text=True, timeout=60, check=True)
    assert "usp8: 138 clocks, 2 for each port operation; at most 69 port operations of a PE" in r.stderr, r.stderr


@pytest.mark.parametrize("unit", ["usp8", "board_model"])
def test_bytes_fit_every_type(unit):
    assert run("3", "bytes", unit=unit) == run("3", "bytes")


def test_pins_of_a_board():
    assert run("3", unit="board_model") == run("3")
