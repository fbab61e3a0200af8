"""unisono model: what it calculates, from the basic rates that it shows; and what it refuses."""

import json
import os
import subprocess

import pytest

UNISONO = os.environ["UNISONO"]
SMALL = ["--megabytes", "1", "--repetitions", "1"]
PAPER = {"block": ("1Q1", 69, 55.5), "transpose": ("1Qk", 38, 29.5), "grouped": ("1Qw", 34, 27), "random": ("wQw", 32, 22)}


def run(*options):
    return subprocess.run([UNISONO, "model", *options], capture_output=True, text=True, timeout=60)


def then(*rates):
    return 1 / sum(1 / rate for rate in rates)


def spread(row, what, pes):
    return pes / (1 / row[what] + (pes - 1) / row[f"{what}_next"])


@pytest.mark.parametrize("pes", [1, 2, 3])
def test_model_follows_from_the_basic_rates(pes):
    r = run("-n", str(pes), *SMALL, "--json")
    assert r.returncode == 0 and not r.stderr, r
    found = json.loads(r.stdout)
    assert found["pes"] == pes and found["words"] == 1 << 17
    basic, rows = found["basic"], {row["name"]: row for row in found["permutations"]}
    assert {name: (row["symbol"], row["t3d"]["model"], row["t3d"]["measured"]) for name, row in rows.items()} == PAPER
    one, strided, indexed, anywhere = (basic[name] for name in (
        "contiguous (1)", "strided (k)", "indexed (w)", "anywhere"))
    stores = {"transpose": spread(strided, "store", pes), "grouped": spread(indexed, "store", pes),
              "random": anywhere["store"]}
    block = then(spread(one, "load", pes), one["store"])
    assert rows["block"]["chained"]["model"] == pytest.approx(block, rel=1e-4)
    for name, store in stores.items():
        assert rows[name]["chained"]["model"] == pytest.approx(then(one["load"], store), rel=1e-4)
        place = (strided if name == "transpose" else indexed)["store"]
        packed = then(basic["pack"], block / 2, one["load"] / 2, place)
        assert rows[name]["packed"]["model"] == pytest.approx(packed, rel=1e-4)
        assert rows[name]["packed"]["measured"] > 0
    assert all(row["chained"]["measured"] > 0 for row in rows.values())


def test_text_has_the_table():
    r = run(*SMALL)
    assert r.returncode == 0 and not r.stderr, r
    lines = r.stdout.splitlines()
    for name, (symbol, model, measured) in PAPER.items():
        line = next(line for line in lines if line.startswith(name))
        assert line.split()[1:4] == [symbol, f"{model:g}", f"{measured:g}"]


@pytest.mark.parametrize("bad", [["--megabytes", "0"], ["--megabytes", "3"], ["--megabytes", "x"], ["-n", "0"],
                                 ["--repetitions", "0"], ["extra"]])
def test_refuses(bad):
    r = run(*bad)
    assert r.returncode == 2 and not r.stdout and r.stderr.startswith("unisono model: ") and r.stderr.count("\n") == 1, r


def test_too_much_memory_is_refused():
    r = run("-n", "64", "--megabytes", "65536")
    assert (r.returncode, r.stdout) == (1, "") and "not enough memory" in r.stderr, r
