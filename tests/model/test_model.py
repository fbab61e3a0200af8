"""unisono model: its calculations, from the basic rates that it shows; and its errors."""

import json
import os
import subprocess

import pytest

UNISONO = os.environ["UNISONO"]
SMALL = ["--megabytes", "1", "--repetitions", "1"]
PAPER = {"block": ("1Q1", 69, 55.5), "transpose": ("1Qk", 38, 29.5), "grouped": ("1Qw", 34, 27), "random": ("wQw", 32, 22)}

TABLE_3 = [("Bucket Counting", "key", "wCk", 21, 14), ("Local Permutation", "key", "wCk", 21, 8),
           ("Global Permutation", "key", "1Qw", 34, 20), ("Bucket Transpose", "bucket", "pQ1", 38, 20),
           ("Bucket Reduction", "bucket", "1C0", 220, 125), ("Bucket Scan", "bucket", "1C1", 90, 60),
           ("Bucket Untranspose", "bucket", "1Qp", 38, 20), ("Counting Sort", "", "", 7.88, 3.99)]


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


def phases_of(sort, pes, records):
    """The rates of the phases, from the basic rates: each is a PE's bytes by the time that all it does takes."""
    r, all_bytes = sort["rates"], 8 * records
    within = [1 / r[name] for name in ("load", "digit_count", "digit_store", "copy")]
    if sort["alone"]:
        times = {"local": all_bytes * sum(within)}
    else:
        keys, mine = 8 * min(max(records // 8, 1024), 65536), all_bytes / pes
        times = {"sample": keys / pes / r["strided"] + keys / r["load"] + keys / r["count"],
                 "count": mine / r["count"],
                 "scatter": 8 * sort["buckets"] * pes / r["load"] + mine * (1 / r["collect"] + 1 / r["store"]),
                 "local": mine * (1 / r["collect"] + 1 / r["store"] if sort["twice"] else sum(within))}
    times["sort"] = sum(times.values())
    return {name: all_bytes / pes / time for name, time in times.items()}


# Sorted by one PE; with the least number of buckets; with all the bits of a digit; by two digits, if the key has no
# more.
@pytest.mark.parametrize("pes, records, buckets", [(1, 1024, (1, 1)), (3, 16384, (1, 1)), (2, 16385, (64, 64)), (3, 50001, (128, 128)),
                                                   (2, 1 << 20, (128, 128)), (2, 33 << 18, (256, 1024))])
def test_the_phases_of_a_sort_follow_from_the_basic_rates(pes, records, buckets):
    r = run("-n", str(pes), *SMALL, "--records", str(records), "--json")
    assert r.returncode == 0 and not r.stderr, r
    table = json.loads(r.stdout)["sort"]
    assert table["records"] == records
    assert [tuple(row.values()) for row in table["t3d"]] == TABLE_3
    assert [(sort["key"], sort["buckets"]) for sort in table["sorts"]] == list(zip(("u16", "u64"), buckets))
    for sort, width in zip(table["sorts"], (16, 64)):
        bits = sort["buckets"].bit_length() - 1
        assert sort["alone"] == (records <= 16384)
        assert sort["twice"] == (width == 16 and records == 33 << 18)
        assert sort["in_bucket"] == records // sort["buckets"]
        assert sort["digit"] == min(sort["in_bucket"].bit_length() - (width == 64), 16, width - bits)
        assert {name: row["model"] for name, row in sort["phases"].items()} == pytest.approx(
            phases_of(sort, pes, records), rel=1e-3)
        assert all(row["measured"] > 0 for row in sort["phases"].values())
        assert sort["phases"]["sort"]["measured"] <= min(row["measured"] for row in sort["phases"].values()) * 1.001


def test_text_has_the_tables():
    r = run(*SMALL)
    assert r.returncode == 0 and not r.stderr, r
    lines = r.stdout.splitlines()
    for name, (symbol, model, measured) in PAPER.items():
        line = next(line for line in lines if line.startswith(name))
        assert line.split()[1:4] == [symbol, f"{model:g}", f"{measured:g}"]
    for primitive, work, symbol, model, measured in TABLE_3:
        words = next(line for line in lines if primitive in line).split(primitive)[1].split()
        assert words[:4 if work else 2] == [*filter(None, (work, symbol)), f"{model:g}", f"{measured:g}"]


def test_plot(tmp_path):
    if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode:
        pytest.skip("/usr/bin/python3 has no matplotlib")
    picture = tmp_path / "model.png"
    r = run(*SMALL, "--plot", picture)
    assert (r.returncode, r.stderr) == (0, "") and "Table 3" in r.stdout
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 10000
    r = run(*SMALL, "--json", "--plot", "/dev/full")
    assert r.returncode == 1 and json.loads(r.stdout) and r.stderr.splitlines()[-1].startswith("unisono model: the plot failed")


@pytest.mark.parametrize("bad", [["--megabytes", "0"], ["--megabytes", "3"], ["--megabytes", "x"], ["-n", "0"],
                                 ["--repetitions", "0"], ["--records", "1023"], ["--records", "536870913"],
                                 ["--plot", "/nowhere/x"], ["extra"]])
def test_refuses(bad):
    r = run(*bad)
    assert r.returncode == 2 and not r.stdout and r.stderr.startswith("unisono model: ") and r.stderr.count("\n") == 1, r


def test_too_much_memory_is_refused():
    r = run("-n", "64", "--megabytes", "65536")
    assert (r.returncode, r.stdout) == (1, "") and "not enough memory" in r.stderr, r
