"""script/bench-sort growth: its output for two sizes; figures of an earlier run are kept, and left alone if they are of
another machine."""

import importlib.util
import json
import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
WORKERS = Path(os.environ["UNISONO"]).parents[1] / "libexec/unisono"


def run(*options):
    return subprocess.run(["/usr/bin/python3", "-B", SOURCE / "bench/bench.py", "sort", *options, "--workers", WORKERS, "--rounds", "1"],
                          capture_output=True, text=True, timeout=100)


def growth(*options):
    r = run("growth", *options)
    assert r.returncode == 0, r
    return r.stdout


def steps(rows, key):
    """Return the growth of the time from each size to the next, beside the model's."""
    ratios = [row["seconds"]["unisono"] / row["seconds"]["model"] for row in rows if row["key"] == key]
    return [None] + [b / a for a, b in zip(ratios, ratios[1:])]


def test_sizes_follow_each_other(tmp_path):
    file = tmp_path / "growth.json"
    growth("--least", "12", "--most", "12", "--json", file)
    before = json.loads(file.read_text())["rows"]
    text = growth("--least", "10", "--most", "11", "--json", file)
    rows = json.loads(file.read_text())["rows"]
    assert [(row["key"], row["records"]) for row in rows] == [(key, 1 << power) for key in ("u64", "u16") for power in (10, 11, 12)]
    assert [row["seconds"] for row in rows if row["records"] == 1 << 12] == [row["seconds"] for row in before]
    for key in ("u64", "u16"):
        assert [row.get("step") for row in rows if row["key"] == key] == pytest.approx(steps(rows, key))
    assert all(row["seconds"][name] > 0 for row in rows for name in ("model", "unisono"))
    for row in rows:
        line = next(line for line in text.splitlines() if line.startswith(row["key"]) and f" {row['records']:,} " in line)
        assert f"{row['seconds']['unisono'] / row['records'] * 1e9:.2f}" in line


def test_figures_of_another_machine_are_left_alone(tmp_path):
    file = tmp_path / "figures.json"
    growth("--least", "10", "--most", "10", "--json", file)
    before = json.loads(file.read_text())
    for change in ({"threads": 3}, {"machine": {"processor": "another", "system": ""}}):
        text = json.dumps(before | change)
        file.write_text(text)
        for part in (["growth"], []):
            r = run(*part, "--json", file)
            assert (r.returncode, r.stdout, r.stderr.count("\n"), file.read_text()) == (2, "", 1, text), r


@pytest.mark.skipif(not importlib.util.find_spec("matplotlib"), reason="there is no matplotlib")
def test_plot(tmp_path):
    growth("--least", "10", "--most", "11", "--plot", tmp_path / "growth.png")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
