"""The program of docs/guides/who-waits.md: who is late, and that the even shares make the same heat."""

import json
import os
import subprocess
from pathlib import Path

import pytest

UNISONO = os.environ["UNISONO"]
SOURCE = Path(__file__).parents[3] / "examples/mpi/flame.c"


@pytest.fixture(scope="module")
def flame(tmp_path_factory):
    program = tmp_path_factory.mktemp("flame") / "flame"
    prefix = subprocess.run([UNISONO, "mpi", "--prefix"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([f"{prefix}/bin/mpicc", "-O2", "-g", "-Wall", "-Werror", SOURCE, "-o", program, "-lm"], check=True)
    return program


def run(flame, tmp_path, *arguments, n=4):
    file = tmp_path / "calls.json"
    command = [UNISONO, "run", "-n", str(n), f"--stats={file}", flame, *arguments]
    r = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100)
    return r.stdout, json.loads(file.read_text())["calls"]


def test_the_rank_of_the_flame_is_late(flame, tmp_path):
    _, calls = run(flame, tmp_path)
    line = next(i for i, text in enumerate(SOURCE.read_text().splitlines(), 1) if "MPI_Sendrecv(" in text)
    assert calls["look_at"].startswith("rank 2 sends late in MPI_Sendrecv at flame.c:"), calls["look_at"]
    assert "it spends the time in the program before that call" in calls["look_at"]
    assert line in {int(site["place"].rpartition(":")[2]) for site in calls["sites"]}
    late = max(calls["rank"], key=lambda rank: rank["waited_for_seconds"])
    assert late["rank"] == 2


def test_even_shares_make_the_same_heat(flame, tmp_path):
    heat, uneven = run(flame, tmp_path)
    for n in (1, 3, 4):
        assert run(flame, tmp_path, "even", n=n)[0] == heat
    _, even = run(flame, tmp_path, "even")
    assert even["calls"] == uneven["calls"]
